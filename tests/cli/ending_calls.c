/* For tests: preloaded (LD_PRELOAD), it ends the process, as SIGKILL does, lets it fail for lack of room, or runs
 * CATMINT_RUN in a shell first, at one of its calls: CATMINT_END_AT, CATMINT_FAIL_AT and CATMINT_RUN_AT are "rename:3",
 * "fsync:2", "unlink:1" or "open:1". rename counts renameat and renameat2, too; open counts files whose path ends with
 * CATMINT_OPENED. With CATMINT_NO_RENAMEAT2 the file system can neither exchange names nor refuse to replace one. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *find(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static int is_at(const char *variable, const char *call, int number)
{
    const char *text = getenv(variable);
    size_t length = strlen(call);
    return text != NULL && strncmp(text, call, length) == 0 && text[length] == ':' && atoi(text + length + 1) == number;
}

/* Whether the call is to fail. */
static int meet(const char *call, int *count)
{
    int number = ++*count;
    if (is_at("CATMINT_RUN_AT", call, number)) {
        unsetenv("LD_PRELOAD");
        if (system(getenv("CATMINT_RUN")) != 0)
            abort();
    }
    if (is_at("CATMINT_END_AT", call, number))
        raise(SIGKILL);
    if (!is_at("CATMINT_FAIL_AT", call, number))
        return 0;
    errno = ENOSPC;
    return 1;
}

static int renames, flushes, removals, opens;

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))(uintptr_t)find("rename");
    return meet("rename", &renames) ? -1 : real(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    int (*real)(int, const char *, int, const char *) =
        (int (*)(int, const char *, int, const char *))(uintptr_t)find("renameat");
    return meet("rename", &renames) ? -1 : real(from_folder, from, to_folder, to);
}

int unlink(const char *path)
{
    int (*real)(const char *) = (int (*)(const char *))(uintptr_t)find("unlink");
    return meet("unlink", &removals) ? -1 : real(path);
}

int fsync(int file)
{
    int (*real)(int) = (int (*)(int))(uintptr_t)find("fsync");
    return meet("fsync", &flushes) ? -1 : real(file);
}

int fdatasync(int file)
{
    int (*real)(int) = (int (*)(int))(uintptr_t)find("fdatasync");
    return meet("fsync", &flushes) ? -1 : real(file);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags)
{
    int (*real)(int, const char *, int, const char *, unsigned int) =
        (int (*)(int, const char *, int, const char *, unsigned int))(uintptr_t)find("renameat2");
    if (meet("rename", &renames))
        return -1;
    if (getenv("CATMINT_NO_RENAMEAT2") == NULL)
        return real(from_folder, from, to_folder, to, flags);
    errno = EINVAL;
    return -1;
}

static void meet_open(const char *path)
{
    const char *end = getenv("CATMINT_OPENED");
    size_t length = strlen(path);
    if (end != NULL && length >= strlen(end) && strcmp(path + length - strlen(end), end) == 0)
        meet("open", &opens);
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *))(uintptr_t)find("fopen");
    meet_open(path);
    return real(path, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    int (*real)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))(uintptr_t)find("openat");
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    meet_open(path);
    return real(folder, path, flags, mode);
}
