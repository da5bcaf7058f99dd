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
    char *path;  /* as the caller named it, for messages */
    char *final; /* where it ends: links resolved */
    char *aside; /* NULL where written to directly, or after the rename */
    FILE *stream;
};

static cm_status failed(const char *path, const char *what, cm_error *error)
{
    return cm_error_io(error, path, what);
}

static mode_t creation_mode(const char *final)
{
    struct stat status;
    if (stat(final, &status) == 0)
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static cm_status open_aside(cm_output *output, cm_error *error)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(output->final);
    output->aside = malloc(length + sizeof suffix);
    if (output->aside == NULL)
        return cm_error_no_memory(error);
    memcpy(output->aside, output->final, length);
    memcpy(output->aside + length, suffix, sizeof suffix);
    int descriptor = mkostemp(output->aside, O_CLOEXEC);
    if (descriptor < 0) {
        free(output->aside);
        output->aside = NULL;
        return failed(output->path, "cannot be written", error);
    }
    if (fchmod(descriptor, creation_mode(output->final)) == 0)
        output->stream = fdopen(descriptor, "w");
    if (output->stream == NULL) {
        close(descriptor);
        return failed(output->path, "cannot be written", error);
    }
    return CM_OK;
}

cm_status cm_output_create(const char *path, cm_output **output, cm_error *error)
{
    cm_output *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    char *resolved = realpath(path, NULL);
    created->path = strdup(path);
    created->final = resolved != NULL ? resolved : strdup(path);
    cm_status status = CM_OK;
    struct stat existing;
    if (created->path == NULL || created->final == NULL) {
        status = cm_error_no_memory(error);
    } else if (stat(created->final, &existing) == 0 && !S_ISREG(existing.st_mode)) {
        created->stream = fopen(created->final, "we");
        if (created->stream == NULL)
            status = failed(path, "cannot be written", error);
    } else {
        status = open_aside(created, error);
    }
    if (status != CM_OK) {
        cm_output_free(created);
        return status;
    }
    *output = created;
    return CM_OK;
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
        if (rename(output->aside, output->final) != 0)
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
    free(output->final);
    free(output->path);
    free(output);
}
