#include "core/temporary.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_DIRECTORIES = 8, RANDOM = 6, TRIES = 8 };

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

int cm_temporary_remove(const char *path)
{
    return nftw(path, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* ---- what was left ---- */

static bool is_still_there(int descriptor, const char *path)
{
    struct stat ours, there;
    return fstat(descriptor, &ours) == 0 && lstat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

/* The user's own file or folder, which nobody else may read, at a path of ours. */
static bool is_ours(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && status.st_uid == geteuid() &&
           (S_ISREG(status.st_mode) || (S_ISDIR(status.st_mode) && (status.st_mode & 077) == 0));
}

static void remove_if_left(const char *path)
{
    int descriptor = is_ours(path) ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (descriptor < 0)
        return;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_still_there(descriptor, path))
        cm_temporary_remove(path);
    close(descriptor);
}

/* Whether the name is the other one but for what is random in it. */
static bool is_such_a_name(const char *name, const char *such)
{
    size_t length = strlen(such);
    if (strlen(name) != length || strncmp(name, such, length - RANDOM) != 0)
        return false;
    for (const char *c = name + length - RANDOM; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c))
            return false;
    return true;
}

static void remove_left(const char *path)
{
    const char *slash = strrchr(path, '/'), *such = slash != NULL ? slash + 1 : path;
    char *folder = strndup(path, (size_t)(such - path));
    DIR *opened = folder != NULL ? opendir(folder[0] != '\0' ? folder : ".") : NULL;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        char *left = NULL;
        if (!is_such_a_name(entry->d_name, such) || asprintf(&left, "%s%s", folder, entry->d_name) < 0)
            continue;
        remove_if_left(left);
        free(left);
    }
    if (opened != NULL)
        closedir(opened);
    free(folder);
}

/* ---- making ---- */

static int make_once(char *path, bool folder)
{
    memcpy(path + strlen(path) - RANDOM, "XXXXXX", RANDOM);
    if (!folder)
        return mkostemp(path, O_CLOEXEC);
    if (mkdtemp(path) == NULL)
        return -1;
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT)
        errno = EAGAIN;
    return descriptor;
}

/* A process that takes it for one that was left removes it before it is opened or locked; then there is a next one. A
 * file system without locks says something else than EWOULDBLOCK, and there nobody removes it. */
static int make(char *path, bool folder)
{
    remove_left(path);
    for (int i = 0; i < TRIES; i++) {
        int descriptor = make_once(path, folder);
        if (descriptor < 0 && errno == EAGAIN)
            continue;
        bool busy = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (descriptor < 0 || (!busy && is_still_there(descriptor, path)))
            return descriptor;
        close(descriptor);
    }
    errno = EAGAIN;
    return -1;
}

static int make_in_temporary(char path[CM_TEMPORARY_SIZE], bool folder)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(path, CM_TEMPORARY_SIZE, "%s/catmint-run-XXXXXX",
                          parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (length < CM_TEMPORARY_SIZE)
        return make(path, folder);
    errno = ENAMETOOLONG;
    return -1;
}

int cm_temporary_folder(char path[CM_TEMPORARY_SIZE])
{
    return make_in_temporary(path, true);
}

int cm_temporary_file(char path[CM_TEMPORARY_SIZE])
{
    return make_in_temporary(path, false);
}

int cm_temporary_beside(char *path)
{
    return make(path, false);
}
