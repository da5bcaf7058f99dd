/* Output files that are whole or not there: written aside, then renamed over what was there before. */
#ifndef CM_CORE_OUTPUT_H
#define CM_CORE_OUTPUT_H

#include <stdio.h>

#include <catmint/error.h>
#include <catmint/output.h>

typedef struct cm_output cm_output;

/* Opens "<path>.catmint-XXXXXX" beside `path` for writing, a temporary. A path that is there and is no regular file (a
 * device, a pipe, /dev/stdout) is written to directly. CM_IO where it cannot be, as a pipe that nobody reads, and for a
 * symbolic link to a file or to nothing: neither the link nor what it leads to is replaced. */
cm_status cm_output_create(const char *path, cm_output **output, cm_error *error);
FILE *cm_output_stream(cm_output *output);
/* Flushes to the disk and renames. On CM_IO what was there before is still there. Call once, then free. */
cm_status cm_output_commit(cm_output *output, cm_error *error);
/* The same, but nothing takes the place of a file that `check` refuses, whenever that appeared: what it says of the
 * file that was there is returned, and that file stays. On a file system that can neither exchange names nor refuse to
 * replace one, a file that appears within the last moment is lost. */
cm_status cm_output_commit_checked(cm_output *output, cm_status (*check)(const char *path, cm_error *error),
                                   cm_error *error);
/* Without a commit the unfinished file is removed. NULL: no operation. */
void cm_output_free(cm_output *output);

#endif
