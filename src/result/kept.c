/* Files kept beside measurements: written together, and known by the sweep that they follow from. */
#include <catmint/kept.h>

#include <libgen.h>

#include "verify/validation/validation.h"

#define SCHEMA "catmint.discover/1"
#define RECORD ".catmint-discover"
#define PREFIX ".discover-"

static const cm_directory_kind kept_kind = {RECORD, PREFIX, "an earlier discover"};

/* The checksums of the manifests there, of each type of cores: they distinguish a sweep from the one before. */
static cm_status find_origin(const char *directory, json_t **origin, cm_error *error)
{
    cm_core_type cores[CM_CORE_TYPES];
    size_t count = 0;
    json_t *found = json_array();
    cm_status status = cm_sweep_cores_read(directory, cores, &count, error);
    for (size_t i = 0; status == CM_OK && i < (count != 0 ? count : 1); i++) {
        json_t *one = NULL;
        char *path = cm_path_join(directory, count != 0 ? cores[i].name : ".", "");
        status = path != NULL ? cm_sweep_checksum(path, &one, error) : cm_error_no_memory(error);
        if (status == CM_OK && (found = cm_json_append(found, one)) == NULL)
            status = cm_error_no_memory(error);
        free(path);
    }
    CM_HAND_OVER(status, origin, found, json_decref);
    return status;
}

/* ---- writing ---- */

/* Opens a directory to write exactly these files. */
static cm_status open_directory(const char *directory, const cm_kept_file *files, size_t count, cm_directory **opened,
                                cm_error *error)
{
    const char **names = calloc(count + 1, sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = files[i].name;
    cm_status status = cm_directory_open(directory, &kept_kind, names, count, opened, error);
    free(names);
    return status;
}

/* The directory of a stage, if it is there. */
static cm_status check_stage(const char *directory, cm_validation_stage stage, cm_error *error)
{
    struct stat found;
    char table[64];
    const char *const tables[] = {table};
    cm_directory *opened = NULL;
    char *path = cm_validation_path(directory, stage);
    if (path == NULL)
        return cm_error_no_memory(error);
    snprintf(table, sizeof table, "%s.csv", cm_validation_benchmark(stage));
    cm_status status = CM_OK;
    bool there = lstat(path, &found) == 0;
    if (there && !S_ISDIR(found.st_mode))
        status = cm_error_set(error, CM_IO, path, 0, 0,
                              "it is not a directory, and programs are counted in one of that name: move it away, or "
                              "name another directory");
    else if (there)
        status = cm_measured_begin(path, tables, 1, true, &opened, error);
    cm_directory_free(opened);
    free(path);
    return status;
}

cm_status cm_kept_check(const char *directory, const cm_kept_file *files, size_t count, cm_error *error)
{
    cm_directory *opened = NULL;
    cm_status status = CM_OK;
    if (count != 0)
        status = open_directory(directory, files, count, &opened, error);
    cm_directory_free(opened);
    CM_THEN(status, cm_tried_sets_check(directory, error));
    for (int i = 0; status == CM_OK && i < CM_VALIDATION_STAGES; i++)
        status = check_stage(directory, (cm_validation_stage)i, error);
    return status;
}

cm_status cm_kept_save(const char *directory, const cm_kept_file *files, size_t count, void *data, cm_error *error)
{
    cm_directory *opened = NULL;
    cm_status status = open_directory(directory, files, count, &opened, error);
    if (status == CM_OK)
        cm_directory_clean(opened);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        const char *path = NULL;
        status = cm_directory_file(opened, files[i].name, &path, error);
        CM_THEN(status, files[i].save(path, data, error));
    }
    json_t *origin = NULL;
    CM_THEN(status, find_origin(directory, &origin, error));
    json_t *record = status == CM_OK ? json_pack("{s:s, s:o}", "schema", SCHEMA, "sweep", origin) : NULL;
    return cm_directory_end(opened, status, record, error);
}

/* ---- looking ---- */

/* "a, b and c"; NULL without memory. */
static char *join_names(const json_t *record)
{
    char *text = strdup("");
    for (size_t i = 0, count = cm_record_count(record); i < count && text != NULL; i++) {
        char *more = NULL;
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : " and ";
        if (asprintf(&more, "%s%s%s", text, between, cm_record_name(record, i)) < 0)
            more = NULL;
        free(text);
        text = more;
    }
    return text;
}

/* The record of the directory, NULL if there is none that can be read. *interrupted: it is not yet in its place. */
static json_t *load_record(const char *directory, bool *interrupted)
{
    static const char *const places[] = {PREFIX CM_DIRECTORY_COMMIT "/" RECORD, RECORD};
    json_t *record = NULL;
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; descriptor >= 0 && i < 2 && record == NULL; i++) {
        record = cm_record_load(descriptor, places[i], O_NOFOLLOW);
        *interrupted = i == 0;
    }
    if (descriptor >= 0)
        close(descriptor);
    if (cm_record_has_files(record))
        return record;
    json_decref(record);
    return NULL;
}

/* `only`: the file that is asked for; NULL: all. */
static cm_status look_at_files(const char *directory, const char *only, cm_kept_state *state, char **names,
                               cm_error *error)
{
    cm_file_mark mark;
    bool interrupted = false;
    json_t *record = load_record(directory, &interrupted), *origin = NULL;
    if (record == NULL || (only != NULL && !cm_record_find(record, only, &mark))) {
        json_decref(record);
        return CM_OK;
    }
    cm_status status = find_origin(directory, &origin, NULL);
    if (interrupted)
        *state = CM_KEPT_INTERRUPTED;
    else if (status == CM_OK && !json_equal(json_object_get(record, "sweep"), origin))
        *state = CM_KEPT_EARLIER;
    if (*state != CM_KEPT_CURRENT) {
        *names = only != NULL ? strdup(only) : join_names(record);
        status = *names != NULL ? CM_OK : CM_NO_MEMORY;
    }
    json_decref(record);
    json_decref(origin);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

cm_status cm_kept_look(const char *path, cm_kept_state *state, char **names, cm_error *error)
{
    struct stat found;
    *state = CM_KEPT_CURRENT;
    *names = NULL;
    if (stat(path, &found) != 0)
        return CM_OK;
    if (S_ISDIR(found.st_mode))
        return look_at_files(path, NULL, state, names, error);
    char *directory = strdup(path), *name = strdup(path);
    cm_status status = directory != NULL && name != NULL
                           ? look_at_files(dirname(directory), basename(name), state, names, error)
                           : cm_error_no_memory(error);
    CM_FREE(directory, name);
    return status;
}
