/* The outcomes of a screening, on the disk as soon as a chunk is done: a resumed sweep continues behind it and finds
 * the same classes, which hardware counts need not give twice.
 *
 * The file `screening` in the sweep's directory, locked while it is open: a line that identifies the screening, then
 * records. Text behind the last complete record was torn off, and is dropped. */
#ifndef CM_SWEEP_RUN_SCREEN_FILE_H
#define CM_SWEEP_RUN_SCREEN_FILE_H

#include "sweep/run/screen_chunk.h"

typedef struct cm_screen_file cm_screen_file;

/* Opens the file in the sweep's directory. It is emptied unless the sweep is resumed with the same screening. CM_IO if
 * another file of that name exists. */
cm_status cm_screen_file_open(const cm_sweep_state *state, cm_screen_file **file, cm_error *error);
/* Whether the next record is of this chunk, whose first code has number `first`; then fills its outcomes. */
bool cm_screen_file_take(cm_screen_file *file, uint64_t first, cm_screen_chunk *chunk);
cm_status cm_screen_file_add(cm_screen_file *file, uint64_t first, const cm_screen_chunk *chunk, cm_error *error);
/* NULL: no operation. */
void cm_screen_file_close(cm_screen_file *file);

/* Whether the directory has such a file. */
bool cm_screen_file_is_there(const char *directory);
/* Removes the file of a complete sweep. */
void cm_screen_file_remove(const char *directory);

#endif
