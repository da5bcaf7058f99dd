/* Reads one row of a measurement table, fast. Rows that no good table has are left to cm_measurements_load, which has
 * the messages. */
#ifndef CM_TABLES_ROW_H
#define CM_TABLES_ROW_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cm_row {
    const char *event; /* valid as long as the text, or until the next row */
    size_t repetition, thread;
} cm_row;

typedef struct cm_row_reader cm_row_reader;

/* For one thread at a time. `kernels`: numbers in a row. NULL without memory. */
cm_row_reader *cm_row_reader_create(size_t kernels);
void cm_row_reader_free(cm_row_reader *reader);

typedef enum cm_row_part {
    CM_ROW_WHOLE,
    CM_ROW_KEY, /* values of the event `iterations` alone */
} cm_row_part;

typedef enum cm_row_found { CM_ROW_FOUND, CM_ROW_BLANK, CM_ROW_BAD } cm_row_found;

/* Reads the row at *text, which ends with a line feed and is overwritten, and moves *text behind it. CM_ROW_BAD also
 * without memory. `values`: space for a whole row. */
cm_row_found cm_row_read(cm_row_reader *reader, char **text, cm_row_part part, cm_row *row, double *values);

#endif
