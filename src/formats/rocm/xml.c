/* Reads rocprof's XML, and sees to it that tags end in their order. */
#include "formats/rocm/rocm.h"

#include "core/files.h"

typedef struct xml_reader {
    cm_xml_tag tag;
    char *text;
    const char *at;
    const char *known, *line_text; /* a place whose line is known, and the start of that line */
    size_t line;
    cm_arena arena; /* of names and values */
    size_t depth;
    struct {
        const char *name;
        size_t line;
    } open[CM_XML_DEPTH]; /* tags that have not ended */
    cm_xml_take take;
    void *data;
    cm_error *error;
} xml_reader;

/* Finds the line and column of a place, not before the last one that was asked for. */
static void locate_byte(xml_reader *reader, const char *place, size_t *line, size_t *column)
{
    for (const char *at = reader->known; at < place; at++)
        if (*at == '\n') {
            reader->line++;
            reader->line_text = at + 1;
        }
    reader->known = place;
    *line = reader->line;
    *column = cm_lines_column(reader->line_text, (size_t)(place - reader->line_text));
}

static cm_status refuse_xml(xml_reader *reader, const char *text)
{
    size_t line = 0, column = 0;
    locate_byte(reader, reader->at, &line, &column);
    return cm_error_set(reader->error, CM_BAD_INPUT, reader->tag.file, line, column, "%s", text);
}

