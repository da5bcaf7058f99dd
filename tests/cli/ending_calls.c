/* For tests: preloaded (LD_PRELOAD), it ends the process, as SIGKILL does, or lets it fail for lack of room, at one of
 * its calls: CATMINT_END_AT and CATMINT_FAIL_AT are "rename:3", "fsync:2" or "unlink:1". rename counts renameat, too.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    if (is_at("CATMINT_END_AT", call, number))
        raise(SIGKILL);
    if (!is_at("CATMINT_FAIL_AT", call, number))
        return 0;
    errno = ENOSPC;
    return 1;
}

static int renames, flushes, removals;

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
