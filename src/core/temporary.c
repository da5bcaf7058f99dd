/* Temporary files and directories. Another process removes those of a killed one, which are no longer locked. */
#include "core/files.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/random.h>

/* A name ends in RANDOM random characters, and as many computed from these: others' names match only by chance. */
enum { OPEN_DIRECTORIES = 8, RANDOM = 3, ENDING = 2 * RANDOM, TRIES = 8 };

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

/* ---- files of killed processes ---- */

bool cm_file_is_at(int descriptor, const char *path)
{
    struct stat ours, there;
    return fstat(descriptor, &ours) == 0 && lstat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

/* Whether a file or directory is the user's own, and private. */
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
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && cm_file_is_at(descriptor, path))
        cm_temporary_remove(path);
    close(descriptor);
}

static void write_digits(uint64_t number, char *digits)
{
    static const char all[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    for (int i = 0; i < RANDOM; i++, number /= sizeof all - 1)
        digits[i] = all[number % (sizeof all - 1)];
}

/* Computes the proof from the random characters. */
static void find_proof(const char *random, char *proof)
{
    write_digits(cm_checksum(CM_CHECKSUM_START, random, RANDOM), proof);
}

/* Whether the name is one that catmint made from the template `such`. */
static bool is_such_a_name(const char *name, const char *such)
{
    size_t length = strlen(such), before = length - ENDING;
    char proof[RANDOM];
    if (strlen(name) != length || strncmp(name, such, before) != 0)
        return false;
    find_proof(name + before, proof);
    return memcmp(name + before + RANDOM, proof, RANDOM) == 0;
}

/* Removes the files and directories of the same name that killed processes have left. */
static void remove_abandoned_files(const char *path)
{
    const char *slash = strrchr(path, '/'), *such = slash != NULL ? slash + 1 : path;
    char *directory = strndup(path, (size_t)(such - path));
    DIR *opened = directory != NULL ? opendir(directory[0] != '\0' ? directory : ".") : NULL;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        char *left = NULL;
        if (!is_such_a_name(entry->d_name, such) || asprintf(&left, "%s%s", directory, entry->d_name) < 0)
            continue;
        remove_if_left(left);
        free(left);
    }
    if (opened != NULL)
        closedir(opened);
    free(directory);
}

/* ---- making ---- */

/* Makes a file or directory by a random name; -1 with EAGAIN if that was taken, or another process has removed it. */
static int make_once(char *path, bool directory)
{
    char *ending = path + strlen(path) - ENDING;
    uint32_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        return -1;
    write_digits(random, ending);
    find_proof(ending, ending + RANDOM);
    bool made = !directory || mkdir(path, 0700) == 0;
    int flags = directory ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_EXCL;
    int descriptor = made ? open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    bool again = descriptor < 0 && (errno == EEXIST || (directory && made && errno == ENOENT));
    errno = again ? EAGAIN : errno;
    return descriptor;
}

/* Tries several names. Another process may think the new file was left by a killed one and remove it before this one
 * locks it. Returns the descriptor, or -1 with errno. A file system without locks fails with another error than
 * EWOULDBLOCK, and there no process removes the file. */
static int make_file(char *path, bool directory)
{
    remove_abandoned_files(path);
    for (int i = 0; i < TRIES; i++) {
        int descriptor = make_once(path, directory);
        if (descriptor < 0 && errno == EAGAIN)
            continue;
        bool busy = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (descriptor < 0 || (!busy && cm_file_is_at(descriptor, path)))
            return descriptor;
        close(descriptor);
    }
    errno = EAGAIN;
    return -1;
}

static int make_in_temporary(char path[CM_TEMPORARY_SIZE], bool directory)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(path, CM_TEMPORARY_SIZE, "%s/catmint-run-XXXXXX",
                          parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (length < CM_TEMPORARY_SIZE)
        return make_file(path, directory);
    errno = ENAMETOOLONG;
    return -1;
}

int cm_temporary_directory(char path[CM_TEMPORARY_SIZE])
{
    return make_in_temporary(path, true);
}

int cm_temporary_file(char path[CM_TEMPORARY_SIZE])
{
    return make_in_temporary(path, false);
}

int cm_temporary_beside(char *path)
{
    return make_file(path, false);
}
