/* Writes documents by their fields. */
#include "result/fields.h"

typedef struct writing {
    cm_json_writer *writer;
    cm_error *error;
    cm_field_lengths lengths;
} writing;

static cm_status write_members(writing *walk, const cm_fields *fields, const void *item);

static cm_status write_object(writing *walk, const cm_fields *fields, const void *item)
{
    cm_json_begin_object(walk->writer);
    cm_status status = write_members(walk, fields, item);
    cm_json_end(walk->writer);
    return status;
}

/* Writes each item of a stream as it is made. */
static cm_status write_stream(writing *walk, const cm_field *field, const void *parent)
{
    cm_arena arena = {0};
    size_t made = 0;
    void *item = calloc(1, field->of->size);
    cm_status status = item != NULL ? CM_OK : cm_error_no_memory(walk->error);
    for (size_t i = 0; status == CM_OK && (i = field->stream->next(parent, i)) != SIZE_MAX; i++) {
        memset(item, 0, field->of->size);
        status = field->stream->fill(parent, i, &arena, item, walk->error);
        CM_THEN(status, write_object(walk, field->of, item));
        if (++made % CM_FIELD_TOGETHER == 0)
            cm_arena_clear(&arena);
    }
    cm_arena_clear(&arena);
    free(item);
    return status;
}

/* Writes an array, from memory or item by item from its stream. */
static cm_status write_items(writing *walk, const cm_field *field, const void *parent)
{
    const char *items = cm_field_pointer(field, parent);
    cm_status status = CM_OK;
    cm_json_begin_array(walk->writer);
    if (items == NULL && field->stream != NULL)
        status = write_stream(walk, field, parent);
    for (size_t i = 0; items != NULL && i < cm_field_count(field, parent) && status == CM_OK; i++)
        status = write_object(walk, field->of, items + i * field->of->size);
    cm_json_end(walk->writer);
    return status;
}

static void write_texts(writing *walk, const cm_field *field, const void *item)
{
    const char *const *texts = cm_field_pointer(field, item);
    cm_json_begin_array(walk->writer);
    for (size_t i = 0; i < cm_field_count(field, item); i++)
        cm_json_write_text(walk->writer, texts[i]);
    cm_json_end(walk->writer);
}

/* Writes an object whose keys are data. */
static void write_map(writing *walk, const cm_field *field, const void *parent)
{
    const char *items = cm_field_pointer(field, parent);
    cm_json_begin_object(walk->writer);
    for (size_t i = 0; i < cm_field_count(field, parent); i++) {
        const char *item = items + i * field->of->size;
        cm_json_key(walk->writer, cm_field_pointer(&field->of->rows[0], item));
        write_texts(walk, &field->of->rows[1], item);
    }
    cm_json_end(walk->writer);
}

static void write_places(writing *walk, const size_t *places, size_t count)
{
    cm_json_begin_array(walk->writer);
    for (size_t i = 0; i < count; i++)
        cm_json_write_count(walk->writer, places[i]);
    cm_json_end(walk->writer);
}

static bool is_pointer(cm_field_kind kind)
{
    return kind == CM_FIELD_NUMBERS || kind == CM_FIELD_OBJECT || kind == CM_FIELD_PART || kind == CM_FIELD_MAP ||
           kind == CM_FIELD_JSON || kind == CM_FIELD_PLACES;
}

/* Whether the member is unknown, so that null or nothing is written. */
static bool is_unknown(const cm_field *field, const void *item)
{
    const void *at = (const char *)item + field->offset;
    if (field->kind == CM_FIELD_TEXT) {
        const char *text = cm_field_pointer(field, item);
        bool says_unknown = (field->rules & (CM_NULLABLE | CM_OMITTED)) && field->text != NULL;
        return text == NULL || (says_unknown && strcmp(text, field->text) == 0);
    }
    if (field->kind == CM_FIELD_WHOLE)
        return (field->rules & (CM_OMITTED | CM_NULLABLE)) && *(const size_t *)at == 0;
    if (field->kind == CM_FIELD_BOOL)
        return (field->rules & CM_OMITTED) && !*(const bool *)at;
    if (field->kind == CM_FIELD_ITEMS || field->kind == CM_FIELD_TEXTS)
        return (field->rules & (CM_OMITTED | CM_NULLABLE)) && cm_field_pointer(field, item) == NULL;
    return is_pointer(field->kind) && cm_field_pointer(field, item) == NULL;
}

/* Writes the value of a member that is known. */
static cm_status write_value(writing *walk, const cm_field *field, const void *item)
{
    const void *at = (const char *)item + field->offset, *pointer = NULL;
    int word;
    if (is_pointer(field->kind) || field->kind == CM_FIELD_TEXT)
        pointer = cm_field_pointer(field, item);
    switch (field->kind) {
    case CM_FIELD_TEXT: cm_json_write_text(walk->writer, pointer); break;
    case CM_FIELD_SHORT_TEXT: cm_json_write_text(walk->writer, at); break;
    case CM_FIELD_NUMBER:
    case CM_FIELD_FIGURE: cm_json_write_real(walk->writer, *(const double *)at); break;
    case CM_FIELD_WHOLE: cm_json_write_count(walk->writer, *(const size_t *)at); break;
    case CM_FIELD_BOOL: cm_json_write_bool(walk->writer, *(const bool *)at); break;
    case CM_FIELD_WORD:
        memcpy(&word, at, sizeof word);
        cm_json_write_text(walk->writer, field->words->text(word));
        break;
    case CM_FIELD_NUMBERS:
        cm_json_write_reals(walk->writer, pointer, cm_field_length_of(field, &walk->lengths, item));
        break;
    case CM_FIELD_PLACES: write_places(walk, pointer, cm_field_count(field, item)); break;
    case CM_FIELD_PAIR: write_places(walk, at, 2); break;
    case CM_FIELD_TEXTS:
    case CM_FIELD_NAMES: write_texts(walk, field, item); break;
    case CM_FIELD_OBJECT: return write_object(walk, field->of, pointer);
    case CM_FIELD_PART: return write_object(walk, field->of, item);
    case CM_FIELD_ITEMS: return write_items(walk, field, item);
    case CM_FIELD_MAP: write_map(walk, field, item); break;
    case CM_FIELD_JSON: cm_json_write_value(walk->writer, pointer); break;
    }
    return CM_OK;
}

/* Writes one member: nothing if its condition fails, null if it is unknown. */
static cm_status write_field(writing *walk, const cm_field *field, const void *item)
{
    const bool unknown = is_unknown(field, item);
    if ((field->when != NULL && !field->when(item)) || (unknown && (field->rules & CM_OMITTED)))
        return CM_OK;
    if (field->name == NULL)
        return write_members(walk, field->of, item);
    cm_json_key(walk->writer, field->name);
    if (!unknown)
        return write_value(walk, field, item);
    cm_json_write_text(walk->writer, NULL);
    return CM_OK;
}

static cm_status write_members(writing *walk, const cm_fields *fields, const void *item)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < fields->count && status == CM_OK; i++) {
        cm_field_note_length(&fields->rows[i], item, &walk->lengths);
        status = write_field(walk, &fields->rows[i], item);
    }
    return status;
}

cm_status cm_fields_write(const cm_fields *fields, const void *item, FILE *stream, cm_error *error)
{
    writing walk = {.writer = cm_json_writer_create(stream), .error = error};
    cm_status status = write_object(&walk, fields, item);
    return cm_json_writer_finish(walk.writer) ? status : cm_error_no_memory(error);
}
