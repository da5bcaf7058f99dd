#include "tables/tables.h"

#include <limits.h>
#include <sys/file.h>

#include "core/json.h"

static const char manifest_name[] = CM_MEASURED_MANIFEST;
static const char commit_name[] = CM_MEASURED_COMMIT;

struct cm_measured {
    char *directory, *commit; /* paths */
    bool committing;          /* the directory `commit` exists */
    char *manifest;           /* path */
    json_t *record;           /* NULL: there is no manifest, or it lists no files */
    bool unfinished;
};

static bool is_there(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

/* Whether it is a directory and no link, since catmint makes no links. */
static bool is_directory(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool name_journal(const char *directory, char path[PATH_MAX + 1])
{
    int length = snprintf(path, PATH_MAX + 1, "%s/%s", directory, CM_JOURNAL_NAME);
    return length > 0 && length <= PATH_MAX;
}

static int open_journal(const char *directory)
{
    char path[PATH_MAX + 1];
    return name_journal(directory, path) ? cm_input_descriptor(AT_FDCWD, path, O_NOFOLLOW) : -1;
}

bool cm_measured_has_journal(const char *directory)
{
    char begin[sizeof CM_JOURNAL_KIND] = "";
    int file = open_journal(directory);
    bool found = file >= 0 && read(file, begin, sizeof begin - 1) == (ssize_t)(sizeof begin - 1) &&
                 strcmp(begin, CM_JOURNAL_KIND) == 0;
    if (file >= 0)
        close(file);
    return found;
}

static bool mark_journal(const char *directory, cm_file_mark *mark)
{
    char path[PATH_MAX + 1];
    return cm_measured_has_journal(directory) && name_journal(directory, path) &&
           cm_file_mark_read(AT_FDCWD, path, O_NOFOLLOW, mark);
}

/* Whether the existing journal is, byte for byte, that of the sweep of the record. */
static bool ends_journal(const json_t *record, const char *directory)
{
    cm_file_mark written, found;
    return cm_record_parse_entry(json_object_get(record, CM_JOURNAL_NAME), &written) &&
           mark_journal(directory, &found) && cm_same_mark(&written, &found);
}

/* Finds out whether the manifest ends the journal; other errors in it are reported when the directory is opened. */
static cm_status look_at_journal(const char *directory, bool *ended, cm_error *error)
{
    cm_measured *measured = NULL;
    cm_status status = cm_measured_open(directory, &measured, error);
    *ended = status == CM_OK && ends_journal(measured->record, directory);
    if (status == CM_OK)
        cm_measured_free(measured);
    return status == CM_NO_MEMORY ? status : CM_OK;
}

/* ---- writing ---- */

cm_status cm_measured_end_journal(const char *directory, json_t *manifest, cm_error *error)
{
    cm_file_mark mark;
    if (!mark_journal(directory, &mark))
        return CM_OK; /* another process removed it */
    return json_object_set_new(manifest, CM_JOURNAL_NAME, cm_record_entry(CM_JOURNAL_NAME, &mark)) == 0
               ? CM_OK
               : cm_error_no_memory(error);
}

/* The lock, taken first, proves that no sweep is at work; the next one begins a journal of its own. */
void cm_measured_drop_journal(const char *directory)
{
    char path[PATH_MAX + 1];
    bool ended;
    int file = open_journal(directory);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 && look_at_journal(directory, &ended, NULL) == CM_OK &&
        ended && name_journal(directory, path))
        unlink(path);
    if (file >= 0)
        close(file);
}

/* CM_BAD_ARGUMENT if the directory holds an unfinished sweep. */
static cm_status check_no_sweep(const char *directory, cm_error *error)
{
    bool ended = false;
    if (!cm_measured_has_journal(directory))
        return CM_OK;
    cm_status status = look_at_journal(directory, &ended, error);
    if (status != CM_OK || ended)
        return status;
    return cm_error_set(
        error, CM_BAD_ARGUMENT, directory, 0, 0,
        "it is an unfinished sweep: finish it with 'catmint sweep --resume', or name another directory");
}

cm_status cm_measured_begin(const char *directory, const char *const *tables, size_t count, bool sweeps,
                            cm_directory **opened, cm_error *error)
{
    static const cm_directory_kind kind = {.record = manifest_name, .prefix = CM_MEASURED_PREFIX, .writer = "catmint"};
    cm_status status = sweeps ? CM_OK : check_no_sweep(directory, error);
    if (status != CM_OK)
        return status;
    const char **names = malloc((count + 2) * sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = tables[i];
    names[count] = "events.csv";
    names[count + 1] = manifest_name;
    status = cm_directory_open(directory, &kind, names, count + 2, opened, error);
    if (status == CM_OK && !sweeps)
        cm_measured_drop_journal(directory);
    free(names);
    return status;
}

/* ---- reading ---- */

/* Loads the manifest if it lists files. Its own reader reports errors in it. */
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

bool cm_has_manifest(const char *directory)
{
    static const char *const directories[] = {"", commit_name};
    bool found = false;
    for (size_t i = 0; i < 2 && !found; i++) {
        char place[PATH_MAX + 1], path[PATH_MAX + sizeof manifest_name + 1];
        int length = snprintf(place, sizeof place, "%s/%s", directory, directories[i]);
        snprintf(path, sizeof path, "%s/%s", place, manifest_name);
        found = length < 0 || (size_t)length >= sizeof place || (is_there(path) && (i == 0 || is_directory(place)));
    }
    return found;
}

/* Reads the state of a directory. */
static cm_status open_once(const char *directory, cm_measured **measured, cm_error *error)
{
    cm_measured *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    opened->directory = strdup(directory);
    opened->commit = cm_path_join(directory, commit_name, "");
    opened->committing = opened->commit != NULL && is_directory(opened->commit);
    opened->manifest = opened->commit != NULL ? cm_path_join(opened->commit, manifest_name, "") : NULL;
    if (opened->manifest != NULL && !(opened->committing && is_there(opened->manifest))) {
        free(opened->manifest);
        opened->manifest = cm_path_join(directory, manifest_name, "");
    }
    bool complete = opened->directory != NULL && opened->manifest != NULL;
    cm_status status = complete ? load_record(opened, error) : cm_error_no_memory(error);
    opened->unfinished = cm_measured_has_journal(directory) && !ends_journal(opened->record, directory);
    CM_HAND_OVER(status, measured, opened, cm_measured_free);
    return status;
}

cm_status cm_measured_open(const char *directory, cm_measured **measured, cm_error *error)
{
    cm_measured_moment moment;
    cm_measured *opened = NULL;
    cm_status status;
    cm_measured_note(directory, &moment);
    do {
        cm_measured_free(opened);
        opened = NULL;
        status = open_once(directory, &opened, error);
    } while (status != CM_NO_MEMORY && cm_measured_has_moved(directory, &moment));
    if (status == CM_OK)
        *measured = opened;
    return status;
}

void cm_measured_free(cm_measured *measured)
{
    if (measured == NULL)
        return;
    json_decref(measured->record);
    CM_FREE(measured->directory, measured->commit, measured->manifest, measured);
}

CM_GETTER(const char *cm_measured_manifest(const cm_measured *measured), measured->manifest)

bool cm_measured_has_manifest(const cm_measured *measured)
{
    return is_there(measured->manifest);
}

cm_status cm_measured_read_manifest(const char *directory, json_t **manifest, cm_error *error)
{
    cm_measured_moment moment;
    cm_status status;
    cm_measured_note(directory, &moment);
    do {
        cm_measured *measured = NULL;
        json_decref(*manifest);
        *manifest = NULL;
        status = cm_measured_open(directory, &measured, error);
        if (status == CM_OK && cm_measured_has_manifest(measured))
            status = cm_json_load(cm_measured_manifest(measured), JSON_REJECT_DUPLICATES, "the manifest of a sweep",
                                  manifest, error);
        cm_measured_free(measured);
    } while (status != CM_NO_MEMORY && cm_measured_has_moved(directory, &moment));
    return status;
}

CM_GETTER(const json_t *cm_measured_record(const cm_measured *measured), measured->record)

const json_t *cm_measured_incomplete(const cm_measured *measured)
{
    return json_object_get(measured->record, CM_INCOMPLETE_KEY);
}

CM_GETTER(bool cm_measured_is_unfinished(const cm_measured *measured), measured->unfinished)

/* The path of a file: in the directory of an interrupted commit, else in its place. */
static char *locate_file(const cm_measured *measured, const char *name)
{
    char *path = cm_path_join(measured->commit, name, "");
    if (path == NULL || (measured->committing && measured->record != NULL && is_there(path)))
        return path;
    free(path);
    return cm_path_join(measured->directory, name, "");
}

/* CM_BAD_INPUT if the file is not the one that was written. */
static cm_status check_mark(const char *path, const cm_file_mark *written, cm_error *error)
{
    cm_file_mark found;
    struct stat status;
    /* A file of another size is not read, because that may take long. */
    bool other = stat(path, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size != written->bytes;
    if (!other && !cm_file_mark_read(AT_FDCWD, path, 0, &found))
        return cm_error_set(error, errno == EMFILE || errno == ENFILE ? CM_NO_MEMORY : CM_BAD_INPUT, path, 0, 0,
                            "cannot be read, though manifest.json lists it: %s", strerror(errno));
    if (!other && cm_same_mark(&found, written))
        return CM_OK;
    return cm_error_set(
        error, CM_BAD_INPUT, path, 0, 0,
        "it differs from the file that manifest.json lists: it was changed, or belongs to another sweep");
}

cm_status cm_measured_find(const cm_measured *measured, const char *name, char **path, bool *foreign, cm_error *error)
{
    cm_file_mark written;
    bool listed = cm_record_find(measured->record, name, &written);
    char *found = locate_file(measured, name);
    *foreign = false;
    if (found == NULL)
        return cm_error_no_memory(error);
    cm_status status = listed ? check_mark(found, &written, error) : CM_OK;
    bool usable = listed || (measured->record == NULL && is_there(found));
    *foreign = !usable && is_there(found);
    *path = NULL;
    if (status == CM_OK && usable)
        *path = found;
    else
        free(found);
    return status;
}