static void skip_blanks(xml_reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

/* A copy with the characters that references such as &lt; stand for; NULL without memory. */
static char *copy_xml_text(xml_reader *reader, const char *text, size_t length)
{
    static const struct {
        const char *name;
        char character;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    char *copy = cm_arena_allocate(&reader->arena, length + 1), *to = copy;
    for (const char *at = text; copy != NULL && at < text + length;) {
        size_t i = 0, count = CM_COUNT_OF(known);
        while (i < count && strncmp(at, known[i].name, strlen(known[i].name)) != 0)
            i++;
        *to++ = i < count ? known[i].character : *at;
        at += i < count ? strlen(known[i].name) : 1;
    }
    if (copy != NULL)
        *to = '\0';
    return copy;
}

/* Reads a name; "" if none begins here, NULL without memory. */
static const char *read_name(xml_reader *reader)
{
    const char *begin = reader->at;
    while (isalnum((unsigned char)*reader->at) || (*reader->at != '\0' && strchr("_-.:", *reader->at) != NULL))
        reader->at++;
    return copy_xml_text(reader, begin, (size_t)(reader->at - begin));
}

/* Reads NAME=VALUE. A value ends at its quotation mark, one without at a blank or at the tag's end. */
static cm_status read_attribute(xml_reader *reader)
{
    cm_xml_tag *tag = &reader->tag;
    cm_xml_attribute *attribute = &tag->attributes[tag->count];
    if (tag->count == CM_XML_ATTRIBUTES)
        return refuse_xml(reader, "more than 16 attributes");
    attribute->name = read_name(reader);
    if (attribute->name != NULL && attribute->name[0] == '\0')
        return refuse_xml(reader, "expected NAME=VALUE or '>'");
    skip_blanks(reader);
    if (*reader->at != '=')
        return refuse_xml(reader, "expected '=' and a value");
    reader->at++;
    skip_blanks(reader);
    char mark = *reader->at == '"' || *reader->at == '\'' ? *reader->at : '\0';
    const char *begin = reader->at + (mark != '\0');
    size_t length = strcspn(begin, mark == '"' ? "\"" : mark == '\'' ? "'" : " \t\r\n>");
    if (mark == '\0' && length > 0 && strncmp(begin + length - 1, "/>", 2) == 0)
        length--;
    if (begin[length] == '\0')
        return refuse_xml(reader, mark != '\0' ? "a quotation mark that is not closed" : "a tag that does not end");
    attribute->value = copy_xml_text(reader, begin, length);
    locate_byte(reader, begin, &attribute->line, &attribute->column);
    reader->at = begin + length + (mark != '\0');
    tag->count++;
    return attribute->name != NULL && attribute->value != NULL ? CM_OK : cm_error_no_memory(reader->error);
}

/* </NAME>, behind its '/'. */
static cm_status read_end(xml_reader *reader)
{
    const char *name = read_name(reader);
    if (name == NULL)
        return cm_error_no_memory(reader->error);
    if (reader->depth == 0 || strcmp(reader->open[reader->depth - 1].name, name) != 0)
        return refuse_xml(reader, reader->depth == 0 ? "the end of a tag that did not begin"
                                                     : "the end of another tag than the one that began last");
    skip_blanks(reader);
    if (*reader->at != '>')
        return refuse_xml(reader, "expected '>'");
    reader->at++;
    reader->depth--;
    return CM_OK;
}

/* <NAME ...> or <NAME .../>, behind its '<'. */
static cm_status read_tag(xml_reader *reader)
{
    cm_xml_tag *tag = &reader->tag;
    tag->count = 0;
    locate_byte(reader, reader->at, &tag->line, &tag->column);
    tag->name = read_name(reader);
    if (tag->name == NULL)
        return cm_error_no_memory(reader->error);
    if (tag->name[0] == '\0')
        return refuse_xml(reader, "expected the name of a tag");
    cm_status status = CM_OK;
    for (skip_blanks(reader); status == CM_OK && *reader->at != '>' && strncmp(reader->at, "/>", 2) != 0;
         skip_blanks(reader))
        status = *reader->at != '\0' ? read_attribute(reader) : refuse_xml(reader, "a tag that does not end");
    if (status != CM_OK)
        return status;
    bool ends = *reader->at == '/';
    if (!ends && reader->depth == CM_XML_DEPTH)
        return refuse_xml(reader, "nested too deep");
    if (!ends) {
        reader->open[reader->depth].name = tag->name;
        reader->open[reader->depth++].line = tag->line;
    }
    reader->at += 1 + ends;
    return reader->take(tag, reader->data, reader->error);
}

/* A line that begins with '#': a comment, or one that includes a file. */
static cm_status read_comment(xml_reader *reader)
{
    static const char include[] = "#include \"";
    cm_xml_tag *tag = &reader->tag;
    const char *begin = reader->at, *file = begin + sizeof include - 1;
    reader->at += strcspn(begin, "\n");
    if (strncmp(begin, include, sizeof include - 1) != 0)
        return CM_OK;
    tag->name = "#include";
    tag->count = 1;
    locate_byte(reader, begin, &tag->line, &tag->column);
    tag->attributes[0] =
        (cm_xml_attribute){.name = "file", .value = copy_xml_text(reader, file, strcspn(file, "\"\n"))};
    return tag->attributes[0].value != NULL ? reader->take(tag, reader->data, reader->error)
                                            : cm_error_no_memory(reader->error);
}

/* Reads the tag or comment that begins here; text between tags is none of a file of counters. */
static cm_status read_next(xml_reader *reader)
{
    if (*reader->at == '#')
        return read_comment(reader);
    if (strncmp(reader->at, "<!--", 4) == 0 || strncmp(reader->at, "<?", 2) == 0) {
        const char *closing = reader->at[1] == '?' ? "?>" : "-->", *end = strstr(reader->at, closing);
        if (end == NULL)
            return refuse_xml(reader, "a comment that does not end");
        reader->at = end + strlen(closing);
        return CM_OK;
    }
    if (*reader->at != '<')
        return refuse_xml(reader, "expected a tag");
    reader->at += 1 + (reader->at[1] == '/');
    return reader->at[-1] == '/' ? read_end(reader) : read_tag(reader);
}

/* CM_BAD_INPUT unless all lines are text. */
static cm_status check_text(xml_reader *reader, size_t size)
{
    for (const char *line = reader->text, *end = line + size; line < end;) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((feed != NULL ? feed + 1 : end) - line), fault = 0;
        reader->at = line;
        const char *reason = cm_lines_fault(line, length, &fault);
        if (reason != NULL)
            return refuse_xml(reader, reason);
        line += length;
    }
    reader->at = reader->known = reader->text;
    reader->line = 1;
    reader->line_text = reader->text;
    return CM_OK;
}

const cm_xml_attribute *cm_xml_find(const cm_xml_tag *tag, const char *name)
{
    return CM_FIND_ITEM(name, name, tag->attributes, tag->count);
}

cm_status cm_xml_each(const char *path, cm_xml_take take, void *data, cm_error *error)
{
    xml_reader reader = {.line = 1, .take = take, .data = data, .error = error};
    size_t size = 0;
    reader.tag.file = path;
    cm_status status = cm_file_text_read(path, &reader.text, &size, error);
    reader.known = reader.line_text = reader.text;
    CM_THEN(status, check_text(&reader, size));
    for (; status == CM_OK; status = read_next(&reader)) {
        skip_blanks(&reader);
        if (*reader.at == '\0')
            break;
    }
    if (status == CM_OK && reader.depth > 0)
        status = cm_error_set(error, CM_BAD_INPUT, path, reader.open[reader.depth - 1].line, 0, "'%.100s' does not end",
                              reader.open[reader.depth - 1].name);
    cm_arena_clear(&reader.arena);
    free(reader.text);
    return status;
}
