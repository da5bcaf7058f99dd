/* Makes directories aside and removes those of killed processes. */
#include <dirent.h>
#include <sys/file.h>

#include "core/files.h"

enum { DIRECTORY_TRIES = 8, RANDOM_LETTERS = 6 };

static int open_directory(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Whether the marker still existed when it was locked. */
static bool is_there(int aside, int marker)
{
    struct stat ours, there;
    return fstat(marker, &ours) == 0 && fstatat(aside, CM_DIRECTORY_MARKER, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

/* Locks the marker. An error other than EWOULDBLOCK: no locks in this file system, so this is the only process. */
static int lock_marker(int aside, int marker)
{
    if (marker < 0)
        return -1;
    bool busy = flock(marker, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!busy && is_there(aside, marker))
        return marker;
    close(marker);
    errno = busy ? EWOULDBLOCK : ENOENT;
    return -1;
}

int cm_directory_lock_marker(int aside)
{
    return lock_marker(aside, openat(aside, CM_DIRECTORY_MARKER, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

/* Tries once. Another process may remove the new directory, as one of a killed process, before its marker is locked. */
static bool try_to_make(cm_directory *directory)
{
    memcpy(directory->aside + strlen(directory->aside) - RANDOM_LETTERS, "XXXXXX", RANDOM_LETTERS);
    if (mkdtemp(directory->aside) == NULL)
        return false;
    directory->aside_descriptor = open_directory(directory->descriptor, strrchr(directory->aside, '/') + 1);
    if (directory->aside_descriptor >= 0)
        directory->marker =
            lock_marker(directory->aside_descriptor, openat(directory->aside_descriptor, CM_DIRECTORY_MARKER,
                                                            O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (directory->marker >= 0)
        return true;
    int reason = errno;
    if (directory->aside_descriptor >= 0) {
        unlinkat(directory->aside_descriptor, CM_DIRECTORY_MARKER, 0);
        close(directory->aside_descriptor);
        directory->aside_descriptor = -1;
    }
    rmdir(directory->aside);
    errno = reason;
    return false;
}

cm_status cm_directory_make_aside(cm_directory *directory, cm_error *error)
{
    char name[CM_DIRECTORY_NAME_SIZE];
    snprintf(name, sizeof name, "%sXXXXXX", directory->kind->prefix);
    directory->aside = cm_path_join(directory->path, name, "");
    if (directory->aside == NULL)
        return cm_error_no_memory(error);
    for (int i = 0; i < DIRECTORY_TRIES; i++) {
        if (try_to_make(directory))
            return CM_OK;
        if (errno != ENOENT && errno != EWOULDBLOCK)
            break;
    }
    cm_status status = cm_error_io(error, directory->path, "the directory cannot be written to");
    free(directory->aside);
    directory->aside = NULL;
    return status;
}

/* ---- directories of killed processes ---- */

/* Whether the name is one of a directory aside. A decided commit's is as long, but is finished and never removed. */
static bool has_our_name(const cm_directory *directory, const char *name)
{
    char commit[CM_DIRECTORY_NAME_SIZE];
    size_t length = strlen(directory->kind->prefix);
    cm_directory_commit_name(directory, commit);
    if (strncmp(name, directory->kind->prefix, length) != 0 || strlen(name + length) != RANDOM_LETTERS ||
        strcmp(name, commit) == 0)
        return false;
    for (const char *c = name + length; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c))
            return false;
    return directory->aside == NULL || strcmp(strrchr(directory->aside, '/') + 1, name) != 0;
}

/* Removes plain files, since catmint writes nothing else there. */
static void remove_files(int aside)
{
    int copy = open_directory(aside, ".");
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list == NULL && copy >= 0)
        close(copy);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        struct stat status;
        if (strcmp(entry->d_name, CM_DIRECTORY_MARKER) != 0 &&
            fstatat(aside, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode))
            unlinkat(aside, entry->d_name, 0);
    }
    if (list != NULL)
        closedir(list);
}

/* Removes the directory of a killed process: without a marker only if it is empty. */
static void remove_abandoned_directory(const cm_directory *directory, const char *name)
{
    struct stat status;
    int aside = open_directory(directory->descriptor, name);
    if (aside < 0)
        return;
    bool ours = fstat(aside, &status) == 0 && status.st_uid == geteuid();
    int marker = ours ? cm_directory_lock_marker(aside) : -1;
    bool unmarked = ours && marker < 0 && errno == ENOENT;
    if (marker >= 0) {
        remove_files(aside);
        unlinkat(aside, CM_DIRECTORY_MARKER, 0);
        close(marker);
    }
    if (marker >= 0 || unmarked)
        unlinkat(directory->descriptor, name, AT_REMOVEDIR);
    close(aside);
}

void cm_directory_clean(const cm_directory *directory)
{
    int copy = open_directory(directory->descriptor, ".");
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list == NULL && copy >= 0)
        close(copy);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        if (has_our_name(directory, entry->d_name))
            remove_abandoned_directory(directory, entry->d_name);
    if (list != NULL)
        closedir(list);
}
