#include "core/csv.h"

#include <csv.h>

struct cm_csv_fields {
    struct csv_parser parser;
    cm_csv_texts row;
    bool ended, no_memory;
};

/* Makes space for one more field; false without memory. */
static bool reserve_field(cm_csv_texts *row)
{
    if (row->count < row->capacity)
        return true;
    size_t capacity = cm_grow_capacity(row->count + 1);
    if (!CM_RESIZE(row->offsets, capacity) || !CM_RESIZE(row->fields, capacity))
        return false;
    row->capacity = capacity;
    return true;
}

void cm_csv_texts_clear(cm_csv_texts *row)
{
    CM_FREE(row->text, row->offsets, row->fields);
    *row = (cm_csv_texts){0};
}

/* Called by libcsv: appends a field to the row. */
static void take_field(void *text, size_t length, void *data)
{
    cm_csv_fields *fields = data;
    cm_csv_texts *row = &fields->row;
    if (fields->no_memory || !CM_GROW(row->text, row->text_size + length + 1, &row->text_capacity) ||
        !reserve_field(row)) {
        fields->no_memory = true;
        return;
    }
    row->offsets[row->count++] = row->text_size;
    if (length > 0)
        memcpy(row->text + row->text_size, text, length);
    row->text[row->text_size + length] = '\0';
    row->text_size += length + 1;
}

static void take_row_end(int character, void *data)
{
    (void)character;
    cm_csv_fields *fields = data;
    fields->ended = true;
}

cm_csv_fields *cm_csv_fields_create(void)
{
    cm_csv_fields *fields = calloc(1, sizeof *fields);
    if (fields != NULL && csv_init(&fields->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) {
        free(fields);
        return NULL;
    }
    return fields;
}

void cm_csv_fields_free(cm_csv_fields *fields)
{
    if (fields == NULL)
        return;
    csv_free(&fields->parser);
    cm_csv_texts_clear(&fields->row);
    free(fields);
}

void cm_csv_fields_begin(cm_csv_fields *fields)
{
    fields->row.count = fields->row.text_size = 0;
    fields->ended = false;
}

static cm_csv_fed outcome(cm_csv_fields *fields, bool complete)
{
    if (!complete && csv_error(&fields->parser) == CSV_EPARSE)
        return CM_CSV_MALFORMED;
    return complete && !fields->no_memory ? CM_CSV_FED : CM_CSV_NO_MEMORY;
}

cm_csv_fed cm_csv_fields_feed(cm_csv_fields *fields, const char *text, size_t length, size_t *done)
{
    *done = csv_parse(&fields->parser, text, length, take_field, take_row_end, fields);
    return outcome(fields, *done == length);
}

cm_csv_fed cm_csv_fields_end(cm_csv_fields *fields)
{
    return outcome(fields, csv_fini(&fields->parser, take_field, take_row_end, fields) == 0);
}

CM_GETTER(bool cm_csv_fields_ended(const cm_csv_fields *fields), fields->ended)

cm_csv_texts *cm_csv_fields_point(cm_csv_fields *fields)
{
    for (size_t i = 0; i < fields->row.count; i++)
        fields->row.fields[i] = fields->row.text + fields->row.offsets[i];
    return &fields->row;
}
