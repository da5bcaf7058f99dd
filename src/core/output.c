#include "core/files.h"

enum { LINE_SIZE = 4096 };

struct cm_output {
    char *path;
    char *aside; /* NULL if the path is written directly, or after the rename */
    FILE *stream;
    int lock; /* of the file aside, until it is renamed */
};

static cm_status cannot_write(const char *path, const char *obstacle, cm_error *error)
{
    return cm_error_io(error, path, obstacle);
}

static mode_t creation_mode(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0)
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Makes the file aside, locked and with the mode that a new file has. */
static cm_status open_aside(cm_output *output, cm_error *error)
{
    static const char suffix[] = ".catmint-XXXXXX";
    size_t length = strlen(output->path);
    output->aside = malloc(length + sizeof suffix);
    if (output->aside == NULL)
        return cm_error_no_memory(error);
    memcpy(output->aside, output->path, length);
    memcpy(output->aside + length, suffix, sizeof suffix);
    int descriptor = cm_temporary_beside(output->aside);
    if (descriptor < 0) {
        free(output->aside);
        output->aside = NULL;
        return cannot_write(output->path, "cannot be written", error);
    }
    output->lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (output->lock >= 0 && fchmod(descriptor, creation_mode(output->path)) == 0)
        output->stream = fdopen(descriptor, "w");
    if (output->stream == NULL) {
        close(descriptor);
        return cannot_write(output->path, "cannot be written", error);
    }
    return CM_OK;
}

/* The number in /dev/stdout, /dev/fd/N or /proc/self/fd/N: a descriptor that is open already. -1 for other paths. */
static int find_descriptor(const char *path)
{
    static const char *const directories[] = {"/proc/self/fd/", "/dev/fd/"};
    char target[64] = "";
    const char *const texts[] = {path, target};
    if (readlink(path, target, sizeof target - 1) < 0)
        target[0] = '\0';
    for (size_t i = 0; i < 4; i++) {
        const char *directory = directories[i / 2], *text = texts[i % 2];
        size_t length = strlen(directory);
        if (strncmp(text, directory, length) == 0 && strlen(text + length) < 6 &&
            text[length + strspn(text + length, "0123456789")] == '\0' && text[length] != '\0')
            return (int)strtol(text + length, NULL, 10);
    }
    return -1;
}

/* Whether the path is a link to a file or to nothing, which is neither replaced nor followed. */
static bool is_refused_link(const char *path)
{
    struct stat link, target;
    return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && (stat(path, &target) != 0 || S_ISREG(target.st_mode));
}

static cm_status refuse_link(const char *path, cm_error *error)
{
    return cm_error_set(error, CM_IO, path, 0, 0,
                        "cannot be written: it is a symbolic link, expected the file itself or another name");
}

/* Opens a device or pipe. A pipe without a reader is refused: a blocking open would wait for one and ignore signals. */
static FILE *open_other(const char *path)
{
    int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = file >= 0 && fcntl(file, F_SETFL, O_WRONLY) == 0 ? fdopen(file, "w") : NULL;
    if (stream == NULL && file >= 0)
        close(file);
    return stream;
}

/* Opens the path directly if it is a descriptor, device or pipe, else the file aside. */
static cm_status open_output(cm_output *output, cm_error *error)
{
    struct stat existing;
    int descriptor = find_descriptor(output->path);
    if (descriptor >= 0) {
        int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        output->stream = copy >= 0 ? fdopen(copy, "w") : NULL;
        if (output->stream == NULL && copy >= 0)
            close(copy);
    } else if (is_refused_link(output->path)) {
        return refuse_link(output->path, error);
    } else if (stat(output->path, &existing) == 0 && !S_ISREG(existing.st_mode)) {
        output->stream = open_other(output->path);
        if (output->stream == NULL && errno == ENXIO && S_ISFIFO(existing.st_mode))
            return cm_error_set(error, CM_IO, output->path, 0, 0,
                                "cannot be written: it is a pipe without a reader, expected a file or a reader");
    } else {
        return open_aside(output, error);
    }
    return output->stream != NULL ? CM_OK : cannot_write(output->path, "cannot be written", error);
}

cm_status cm_output_create(const char *path, cm_output **output, cm_error *error)
{
    cm_output *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->lock = -1;
    created->path = strdup(path);
    cm_status status = created->path != NULL ? open_output(created, error) : cm_error_no_memory(error);
    CM_HAND_OVER(status, output, created, cm_output_free);
    return status;
}

/* Names the kind of a regular file by its first line: a measurement (a table, events.csv, the manifest, the list of
 * events tried together, the journal) or a list of files that a command wrote; NULL: neither. */
