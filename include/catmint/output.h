/* Files that the library saves: each is whole, or as it was before. */
#ifndef CATMINT_OUTPUT_H
#define CATMINT_OUTPUT_H

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a file of that path can be written, as far as can be known before the work; call it before long work. Every
 * function that saves one file writes to devices, pipes and /dev/stdout, replaces a regular file as a whole, and
 * refuses a symbolic link to a file or to nothing. This check also refuses the paths of measurements: a table,
 * events.csv, manifest.json, together.json or the journal of a directory. CM_IO with the reason. */
CM_API cm_status cm_output_check(const char *path, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
