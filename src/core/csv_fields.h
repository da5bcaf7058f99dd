/* The fields of one row of CSV, split by libcsv, strictly by RFC 4180. */
#ifndef CM_CORE_CSV_FIELDS_H
#define CM_CORE_CSV_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* Texts one after another, each with its NUL. */
typedef struct cm_csv_texts {
    char *text;
    size_t text_size, text_capacity;
    size_t *offsets;
    const char **fields; /* valid after cm_csv_fields_point */
    size_t count, capacity;
} cm_csv_texts;

void cm_csv_texts_clear(cm_csv_texts *row);

typedef struct cm_csv_fields cm_csv_fields;

/* NULL without memory. */
cm_csv_fields *cm_csv_fields_create(void);
void cm_csv_fields_free(cm_csv_fields *fields);

/* Begins a new row. */
void cm_csv_fields_begin(cm_csv_fields *fields);

typedef enum cm_csv_fed { CM_CSV_FED, CM_CSV_MALFORMED, CM_CSV_NO_MEMORY } cm_csv_fed;

/* Reads text of the row, at most up to a line feed; *done is the length of its well-formed part. */
cm_csv_fed cm_csv_fields_feed(cm_csv_fields *fields, const char *text, size_t length, size_t *done);
/* At the end of the file: ends a row that lacks its line feed. */
cm_csv_fed cm_csv_fields_end(cm_csv_fields *fields);
/* Whether a row has ended; blank lines are no rows. */
bool cm_csv_fields_ended(const cm_csv_fields *fields);
/* The row, whose `fields` are valid until the next row begins. */
cm_csv_texts *cm_csv_fields_point(cm_csv_fields *fields);

#endif
