/* Where in a CSV file a field stands, to point into it in a message. */
#ifndef CM_CORE_CSV_LOCATION_H
#define CM_CORE_CSV_LOCATION_H

#include <stddef.h>

#include <catmint/error.h>

/* Reads the file again, as far as the row that begins on `row_line`, and finds the first character of the content of
 * its field `field` (from 0), behind blanks and an opening quote: 1-based line and character. CM_BAD_INPUT where there
 * is no such field. */
cm_status cm_csv_locate(const char *path, size_t row_line, size_t field, size_t *line, size_t *column, cm_error *error);

#endif
