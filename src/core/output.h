/* Output files that are whole or missing: written aside, then renamed over the earlier file. */
#ifndef CM_CORE_OUTPUT_H
#define CM_CORE_OUTPUT_H

#include <stdio.h>

#include <catmint/error.h>
#include <catmint/output.h>

typedef struct cm_output cm_output;

/* Opens the temporary file "<path>.catmint-XXXXXX" beside `path` for writing. An existing path that is no regular file
 * (a device, a pipe, /dev/stdout) is written directly. CM_IO if it cannot be written, as a pipe without a reader, and
 * for a symbolic link to a file or to nothing: neither the link nor its target is replaced. */
cm_status cm_output_create(const char *path, cm_output **output, cm_error *error);
FILE *cm_output_stream(cm_output *output);
/* Flushes to the disk and renames. On CM_IO the earlier file is unchanged. Call once, then free. */
cm_status cm_output_commit(cm_output *output, cm_error *error);
/* The same, but a file that `check` refuses is never replaced, even if it appeared meanwhile: the file stays, and the
 * result of `check` is returned. On a file system that can neither exchange names nor refuse to replace one, a file
 * that appears in the last moment is lost. */
cm_status cm_output_commit_checked(cm_output *output, cm_status (*check)(const char *path, cm_error *error),
                                   cm_error *error);
/* Without a commit the unfinished file is removed. NULL: no operation. */
void cm_output_free(cm_output *output);

#endif
