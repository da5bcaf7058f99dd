/* Reads a whole file as text. */
#ifndef CM_CORE_FILE_TEXT_H
#define CM_CORE_FILE_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>

/* The largest file that is held in memory. The results of a million events have 170 MB. */
enum { CM_FILE_TEXT_LIMIT = 1 << 30 };

/* `text`, which the caller frees with free(), has a NUL behind its `size` bytes. CM_IO if the file is no regular one,
 * or cannot be read; CM_BAD_INPUT if it has more than CM_FILE_TEXT_LIMIT bytes. */
cm_status cm_file_text_read(const char *path, char **text, size_t *size, cm_error *error);
/* Reads the rest of a stream, which messages call `path`. */
cm_status cm_stream_text_read(FILE *stream, const char *path, char **text, size_t *size, cm_error *error);

#endif
