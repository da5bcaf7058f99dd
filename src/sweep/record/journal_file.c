#include "sweep/record/record.h"

#include <sys/file.h>

/* After a sweep was killed, its workers may hold the lock until the last of them has ended. */
enum { LOCK_TRIES = 100, LOCK_NANOSECONDS = 20000000 };

int cm_journal_file_open(const char *path, int flags)
{
    int file = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    struct stat status;
    if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode)))
        return file;
    close(file);
    errno = EINVAL;
    return -1;
}

cm_status cm_journal_file_lock(const char *path, FILE **stream, cm_error *error)
{
    static const struct timespec pause = {0, LOCK_NANOSECONDS};
    for (int i = 0; i < LOCK_TRIES; i++) {
        int file = cm_journal_file_open(path, O_RDWR | O_CREAT);
        if (file < 0 && (errno == ELOOP || errno == EINVAL))
            return cm_error_set(error, CM_IO, path, 0, 0,
                                "it is a symbolic link or not a regular file: remove it, or name another directory");
        if (file < 0)
            return cm_error_io(error, path, "it cannot be opened");
        if (flock(file, LOCK_EX | LOCK_NB) == 0 && cm_file_is_at(file, path)) {
            *stream = fdopen(file, "r+");
            if (*stream != NULL)
                return CM_OK;
            cm_status status = cm_error_io(error, path, "it cannot be opened");
            close(file);
            return status;
        }
        close(file);
        nanosleep(&pause, NULL);
    }
    return cm_error_set(error, CM_BAD_ARGUMENT, path, 0, 0, "another sweep is writing into this directory");
}
