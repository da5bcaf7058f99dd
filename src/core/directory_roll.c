/* The second half of a commit, after the rename that decides: moves the files into place, at once or after a kill. */
#include <time.h>

#include "core/files.h"

/* A process that is at work takes a few milliseconds for its second half. */
enum { LOCK_TRIES = 100, LOCK_NANOSECONDS = 20000000 };

static bool is_in(int directory, const char *name)
{
    struct stat status;
    return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* ---- forward ---- */

static cm_status move_file(const cm_directory *directory, int commit, const char *name, cm_error *error)
{
    if (renameat(commit, name, directory->descriptor, name) == 0 || errno == ENOENT) /* it was moved before the kill */
        return CM_OK;
    return cm_directory_failure(directory, name, "cannot be replaced", error);
}

/* Removes files that only the earlier record lists, unless they were changed. */
static void remove_earlier(const cm_directory *directory, const json_t *earlier, const json_t *record)
{
    for (size_t i = 0; i < cm_record_count(earlier); i++) {
        const char *name = cm_record_name(earlier, i);
        cm_file_mark written, found;
        if (!cm_record_find(record, name, &found) && cm_record_find(earlier, name, &written) &&
            cm_file_mark_read(directory->descriptor, name, O_NOFOLLOW, &found) && cm_same_mark(&written, &found))
            unlinkat(directory->descriptor, name, 0);
    }
}

static void remove_commit(const cm_directory *directory, int commit)
{
    char name[CM_DIRECTORY_NAME_SIZE];
    cm_directory_commit_name(directory, name);
    unlinkat(commit, CM_DIRECTORY_MARKER, 0);
    unlinkat(directory->descriptor, name, AT_REMOVEDIR);
}

cm_status cm_directory_roll(const cm_directory *directory, int commit, const json_t *record, cm_error *error)
{
    json_t *earlier = NULL;
    cm_status status = cm_directory_read_record(directory, &earlier, error);
    fsync(directory->descriptor);
    for (size_t i = 0; status == CM_OK && i < cm_record_count(record); i++)
        status = move_file(directory, commit, cm_record_name(record, i), error);
    if (status == CM_OK) {
        remove_earlier(directory, earlier, record);
        fsync(directory->descriptor);
        status = move_file(directory, commit, directory->kind->record, error);
    }
    if (status == CM_OK) {
        fsync(directory->descriptor);
        remove_commit(directory, commit);
    }
    json_decref(earlier);
    return status;
}

/* ---- after a kill ---- */

static cm_status is_in_the_way(const cm_directory *directory, const char *problem, cm_error *error)
{
    char name[CM_DIRECTORY_NAME_SIZE], text[256];
    cm_directory_commit_name(directory, name);
    snprintf(text, sizeof text, "%s: move it away, or name another directory", problem);
    errno = 0;
    return cm_directory_failure(directory, name, text, error);
}

/* Checks that nothing was changed since the kill: each file is in one of the two places as it was written, and each
 * file to be replaced is as the earlier record lists it. */
static cm_status check_rest(const cm_directory *directory, int commit, const json_t *record, cm_error *error)
{
    json_t *earlier = NULL;
    cm_status status = cm_directory_read_record(directory, &earlier, error);
    for (size_t i = 0; status == CM_OK && i < cm_record_count(record); i++) {
        const char *name = cm_record_name(record, i);
        bool waits = is_in(commit, name);
        cm_file_mark written, found;
        if (!cm_record_find(record, name, &written) ||
            !cm_file_mark_read(waits ? commit : directory->descriptor, name, O_NOFOLLOW, &found) ||
            !cm_same_mark(&written, &found))
            status = is_in_the_way(
                directory, "catmint was interrupted while it wrote here, and the files were changed since", error);
        else if (waits)
            status = cm_directory_check_file(directory, name, earlier, error);
    }
    json_decref(earlier);
    return status;
}

/* Finishes the commit in the directory open as `commit`. */
static cm_status finish_commit(const cm_directory *directory, int commit, cm_error *error)
{
    if (!is_in(commit, directory->kind->record)) {
        remove_commit(directory, commit); /* all files are in place */
        return CM_OK;
    }
    json_t *record = cm_record_load(commit, directory->kind->record, O_NOFOLLOW);
    cm_status status;
    if (record != NULL && cm_record_is_sealed(record))
        status = check_rest(directory, commit, record, error);
    else if (errno == ENOMEM)
        status = cm_error_no_memory(error);
    else
        status = is_in_the_way(directory, "catmint did not write its files", error);
    CM_THEN(status, cm_directory_roll(directory, commit, record, error));
    json_decref(record);
    return status;
}

static int wait_for_marker(int commit)
{
    static const struct timespec pause = {0, LOCK_NANOSECONDS};
    int marker = -1;
    for (int i = 0; i < LOCK_TRIES && (marker = cm_directory_lock_marker(commit)) < 0 && errno == EWOULDBLOCK; i++)
        nanosleep(&pause, NULL);
    return marker;
}

cm_status cm_directory_recover(const cm_directory *directory, cm_error *error)
{
    char name[CM_DIRECTORY_NAME_SIZE];
    cm_directory_commit_name(directory, name);
    int commit = openat(directory->descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (commit < 0 && errno == ENOENT)
        return CM_OK;
    if (commit < 0)
        return errno == ENOTDIR ? is_in_the_way(directory, "it is a symbolic link, or not a directory", error)
                                : cm_directory_failure(directory, name, "cannot be opened", error);
    cm_status status = CM_OK;
    int marker = wait_for_marker(commit);
    if (marker >= 0)
        status = finish_commit(directory, commit, error);
    else if (errno == EWOULDBLOCK)
        status = cm_error_set(error, CM_BAD_ARGUMENT, directory->path, 0, 0,
                              "another process of catmint is writing into this directory");
    else if (unlinkat(directory->descriptor, name, AT_REMOVEDIR) != 0 && errno != ENOENT)
        status = is_in_the_way(directory, "catmint did not write it", error);
    if (marker >= 0)
        close(marker);
    close(commit);
    return status;
}
