/* The form of bases and signatures: columns of text, the first of which names the row, then columns of numbers. */
#ifndef CM_TABLES_TABLE_H
#define CM_TABLES_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#include "core/csv.h"

typedef struct cm_table {
    char *file;
    char *counted_by; /* in catmint.count/1, "emulated:zen4"; NULL: unknown */
    size_t header_line;
    size_t text_columns;
    size_t value_columns;
    char **value_names; /* one a value column */
    bool *of_regions;   /* one a value column: it is a region of catmint.count/1; NULL: the file is another one */
    size_t row_count;
    size_t *lines;  /* one a row, 1-based */
    char **texts;   /* row_count x text_columns, row-major */
    double *values; /* row_count x value_columns, row-major */
} cm_table;

/* `columns` names the text columns; `optional` (may be NULL) is one more that may follow, and is then counted in
 * text_columns; all further columns hold finite numbers. CM_BAD_INPUT also if there is no number column or no row, and
 * if a row's name is empty or appears twice. */
cm_status cm_table_load(const char *path, size_t text_columns, const char *const *columns, const char *optional,
                        cm_table **table, cm_error *error);
/* The same for an open file. */
cm_status cm_table_read(cm_csv *csv, size_t text_columns, const char *const *columns, const char *optional,
                        cm_table **table, cm_error *error);
void cm_table_free(cm_table *table);

static inline const char *cm_table_text(const cm_table *table, size_t row, size_t column)
{
    return table->texts[row * table->text_columns + column];
}

static inline const double *cm_table_values(const cm_table *table, size_t row)
{
    return table->values + row * table->value_columns;
}

#endif
