/* Makes directories aside and removes those of killed processes. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base.h"
#include "core/files.h"

enum { TRIES = 8, RANDOM = 6 };

static int open_folder(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Whether the marker still existed when it was locked. */
static bool is_there(int aside, int marker)
{
    struct stat ours, there;
    return fstat(marker, &ours) == 0 && fstatat(aside, CM_FOLDER_MARKER, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
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

int cm_folder_lock_marker(int aside)
{
    return lock_marker(aside, openat(aside, CM_FOLDER_MARKER, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

/* Tries once. Another process may remove the new directory, as one of a killed process, before its marker is locked. */
static bool try_to_make(cm_folder *folder)
{
    memcpy(folder->aside + strlen(folder->aside) - RANDOM, "XXXXXX", RANDOM);
    if (mkdtemp(folder->aside) == NULL)
        return false;
    folder->aside_descriptor = open_folder(folder->descriptor, strrchr(folder->aside, '/') + 1);
    if (folder->aside_descriptor >= 0)
        folder->marker =
            lock_marker(folder->aside_descriptor, openat(folder->aside_descriptor, CM_FOLDER_MARKER,
                                                         O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (folder->marker >= 0)
        return true;
    int reason = errno;
    if (folder->aside_descriptor >= 0) {
        unlinkat(folder->aside_descriptor, CM_FOLDER_MARKER, 0);
        close(folder->aside_descriptor);
        folder->aside_descriptor = -1;
    }
    rmdir(folder->aside);
    errno = reason;
    return false;
}

cm_status cm_folder_make_aside(cm_folder *folder, cm_error *error)
{
    char name[CM_FOLDER_NAME_SIZE];
    snprintf(name, sizeof name, "%sXXXXXX", folder->kind->prefix);
    folder->aside = cm_path_join(folder->path, name, "");
    if (folder->aside == NULL)
        return cm_error_no_memory(error);
    for (int i = 0; i < TRIES; i++) {
        if (try_to_make(folder))
            return CM_OK;
        if (errno != ENOENT && errno != EWOULDBLOCK)
            break;
    }
    cm_status status = cm_error_io(error, folder->path, "the directory cannot be written to");
    free(folder->aside);
    folder->aside = NULL;
    return status;
}

/* ---- directories of killed processes ---- */

/* Whether the name is one of a directory aside. A decided commit's is as long, but is finished and never removed. */
static bool has_our_name(const cm_folder *folder, const char *name)
{
    char commit[CM_FOLDER_NAME_SIZE];
    size_t length = strlen(folder->kind->prefix);
    cm_folder_commit_name(folder, commit);
    if (strncmp(name, folder->kind->prefix, length) != 0 || strlen(name + length) != RANDOM ||
        strcmp(name, commit) == 0)
        return false;
    for (const char *c = name + length; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c))
            return false;
    return folder->aside == NULL || strcmp(strrchr(folder->aside, '/') + 1, name) != 0;
}

/* Removes plain files, since catmint writes nothing else there. */
static void remove_files(int aside)
{
    int copy = open_folder(aside, ".");
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list == NULL && copy >= 0)
        close(copy);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        struct stat status;
        if (strcmp(entry->d_name, CM_FOLDER_MARKER) != 0 &&
            fstatat(aside, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode))
            unlinkat(aside, entry->d_name, 0);
    }
    if (list != NULL)
        closedir(list);
}

/* Removes the directory of a killed process: without a marker only if it is empty. */
static void remove_left(const cm_folder *folder, const char *name)
{
    struct stat status;
    int aside = open_folder(folder->descriptor, name);
    if (aside < 0)
        return;
    bool ours = fstat(aside, &status) == 0 && status.st_uid == geteuid();
    int marker = ours ? cm_folder_lock_marker(aside) : -1;
    bool unmarked = ours && marker < 0 && errno == ENOENT;
    if (marker >= 0) {
        remove_files(aside);
        unlinkat(aside, CM_FOLDER_MARKER, 0);
        close(marker);
    }
    if (marker >= 0 || unmarked)
        unlinkat(folder->descriptor, name, AT_REMOVEDIR);
    close(aside);
}

void cm_folder_clean(const cm_folder *folder)
{
    int copy = open_folder(folder->descriptor, ".");
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list == NULL && copy >= 0)
        close(copy);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        if (has_our_name(folder, entry->d_name))
            remove_left(folder, entry->d_name);
    if (list != NULL)
        closedir(list);
}
