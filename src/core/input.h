/* Files that are read: regular ones alone. A pipe without a writer would stop the program, and a device may never end.
 */
#ifndef CM_CORE_INPUT_H
#define CM_CORE_INPUT_H

#include <stdio.h>

#include <catmint/error.h>

/* The file `name` of the folder that is open as `folder`, or AT_FDCWD; `flags` are added to open's. -1 with errno:
 * EISDIR for a directory, EINVAL for whatever else is no regular file. */
int cm_input_descriptor(int folder, const char *name, int flags);
/* The same as a stream; NULL with errno. */
FILE *cm_input_stream(const char *path);
/* The same with a message: CM_IO. */
cm_status cm_input_open(const char *path, FILE **stream, cm_error *error);

#endif