static const char *what_it_is(const char *path)
{
    static const char measurements[] = "holds measurements", files[] = "lists files that catmint wrote";
    static const struct {
        const char *begins, *is;
    } heads[] = {{"event,repetition,thread,", measurements},
                 {"event,component,status,", measurements},
                 {"catmint.journal/", measurements},
                 {"{\n  \"schema\": \"catmint.sweep/", measurements},
                 {"{\n  \"schema\": \"catmint.import/", measurements},
                 {"{\n  \"schema\": \"catmint.cores/", measurements},
                 {"{\n  \"schema\": \"catmint.together/", measurements},
                 {"{\n  \"schema\": \"catmint.discover/", files},
                 {"{\n  \"schema\": \"catmint.export/", files},
                 {"{\n  \"schema\": \"catmint.plots/", files},
                 {"{\n  \"schema\": \"catmint.roofline-files/", files},
                 {"{\n  \"schema\": \"catmint.tables/", files}};
    char line[LINE_SIZE], head[64] = "";
    bool within = false; /* of a line longer than `line` */
    FILE *file = cm_input_stream(path);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        size_t length = strlen(head);
        bool left_out = within || line[0] == '#';
        within = strchr(line, '\n') == NULL && left_out;
        if (!left_out)
            snprintf(head + length, sizeof head - length, "%.63s", line);
        if (!left_out && line[0] != '{')
            break;
    }
    const char *found = NULL;
    for (size_t i = 0; i < CM_COUNT_OF(heads) && found == NULL; i++)
        found = strncmp(head, heads[i].begins, strlen(heads[i].begins)) == 0 ? heads[i].is : NULL;
    if (file != NULL)
        fclose(file);
    return found;
}

cm_status cm_output_check(const char *path, cm_error *error)
{
    int descriptor = find_descriptor(path);
    const char *obstacle = descriptor < 0 ? what_it_is(path) : NULL;
    if (obstacle != NULL)
        return cm_error_set(error, CM_IO, path, 0, 0, "it %s, so it is not replaced: expected another name", obstacle);
    struct stat found;
    if (descriptor < 0 && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
        errno = EISDIR;
        return cannot_write(path, "cannot be written", error);
    }
    if (descriptor >= 0 ? fcntl(descriptor, F_GETFD) >= 0 : !is_refused_link(path) && access(path, W_OK) == 0)
        return CM_OK;
    if (descriptor < 0 && is_refused_link(path))
        return refuse_link(path, error);
    if (descriptor >= 0 || errno != ENOENT)
        return cannot_write(path, "cannot be written", error);
    char *directory = strdup(path);
    if (directory == NULL)
        return cm_error_no_memory(error);
    char *slash = strrchr(directory, '/');
    if (slash != NULL)
        slash[slash == directory] = '\0';
    bool writable = access(slash != NULL ? directory : ".", W_OK) == 0;
    int reason = errno;
    free(directory);
    errno = reason;
    return writable ? CM_OK : cannot_write(path, "cannot be written", error);
}

FILE *cm_output_stream(cm_output *output)
{
    return output->stream;
}

/* Flushes all to the disk and closes the stream. */
static cm_status finish_output(cm_output *output, cm_error *error)
{
    bool written = fflush(output->stream) == 0 && ferror(output->stream) == 0;
    if (written && output->aside != NULL)
        written = fsync(fileno(output->stream)) == 0;
    int closing = fclose(output->stream);
    output->stream = NULL;
    return written && closing == 0 ? CM_OK : cannot_write(output->path, "writing failed", error);
}

static void forget_aside(cm_output *output)
{
    free(output->aside);
    output->aside = NULL;
}

cm_status cm_output_commit(cm_output *output, cm_error *error)
{
    cm_status status = finish_output(output, error);
    if (status != CM_OK || output->aside == NULL)
        return status;
    if (rename(output->aside, output->path) != 0)
        return cannot_write(output->path, "cannot be replaced", error);
    forget_aside(output);
    return CM_OK;
}

/* Renames to a name that must be free; false with errno EEXIST if it is not. A link does the same on a file system
 * without such a rename. */
static bool name_new(const char *aside, const char *path)
{
    if (renameat2(AT_FDCWD, aside, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != ENOSYS && errno != EINVAL)
        return false;
    if (link(aside, path) == 0)
        return unlink(aside) == 0;
    struct stat there;
    return errno != EEXIST && lstat(path, &there) != 0 && rename(aside, path) == 0;
}

/* Exchanges both names, so that no other process can change the file between the check and its removal. */
static cm_status exchange_files(cm_output *output, cm_status (*check)(const char *path, cm_error *error),
                                cm_error *error)
{
    bool exchanged = renameat2(AT_FDCWD, output->aside, AT_FDCWD, output->path, RENAME_EXCHANGE) == 0;
    if (!exchanged && errno != ENOSYS && errno != EINVAL)
        return cannot_write(output->path, "cannot be replaced", error);
    cm_status status = check(exchanged ? output->aside : output->path, error);
    if (status == CM_OK)
        return (exchanged ? unlink(output->aside) : rename(output->aside, output->path)) == 0
                   ? CM_OK
                   : cannot_write(output->path, "cannot be replaced", error);
    if (exchanged && renameat2(AT_FDCWD, output->aside, AT_FDCWD, output->path, RENAME_EXCHANGE) != 0)
        forget_aside(output); /* a file of another process, which stays under that name */
    if (error != NULL)
        snprintf(error->file, sizeof error->file, "%s", output->path);
    return status;
}

cm_status cm_output_commit_checked(cm_output *output, cm_status (*check)(const char *path, cm_error *error),
                                   cm_error *error)
{
    cm_status status = finish_output(output, error);
    if (status != CM_OK || output->aside == NULL)
        return status;
    if (!name_new(output->aside, output->path))
        status = errno == EEXIST ? exchange_files(output, check, error)
                                 : cannot_write(output->path, "cannot be written", error);
    if (status == CM_OK)
        forget_aside(output);
    return status;
}

void cm_output_free(cm_output *output)
{
    if (output == NULL)
        return;
    if (output->stream != NULL)
        fclose(output->stream);
    if (output->aside != NULL)
        unlink(output->aside);
    if (output->lock >= 0)
        close(output->lock);
    CM_FREE(output->aside, output->path, output);
}
