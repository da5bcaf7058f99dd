/* A whole file as text. */
#ifndef CM_CORE_FILE_TEXT_H
#define CM_CORE_FILE_TEXT_H

#include <stddef.h>

#include <catmint/error.h>

/* `text`, to be freed with free(), has a NUL behind its `size` bytes. CM_IO where the file cannot be read. */
cm_status cm_file_text_read(const char *path, char **text, size_t *size, cm_error *error);

#endif
