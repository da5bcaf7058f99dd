/* Finds a field's line and column in a CSV file, for messages. */
#ifndef CM_CORE_CSV_LOCATION_H
#define CM_CORE_CSV_LOCATION_H

#include <stddef.h>

#include <catmint/error.h>

/* Reads the file again as far as the row that begins on `row_line`, and finds the first character of its field `field`
 * (from 0), behind blanks and an opening quote: 1-based line and character. CM_BAD_INPUT if there is no such field. */
cm_status cm_csv_locate(const char *path, size_t row_line, size_t field, size_t *line, size_t *column, cm_error *error);

#endif
