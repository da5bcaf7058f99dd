/* Detects that a directory of measurements is replaced while it is read. */
#include <limits.h>
#include <sys/file.h>

#include "tables/tables.h"

/* A commit takes a few milliseconds. */
enum { MOST_MOVES = 16, WAITS = 100, WAIT_NANOSECONDS = 20000000 };

static bool look_at_file(const char *directory, const char *name, struct stat *found)
{
    char path[PATH_MAX + 1];
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    return length > 0 && length <= PATH_MAX && stat(path, found) == 0;
}

void cm_measured_note(const char *directory, cm_measured_moment *moment)
{
    struct stat found = {0};
    bool waits = look_at_file(directory, CM_MEASURED_COMMIT "/" CM_MEASURED_MANIFEST, &found);
    if (!waits && !look_at_file(directory, CM_MEASURED_MANIFEST, &found))
        found = (struct stat){0};
    *moment = (cm_measured_moment){.device = found.st_dev,
                                   .inode = found.st_ino,
                                   .changed = found.st_mtim,
                                   .committing = look_at_file(directory, CM_MEASURED_COMMIT, &found)};
}

/* Whether the process of the commit is moving its files now: it has locked the directory's marker. */
static bool is_at_work(const char *directory)
{
    char path[PATH_MAX + 1];
    int length = snprintf(path, sizeof path, "%s/" CM_MEASURED_COMMIT "/" CM_DIRECTORY_MARKER, directory);
    int marker = length > 0 && length <= PATH_MAX ? cm_input_descriptor(AT_FDCWD, path, O_NOFOLLOW) : -1;
    bool locked = marker >= 0 && flock(marker, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (marker >= 0)
        close(marker);
    return locked;
}

bool cm_measured_has_moved(const char *directory, cm_measured_moment *moment)
{
    static const struct timespec pause = {0, WAIT_NANOSECONDS};
    cm_measured_moment now;
    for (int i = 0; i < WAITS && is_at_work(directory); i++)
        nanosleep(&pause, NULL);
    cm_measured_note(directory, &now);
    bool moved = now.device != moment->device || now.inode != moment->inode ||
                 now.changed.tv_sec != moment->changed.tv_sec || now.changed.tv_nsec != moment->changed.tv_nsec ||
                 now.committing != moment->committing;
    now.moves = moment->moves + 1;
    moved = moved && now.moves <= MOST_MOVES;
    *moment = now;
    return moved;
}
