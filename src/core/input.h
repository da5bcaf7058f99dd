/* Opens files to read, regular ones alone: a pipe without a writer would block the program, and a device may never
 * end. */
#ifndef CM_CORE_INPUT_H
#define CM_CORE_INPUT_H

#include <stdio.h>

#include <catmint/error.h>

/* Opens the file `name` of the directory open as `folder`, or AT_FDCWD; `flags` are added to open's. -1 with errno:
 * EISDIR for a directory, EINVAL for anything else that is no regular file. */
int cm_input_descriptor(int folder, const char *name, int flags);
/* The same as a stream; NULL with errno. */
FILE *cm_input_stream(const char *path);
/* The same with a message: CM_IO. */
cm_status cm_input_open(const char *path, FILE **stream, cm_error *error);

#endif
