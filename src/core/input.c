#include "core/files.h"

/* Without O_NONBLOCK, open would wait for a pipe's writer. */
int cm_input_descriptor(int directory, const char *name, int flags)
{
    int file = openat(directory, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        return file;
    int reason = file < 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    if (file >= 0)
        close(file);
    errno = reason == ENXIO ? EINVAL : reason; /* a socket, or a device that does not exist */
    return -1;
}

FILE *cm_input_stream(const char *path)
{
    int file = cm_input_descriptor(AT_FDCWD, path, 0);
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    if (stream == NULL && file >= 0)
        close(file);
    return stream;
}

cm_status cm_input_open(const char *path, FILE **stream, cm_error *error)
{
    *stream = cm_input_stream(path);
    if (*stream != NULL)
        return CM_OK;
    if (errno != EISDIR && errno != EINVAL)
        return cm_error_io(error, path, "cannot be opened");
    return cm_error_set(error, CM_IO, path, 0, 0, "cannot be read: it is a %s, not a regular file",
                        errno == EISDIR ? "directory" : "pipe, device or socket");
}
