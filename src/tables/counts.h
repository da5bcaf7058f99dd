/* Reads counts of programs from files of several formats. */
#ifndef CM_TABLES_COUNTS_H
#define CM_TABLES_COUNTS_H

#include <stdbool.h>

#include "tables/table.h"

/* Reads event,<run>,<run>... as CSV, or the document catmint.count/1 in the same form: a row for each event and metric,
 * which also has a row by its preset, and for `seconds`, `vector_bits` and `line_bytes`; a column for each scope.
 * Values that a scope lacks are NaN. */
cm_status cm_counts_table_load(const char *path, cm_table **table, cm_error *error);
/* Whether the file is JSON, judged by its first byte. */
bool cm_is_json(const char *path);

#endif
