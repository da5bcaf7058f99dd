#include "core/files.h"

enum { FIRST_SIZE = 1 << 16 };

/* Checked before reading and after: the file may have grown, and files of /proc and /sys have no size. */
static cm_status check_size(size_t size, const char *path, cm_error *error)
{
    return size <= CM_FILE_TEXT_LIMIT
               ? CM_OK
               : cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "too large for such a file, expected at most %d bytes",
                              CM_FILE_TEXT_LIMIT);
}

/* Reads the stream to its end; *text may have been allocated on failure, too. */
static cm_status read_stream(FILE *stream, const char *path, char **text, size_t *size, cm_error *error)
{
    size_t capacity = 0, used = 0;
    struct stat found;
    cm_status status = fstat(fileno(stream), &found) == 0 ? check_size((size_t)found.st_size, path, error) : CM_OK;
    while (status == CM_OK) {
        if (!CM_GROW(*text, used > 0 ? used + 2 : FIRST_SIZE, &capacity))
            return cm_error_no_memory(error);
        size_t got = fread(*text + used, 1, capacity - used - 1, stream);
        used += got;
        if (got == 0)
            break;
        status = check_size(used, path, error);
    }
    if (status != CM_OK)
        return status;
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
    CM_HAND_OVER(status, text, read, free);
    return status;
}

cm_status cm_file_text_read(const char *path, char **text, size_t *size, cm_error *error)
{
    FILE *stream = NULL;
    cm_status status = cm_input_open(path, &stream, error);
    if (status != CM_OK)
        return status;
    status = cm_stream_text_read(stream, path, text, size, error);
    fclose(stream);
    return status;
}
