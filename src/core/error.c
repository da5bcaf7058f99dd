/* Errors filled and formatted. */
#include "core/base.h"

/* For analyzers they are macros. */
#undef cm_error_set
#undef cm_error_no_memory
#undef cm_error_io

static void copy_end(char *to, size_t size, const char *from)
{
    size_t length = strlen(from);
    if (length >= size)
        from += length - (size - 1);
    while (length >= size && cm_utf8_continues(*from)) /* stays at the start of a character */
        from++;
    memcpy(to, from, strlen(from) + 1);
}

cm_status cm_error_set(cm_error *error, cm_status status, const char *file, size_t line, size_t column,
                       const char *format, ...)
{
    if (error == NULL)
        return status;
    error->status = status;
    copy_end(error->file, sizeof error->file, file != NULL ? file : "");
    error->line = line;
    error->column = column;
    CM_PRINT_ARGUMENTS(cm_text_vprint, error->text, format);
    return status;
}

cm_status cm_error_no_memory(cm_error *error)
{
    return CM_FAIL(error, CM_NO_MEMORY, "out of memory");
}

cm_status cm_error_io(cm_error *error, const char *file, const char *problem)
{
    int reason = errno;
    if (reason == ENOMEM)
        return cm_error_no_memory(error);
    bool short_of_files = reason == EMFILE || reason == ENFILE;
    return cm_error_set(error, short_of_files ? CM_NO_MEMORY : CM_IO, file, 0, 0, "%s: %s", problem,
                        strerror(reason != 0 ? reason : EIO));
}

cm_status cm_error_of_input(cm_status status, cm_error *error)
{
    if (status == CM_IO && error != NULL)
        error->status = CM_BAD_INPUT;
    return status == CM_IO ? CM_BAD_INPUT : status;
}

char *cm_error_format(const cm_error *error, char *buffer, size_t size)
{
    char location[64] = "", file[6 * CM_ERROR_FILE_SIZE];
    if (error->line != 0 && error->column != 0)
        snprintf(location, sizeof location, "%zu:%zu: ", error->line, error->column);
    else if (error->line != 0)
        snprintf(location, sizeof location, "%zu: ", error->line);
    if (error->file[0] != '\0')
        snprintf(buffer, size, "%s:%s%s%s", cm_text_show(error->file, file, sizeof file),
                 location[0] != '\0' ? "" : " ", location, error->text);
    else
        snprintf(buffer, size, "%s%s", location, error->text);
    return buffer;
}

const char *cm_status_text(cm_status status)
{
    switch (status) {
    case CM_OK: return "done";
    case CM_BAD_ARGUMENT: return "bad argument";
    case CM_BAD_INPUT: return "bad input";
    case CM_UNSUPPORTED: return "not possible on this machine";
    case CM_NO_MEMORY: return "out of memory";
    case CM_IO: return "input or output failed";
    case CM_INTERRUPTED: return "interrupted";
    }
    return "unknown status";
}
