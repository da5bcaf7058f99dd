/* Counts of programs, of whichever file they stand in. */
#ifndef CM_TABLES_COUNTS_H
#define CM_TABLES_COUNTS_H

#include <stdbool.h>

#include "tables/table.h"

/* Reads event,<run>,<run>... as CSV, or the document catmint.count/1, which becomes the same: a row for each event and
 * metric, by its preset too, and for `seconds`, `vector_bits` and `line_bytes`; a column for each scope. What a scope
 * does not know is NaN. */
cm_status cm_counts_table_load(const char *path, cm_table **table, cm_error *error);
/* Whether the file is JSON, by its first byte. */
bool cm_is_json(const char *path);

#endif
