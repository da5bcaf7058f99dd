/* Reads YAML as AMD's profilers write it: maps and lists by indentation, plain and quoted texts over several lines. */
#include "formats/rocm/yaml.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "formulas/formulas.h"

typedef struct yaml_reader {
    cm_yaml_entry entry;
    char *keys[CM_YAML_DEPTH]; /* owns entry.keys */
    size_t indents[CM_YAML_DEPTH];
    char *value; /* that is not complete yet; NULL: none */
    cm_yaml_take take;
    void *data;
    cm_error *error;
} yaml_reader;

static cm_status out_of_memory(const yaml_reader *reader)
{
    return cm_error_no_memory(reader->error);
}

/* Removes the quotes around a value. */
static void unquote(yaml_reader *reader)
{
    size_t length = strlen(reader->value);
    if (length >= 2 && strchr("'\"", reader->value[0]) != NULL && reader->value[length - 1] == reader->value[0]) {
        reader->value[length - 1] = '\0';
        reader->entry.value = reader->value + 1;
        reader->entry.column++;
    }
}

/* Hands the entry over whose lines have all been read. */
static cm_status flush(yaml_reader *reader)
{
    if (reader->value == NULL)
        return CM_OK;
    reader->entry.value = reader->value;
    unquote(reader);
    cm_status status = reader->take(&reader->entry, reader->data, reader->error);
    free(reader->value);
    reader->value = NULL;
    return status;
}

/* Leaves all keys that are indented as much or more. */
static void leave(yaml_reader *reader, size_t indent)
{
    while (reader->entry.depth > 0 && reader->indents[reader->entry.depth - 1] >= indent) {
        free(reader->keys[--reader->entry.depth]);
        reader->keys[reader->entry.depth] = NULL;
    }
}

/* The length of the key that the text begins with; SIZE_MAX: it is a text without one. */
static size_t key_length(const char *text)
{
    char quote = text[0] == '\'' || text[0] == '"' ? text[0] : '\0';
    const char *at = quote != '\0' ? strchr(text + 1, quote) : text;
    for (; at != NULL && *at != '\0'; at++)
        if (*at == ':' && (at[1] == '\0' || at[1] == ' '))
            return (size_t)(at - text);
    return SIZE_MAX;
}

/* Ends the text at a comment. */
static void cut_comment(char *text)
{
    char quote = '\0';
    for (char *at = text; *at != '\0'; at++) {
        if (quote == '\0' && *at == '#' && (at == text || at[-1] == ' '))
            *at = '\0';
        else if (*at == quote)
            quote = '\0';
        else if (quote == '\0' && (*at == '"' || *at == '\'') && (at == text || at[-1] == ' '))
            quote = *at;
        if (*at == '\0')
            break;
    }
    cm_text_trim(text);
}

/* Begins the entry of a key, or of an item of a list without one. */
static cm_status begin(yaml_reader *reader, char *text, size_t indent, size_t line)
{
    size_t length = key_length(text), from = length == SIZE_MAX ? 0 : length + 1;
    if (length != SIZE_MAX)
        from += strspn(text + from, " ");
    leave(reader, indent);
    if (reader->entry.depth == CM_YAML_DEPTH)
        return cm_error_set(reader->error, CM_BAD_INPUT, reader->entry.file, line, 0, "more than %d levels",
                            CM_YAML_DEPTH);
    bool quoted = length != SIZE_MAX && length >= 2 && (text[0] == '"' || text[0] == '\'');
    char *key = length == SIZE_MAX ? strdup("") : strndup(text + quoted, length - 2 * (size_t)quoted);
    reader->keys[reader->entry.depth] = key;
    reader->indents[reader->entry.depth] = indent;
    if (key != NULL)
        reader->entry.depth++;
    reader->value = key != NULL ? strdup(text + from) : NULL;
    reader->entry.line = line;
    reader->entry.column = indent + from + 1;
    return reader->value != NULL ? CM_OK : out_of_memory(reader);
}

/* Appends a line to the value. */
static cm_status append(yaml_reader *reader, const char *line)
{
    size_t length = strlen(reader->value);
    char *grown = realloc(reader->value, length + strlen(line) + 2);
    if (grown == NULL)
        return out_of_memory(reader);
    reader->value = grown;
    grown[length] = '\n';
    strcpy(grown + length + 1, line);
    return CM_OK;
}

static cm_status take_line(yaml_reader *reader, char *line, size_t number)
{
    size_t indent = strspn(line, " "), depth = reader->entry.depth;
    char *text = line + indent;
    if (reader->value != NULL && reader->value[0] != '\0' && depth > 0 && indent > reader->indents[depth - 1] &&
        *text != '\0')
        return append(reader, line);
    if (*text == '#' || *text == '\0' || strncmp(text, "---", 3) == 0)
        return CM_OK;
    cm_status status = flush(reader);
    while (status == CM_OK && text[0] == '-' && text[1] == ' ') {
        size_t blanks = 1 + strspn(text + 1, " ");
        leave(reader, indent + 1);
        indent += blanks;
        text += blanks;
    }
    cut_comment(text);
    return status == CM_OK && *text != '\0' ? begin(reader, text, indent, number) : status;
}

cm_status cm_yaml_each(const char *path, cm_yaml_take take, void *data, cm_error *error)
{
    yaml_reader reader = {.take = take, .data = data, .error = error};
    cm_text_lines lines;
    reader.entry.file = path;
    reader.entry.keys = (const char *const *)reader.keys;
    cm_status status = cm_text_lines_open(path, CM_FORMULAS_LINE, &lines, error);
    while (status == CM_OK) {
        status = cm_text_lines_next(&lines, error);
        if (status != CM_OK || lines.text == NULL)
            break;
        status = take_line(&reader, lines.text, lines.number);
    }
    if (status == CM_OK)
        status = flush(&reader);
    cm_text_lines_close(&lines);
    leave(&reader, 0);
    free(reader.value);
    return status;
}
