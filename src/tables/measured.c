#include "tables/measured.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/record.h"

static const char manifest_name[] = "manifest.json";
static const char prefix[] = ".sweep-";
static const char commit_name[] = ".sweep-commit";
static const char journal_begin[] = "catmint.journal/";

static char *join(const char *directory, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", directory, name) >= 0 ? path : NULL;
}

static bool is_there(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

bool cm_measured_has_journal(const char *directory)
{
    char begin[sizeof journal_begin] = "", path[PATH_MAX + 1];
    int length = snprintf(path, sizeof path, "%s/journal", directory);
    bool short_enough = length > 0 && (size_t)length < sizeof path;
    int file = short_enough ? open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool found = file >= 0 && read(file, begin, sizeof begin - 1) == (ssize_t)(sizeof begin - 1) &&
                 strcmp(begin, journal_begin) == 0;
    if (file >= 0)
        close(file);
    return found;
}

/* ---- writing ---- */

cm_status cm_measured_begin(const char *directory, const char *const *tables, size_t count, bool sweeps,
                            cm_folder **folder, cm_error *error)
{
    static const cm_folder_kind kind = {.record = manifest_name, .prefix = prefix, .writer = "catmint"};
    if (!sweeps && cm_measured_has_journal(directory))
        return cm_error_set(error, CM_BAD_ARGUMENT, directory, 0, 0,
                            "an unfinished sweep lies there: finish it with 'catmint sweep --resume', or name another "
                            "directory");
    const char **names = malloc((count + 2) * sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = tables[i];
    names[count] = "events.csv";
    names[count + 1] = manifest_name;
    cm_status status = cm_folder_open(directory, &kind, names, count + 2, folder, error);
    free(names);
    return status;
}

/* ---- reading ---- */

struct cm_measured {
    char *directory, *commit; /* paths; the latter's folder may be missing */
    char *manifest;           /* path */
    json_t *record;           /* NULL: there is no manifest, or it lists no files */
    bool unfinished;
};

/* What is wrong with a manifest its own reader says. */
static cm_status load_record(cm_measured *measured, cm_error *error)
{
    json_t *record = cm_record_load(AT_FDCWD, measured->manifest, 0);
    if (record == NULL && errno == ENOMEM)
        return cm_error_no_memory(error);
    if (json_object_get(record, "files") == NULL) {
        json_decref(record);
        return CM_OK;
    }
    measured->record = record;
    if (!cm_record_has_files(record))
        return cm_error_set(error, CM_BAD_INPUT, measured->manifest, 1, 0,
                            "\"files\" is faulty, expected an array of {\"name\", \"bytes\", \"checksum\"}");
    return CM_OK;
}

cm_status cm_measured_open(const char *directory, cm_measured **measured, cm_error *error)
{
    cm_measured *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    opened->directory = strdup(directory);
    opened->commit = join(directory, commit_name);
    opened->manifest = opened->commit != NULL ? join(opened->commit, manifest_name) : NULL;
    if (opened->manifest != NULL && !is_there(opened->manifest)) {
        free(opened->manifest);
        opened->manifest = join(directory, manifest_name);
    }
    opened->unfinished = cm_measured_has_journal(directory);
    bool complete = opened->directory != NULL && opened->manifest != NULL;
    cm_status status = complete ? load_record(opened, error) : cm_error_no_memory(error);
    if (status == CM_OK)
        *measured = opened;
    else
        cm_measured_free(opened);
    return status;
}

void cm_measured_free(cm_measured *measured)
{
    if (measured == NULL)
        return;
    json_decref(measured->record);
    free(measured->directory);
    free(measured->commit);
    free(measured->manifest);
    free(measured);
}

const char *cm_measured_manifest(const cm_measured *measured)
{
    return measured->manifest;
}

bool cm_measured_has_manifest(const cm_measured *measured)
{
    return is_there(measured->manifest);
}

bool cm_measured_is_unfinished(const cm_measured *measured)
{
    return measured->unfinished;
}

/* In the folder of a commit that was interrupted, else in its place. */
static char *locate(const cm_measured *measured, const char *name)
{
    char *path = join(measured->commit, name);
    if (path == NULL || (measured->record != NULL && is_there(path)))
        return path;
    free(path);
    return join(measured->directory, name);
}

static cm_status check(const char *path, const cm_file_mark *written, cm_error *error)
{
    cm_file_mark found;
    if (!cm_file_mark_read(AT_FDCWD, path, 0, &found))
        return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "cannot be read, though manifest.json lists it: %s",
                            strerror(errno));
    if (cm_same_mark(&found, written))
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                        "it is not the file that manifest.json lists: it was changed, or is of another sweep");
}

cm_status cm_measured_find(const cm_measured *measured, const char *name, char **path, bool *foreign, cm_error *error)
{
    cm_file_mark written;
    bool listed = cm_record_find(measured->record, name, &written);
    char *found = locate(measured, name);
    *foreign = false;
    if (found == NULL)
        return cm_error_no_memory(error);
    cm_status status = listed ? check(found, &written, error) : CM_OK;
    bool usable = listed || (measured->record == NULL && is_there(found));
    *foreign = !usable && is_there(found);
    *path = NULL;
    if (status == CM_OK && usable)
        *path = found;
    else
        free(found);
    return status;
}
