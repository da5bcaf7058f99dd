/* What a screening of codes has found so far, on the disk as soon as a chunk is done: a sweep that is resumed goes on
 * behind it, and finds the same classes, which counts of hardware need not give twice.
 *
 * The file `screening` in the sweep's directory, locked while it is open: a line that says what was screened, then
 * records. What follows the last whole record was torn off, and is dropped. */
#ifndef CM_SWEEP_RUN_SCREEN_FILE_H
#define CM_SWEEP_RUN_SCREEN_FILE_H

#include "sweep/run/screen_chunk.h"

typedef struct cm_screen_file cm_screen_file;

/* Opens the file of the sweep's directory. It begins anew unless the sweep is resumed and the same was screened. CM_IO
 * where another file of that name is in the way. */
cm_status cm_screen_file_open(const cm_sweep_state *state, cm_screen_file **file, cm_error *error);
/* Whether the next record is of this chunk, of which `first` is the first code's number; fills its outcomes then. */
bool cm_screen_file_take(cm_screen_file *file, uint64_t first, cm_screen_chunk *chunk);
cm_status cm_screen_file_add(cm_screen_file *file, uint64_t first, const cm_screen_chunk *chunk, cm_error *error);
/* NULL: no operation. */
void cm_screen_file_close(cm_screen_file *file);

/* Whether the directory has such a file. */
bool cm_screen_file_is_there(const char *directory);
/* Once the sweep is complete. */
void cm_screen_file_remove(const char *directory);

#endif
