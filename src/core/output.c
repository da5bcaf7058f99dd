#include "core/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

struct cm_output {
    char *path;
    char *aside; /* NULL where written to directly, or after the rename */
    FILE *stream;
};

static cm_status failed(const char *path, const char *what, cm_error *error)
{
    return cm_error_io(error, path, what);
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

static cm_status open_aside(cm_output *output, cm_error *error)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(output->path);
    output->aside = malloc(length + sizeof suffix);
    if (output->aside == NULL)
        return cm_error_no_memory(error);
    memcpy(output->aside, output->path, length);
    memcpy(output->aside + length, suffix, sizeof suffix);
    int descriptor = mkostemp(output->aside, O_CLOEXEC);
    if (descriptor < 0) {
        free(output->aside);
        output->aside = NULL;
        return failed(output->path, "cannot be written", error);
    }
    if (fchmod(descriptor, creation_mode(output->path)) == 0)
        output->stream = fdopen(descriptor, "w");
    if (output->stream == NULL) {
        close(descriptor);
        return failed(output->path, "cannot be written", error);
    }
    return CM_OK;
}

/* The number in /dev/stdout, /dev/fd/N or /proc/self/fd/N, -1 for other paths: what these lead to is open already. */
static int find_descriptor(const char *path)
{
    static const char *const folders[] = {"/proc/self/fd/", "/dev/fd/"};
    char target[64] = "";
    const char *const texts[] = {path, target};
    if (readlink(path, target, sizeof target - 1) < 0)
        target[0] = '\0';
    for (size_t i = 0; i < 4; i++) {
        const char *folder = folders[i / 2], *text = texts[i % 2];
        size_t length = strlen(folder);
        if (strncmp(text, folder, length) == 0 && strlen(text + length) < 6 &&
            text[length + strspn(text + length, "0123456789")] == '\0' && text[length] != '\0')
            return (int)strtol(text + length, NULL, 10);
    }
    return -1;
}

/* Whether the path is a link that must not be replaced, and not followed: to a file, or to nothing. */
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
        output->stream = fopen(output->path, "we");
    } else {
        return open_aside(output, error);
    }
    return output->stream != NULL ? CM_OK : failed(output->path, "cannot be written", error);
}

cm_status cm_output_create(const char *path, cm_output **output, cm_error *error)
{
    cm_output *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->path = strdup(path);
    cm_status status = created->path != NULL ? open_output(created, error) : cm_error_no_memory(error);
    if (status != CM_OK) {
        cm_output_free(created);
        return status;
    }
    *output = created;
    return CM_OK;
}

cm_status cm_output_check(const char *path, cm_error *error)
{
    int descriptor = find_descriptor(path);
    if (descriptor >= 0 ? fcntl(descriptor, F_GETFD) >= 0 : !is_refused_link(path) && access(path, W_OK) == 0)
        return CM_OK;
    if (descriptor < 0 && is_refused_link(path))
        return refuse_link(path, error);
    if (descriptor >= 0 || errno != ENOENT)
        return failed(path, "cannot be written", error);
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
    return writable ? CM_OK : failed(path, "cannot be written", error);
}

FILE *cm_output_stream(cm_output *output)
{
    return output->stream;
}

cm_status cm_output_commit(cm_output *output, cm_error *error)
{
    bool written = fflush(output->stream) == 0 && ferror(output->stream) == 0;
    if (written && output->aside != NULL)
        written = fsync(fileno(output->stream)) == 0;
    int closing = fclose(output->stream);
    output->stream = NULL;
    if (!written || closing != 0)
        return failed(output->path, "writing failed", error);
    if (output->aside != NULL) {
        if (rename(output->aside, output->path) != 0)
            return failed(output->path, "cannot be replaced", error);
        free(output->aside);
        output->aside = NULL;
    }
    return CM_OK;
}

void cm_output_free(cm_output *output)
{
    if (output == NULL)
        return;
    if (output->stream != NULL)
        fclose(output->stream);
    if (output->aside != NULL)
        unlink(output->aside);
    free(output->aside);
    free(output->path);
    free(output);
}
