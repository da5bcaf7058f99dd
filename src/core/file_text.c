#include "core/file_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/grow.h"

enum { FIRST_SIZE = 1 << 16 };

static cm_status read_stream(FILE *stream, const char *path, char **text, size_t *size, cm_error *error)
{
    size_t capacity = 0, used = 0;
    for (;;) {
        char *larger = cm_grow(*text, used > 0 ? used + 2 : FIRST_SIZE, &capacity, 1);
        if (larger == NULL)
            return cm_error_no_memory(error);
        *text = larger;
        size_t got = fread(*text + used, 1, capacity - used - 1, stream);
        used += got;
        if (got == 0)
            break;
    }
    if (ferror(stream))
        return cm_error_io(error, path, "cannot be read");
    (*text)[used] = '\0';
    *size = used;
    return CM_OK;
}

cm_status cm_stream_text_read(FILE *stream, const char *path, char **text, size_t *size, cm_error *error)
{
    char *read = NULL;
    errno = 0;
    cm_status status = read_stream(stream, path, &read, size, error);
    if (status == CM_OK)
        *text = read;
    else
        free(read);
    return status;
}

cm_status cm_file_text_read(const char *path, char **text, size_t *size, cm_error *error)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return cm_error_io(error, path, "cannot be opened");
    cm_status status = cm_stream_text_read(stream, path, text, size, error);
    fclose(stream);
    return status;
}
