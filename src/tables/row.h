/* One row of a measurement table, fast: what no row of a good table has is for the reader that holds it in memory and
 * knows the messages. */
#ifndef CM_TABLES_ROW_H
#define CM_TABLES_ROW_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cm_row {
    const char *event; /* lives as long as the text, or until the next row */
    size_t repetition, thread;
} cm_row;

typedef struct cm_row_reader cm_row_reader;

/* Not for several threads at once. `kernels`: numbers in a row. NULL where memory is short. */
cm_row_reader *cm_row_reader_create(size_t kernels);
void cm_row_reader_free(cm_row_reader *reader);

typedef enum cm_row_part {
    CM_ROW_WHOLE,
    CM_ROW_KEY, /* no values, but of the event `iterations` */
} cm_row_part;

typedef enum cm_row_found { CM_ROW_FOUND, CM_ROW_BLANK, CM_ROW_BAD } cm_row_found;

/* Reads the row at *text, which ends with a line feed and is written over, and goes on behind it. Bad also where memory
 * is short. `values`: room for all of a row. */
cm_row_found cm_row_read(cm_row_reader *reader, char **text, cm_row_part part, cm_row *row, double *values);

#endif
