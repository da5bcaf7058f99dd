/* Hands over the entries of a YAML file, as libyaml's events bring them. */
#include "formats/rocm/rocm.h"

#include <yaml.h>

#include "core/files.h"

typedef struct yaml_reader {
    yaml_parser_t parser;
    yaml_event_t event;
    char *text;               /* of the file */
    size_t characters, bytes; /* of the text, up to the same place */
    cm_yaml_entry entry;
    const char *keys[CM_YAML_DEPTH];
    cm_arena arena; /* of keys and values */
    cm_yaml_take take;
    void *data;
    cm_error *error;
} yaml_reader;

static cm_status refuse_yaml(const yaml_reader *reader, const char *text)
{
    const yaml_mark_t *mark = text != NULL ? &reader->event.start_mark : &reader->parser.problem_mark;
    return reader->parser.error == YAML_MEMORY_ERROR
               ? cm_error_no_memory(reader->error)
               : cm_error_set(reader->error, CM_BAD_INPUT, reader->entry.file, mark->line + 1, mark->column + 1, "%s",
                              text != NULL ? text : reader->parser.problem);
}

static cm_status next_event(yaml_reader *reader)
{
    yaml_event_delete(&reader->event);
    return yaml_parser_parse(&reader->parser, &reader->event) ? CM_OK : refuse_yaml(reader, NULL);
}

/* The place of a mark in the text; marks come in order, and count characters. */
static char *find_mark(yaml_reader *reader, const yaml_mark_t *mark)
{
    for (; reader->characters < mark->index; reader->characters++)
        while (cm_utf8_continues(reader->text[++reader->bytes]))
            continue;
    return reader->text + reader->bytes;
}

/* The event's text in the arena, and its place; NULL without memory. Several lines stay as the file has them. */
static const char *copy_yaml_text(yaml_reader *reader)
{
    const yaml_event_t *event = &reader->event;
    if (event->type == YAML_ALIAS_EVENT)
        return cm_arena_text(&reader->arena, (const char *)event->data.alias.anchor);
    const yaml_scalar_style_t style = event->data.scalar.style;
    bool quoted = style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    bool block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    reader->entry.line = event->start_mark.line + 1 + block;
    reader->entry.column = block ? 1 : event->start_mark.column + 1 + quoted;
    if (event->start_mark.line == event->end_mark.line)
        return cm_arena_text(&reader->arena, (const char *)event->data.scalar.value);
    const char *from = find_mark(reader, &event->start_mark) + quoted;
    from += block ? strcspn(from, "\n") + 1 : 0;
    char *end = find_mark(reader, &event->end_mark) - quoted, kept = *end;
    *end = '\0';
    const char *text = cm_arena_text(&reader->arena, from <= end ? from : "");
    *end = kept;
    return text;
}

static bool is_text(const yaml_reader *reader)
{
    return reader->event.type == YAML_SCALAR_EVENT || reader->event.type == YAML_ALIAS_EVENT;
}

static cm_status read_value(yaml_reader *reader, size_t levels);

/* A list, the documents of a file, or the contents of one. */
static cm_status read_list(yaml_reader *reader, size_t levels, yaml_event_type_t end)
{
    cm_status status = next_event(reader);
    while (status == CM_OK && reader->event.type != end) {
        bool text = is_text(reader);
        if (text)
            reader->keys[reader->entry.depth++] = "";
        status = read_value(reader, levels);
        reader->entry.depth -= text;
        CM_THEN(status, next_event(reader));
    }
    return status;
}

/* Reads a mapping, and passes each text with the keys above it. */
static cm_status read_map(yaml_reader *reader, size_t levels)
{
    cm_status status = next_event(reader);
    while (status == CM_OK && reader->event.type != YAML_MAPPING_END_EVENT) {
        if (!is_text(reader))
            return refuse_yaml(reader, "expected a text as the key");
        const char *key = copy_yaml_text(reader);
        if (key == NULL)
            return cm_error_no_memory(reader->error);
        reader->keys[reader->entry.depth++] = key;
        status = next_event(reader);
        reader->entry.value = "";
        if (status == CM_OK && !is_text(reader))
            status = reader->take(&reader->entry, reader->data, reader->error);
        CM_THEN(status, read_value(reader, levels));
        reader->entry.depth--;
        CM_THEN(status, next_event(reader));
    }
    return status;
}

/* Reads the value that the event begins, inside `levels` others, and hands over its entries. */
static cm_status read_value(yaml_reader *reader, size_t levels)
{
    const yaml_event_type_t type = reader->event.type;
    if (levels == CM_YAML_DEPTH && !is_text(reader))
        return refuse_yaml(reader, "nested too deep");
    if (type == YAML_MAPPING_START_EVENT)
        return read_map(reader, levels + 1);
    if (!is_text(reader))
        return read_list(reader, levels + 1,
                         type == YAML_SEQUENCE_START_EVENT   ? YAML_SEQUENCE_END_EVENT
                         : type == YAML_DOCUMENT_START_EVENT ? YAML_DOCUMENT_END_EVENT
                                                             : YAML_STREAM_END_EVENT);
    reader->entry.value = copy_yaml_text(reader);
    return reader->entry.value != NULL ? reader->take(&reader->entry, reader->data, reader->error)
                                       : cm_error_no_memory(reader->error);
}

cm_status cm_yaml_each(const char *path, cm_yaml_take take, void *data, cm_error *error)
{
    yaml_reader reader = {.take = take, .data = data, .error = error};
    size_t size = 0;
    reader.entry.file = path;
    reader.entry.keys = reader.keys;
    cm_status status = cm_file_text_read(path, &reader.text, &size, error);
    if (status == CM_OK && !yaml_parser_initialize(&reader.parser))
        status = cm_error_no_memory(error);
    else if (status == CM_OK) {
        yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&reader.parser, (const unsigned char *)reader.text, size);
        status = next_event(&reader);
        CM_THEN(status, read_value(&reader, 0));
        yaml_event_delete(&reader.event);
        yaml_parser_delete(&reader.parser);
    }
    cm_arena_clear(&reader.arena);
    free(reader.text);
    return status;
}
