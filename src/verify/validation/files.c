/* The files of a directory of measurements that an analysis reads, and that a bundle packs. */
#include "verify/validation/validation.h"

/* Takes ownership of both texts. */
static cm_status add_file(cm_measured_files *files, char *source, char *path, cm_error *error)
{
    char **sources = source != NULL ? cm_grow_by_one(files->sources, files->count, sizeof *sources) : NULL;
    files->sources = sources != NULL ? sources : files->sources;
    char **paths = path != NULL ? cm_grow_by_one(files->paths, files->count, sizeof *paths) : NULL;
    files->paths = paths != NULL ? paths : files->paths;
    if (sources == NULL || paths == NULL) {
        CM_FREE(source, path);
        return cm_error_no_memory(error);
    }
    sources[files->count] = source;
    paths[files->count++] = path;
    return CM_OK;
}

/* Adds a file of the manifest, or one that exists if there is no list. */
static cm_status add_measured_file(cm_measured_files *files, const cm_measured *measured, const char *prefix,
                                   const char *name, cm_error *error)
{
    char *source = NULL;
    bool foreign;
    cm_status status = cm_measured_find(measured, name, &source, &foreign, error);
    return status == CM_OK && source != NULL ? add_file(files, source, cm_path_join(prefix, name, ""), error) : status;
}

/* Without a list of tables: adds those that an analysis looks for. */
static cm_status add_known(cm_measured_files *files, const cm_measured *measured, const char *prefix, cm_error *error)
{
    cm_benchmarks *benchmarks = NULL;
    char *list = NULL, name[256];
    cm_status status = cm_data_path("bases/benchmarks.csv", &list, error);
    CM_THEN(status, cm_benchmarks_load(list, &benchmarks, error));
    CM_THEN(status, add_measured_file(files, measured, prefix, "events.csv", error));
    for (size_t i = 0; status == CM_OK && i < benchmarks->count; i++)
        if ((size_t)snprintf(name, sizeof name, "%s.csv", benchmarks->items[i].name) < sizeof name)
            status = add_measured_file(files, measured, prefix, name, error);
    cm_benchmarks_free(benchmarks);
    free(list);
    return status;
}

/* Adds the manifest and the files that it lists. */
static cm_status add_tables(cm_measured_files *files, const char *directory, const char *prefix, cm_error *error)
{
    cm_measured *measured = NULL;
    cm_status status = cm_measured_open(directory, &measured, error);
    if (status != CM_OK)
        return status;
    const json_t *record = cm_measured_record(measured);
    if (cm_measured_has_manifest(measured))
        status = add_file(files, strdup(cm_measured_manifest(measured)), cm_path_join(prefix, CM_MEASURED_MANIFEST, ""),
                          error);
    if (status == CM_OK && record == NULL)
        status = add_known(files, measured, prefix, error);
    for (size_t i = 0; status == CM_OK && i < cm_record_count(record); i++)
        status = add_measured_file(files, measured, prefix, cm_record_name(record, i), error);
    cm_measured_free(measured);
    return status;
}

/* Does not follow links: catmint makes none. */
static bool is_there(const char *path, mode_t kind)
{
    struct stat found;
    return path != NULL && lstat(path, &found) == 0 && (found.st_mode & S_IFMT) == kind;
}

static cm_status add_plain(cm_measured_files *files, const char *directory, const char *prefix, const char *name,
                           cm_error *error)
{
    char *source = cm_path_join(directory, name, "");
    if (source != NULL && is_there(source, S_IFREG))
        return add_file(files, source, cm_path_join(prefix, name, ""), error);
    bool short_of_memory = source == NULL;
    free(source);
    return short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

/* Lists the tables of one stage of validation, if it was measured. */
static cm_status add_stage(cm_measured_files *files, const char *directory, const char *prefix,
                           cm_validation_stage stage, cm_error *error)
{
    char *place = cm_validation_path(directory, stage),
         *path = cm_path_join(prefix, cm_validation_directory(stage), "");
    cm_status status = place != NULL && path != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && is_there(place, S_IFDIR) && cm_has_manifest(place))
        status = add_tables(files, place, path, error);
    CM_FREE(place, path);
    return status;
}

static cm_status add_sweep(cm_measured_files *files, const char *directory, const char *prefix, cm_error *error)
{
    cm_status status = add_tables(files, directory, prefix, error);
    CM_THEN(status, add_plain(files, directory, prefix, "together.json", error));
    for (int i = 0; status == CM_OK && i < CM_VALIDATION_STAGES; i++)
        status = add_stage(files, directory, prefix, (cm_validation_stage)i, error);
    return status;
}

cm_status cm_measured_files_find(const char *directory, cm_measured_files *files, cm_error *error)
{
    cm_core_type cores[CM_CORE_TYPES];
    size_t count = 0;
    *files = (cm_measured_files){0};
    cm_status status = cm_sweep_cores_read(directory, cores, &count, error);
    CM_THEN(status,
            count != 0 ? add_plain(files, directory, "", "cores.json", error) : add_sweep(files, directory, "", error));
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        char *place = cm_path_join(directory, cores[i].name, "");
        status = place != NULL ? add_sweep(files, place, cores[i].name, error) : cm_error_no_memory(error);
        free(place);
    }
    if (status != CM_OK)
        cm_measured_files_clear(files);
    return status;
}

void cm_measured_files_clear(cm_measured_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        CM_FREE(files->sources[i], files->paths[i]);
    }
    CM_FREE(files->sources, files->paths);
    *files = (cm_measured_files){0};
}

cm_status cm_measured_files_check(const cm_measured_files *files, cm_error *error)
{
    static const char name[] = CM_MEASURED_MANIFEST;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < files->count; i++) {
        const char *path = files->paths[i], *slash = strrchr(path, '/');
        if (strcmp(slash != NULL ? slash + 1 : path, name) == 0)
            status = cm_manifest_check(files->sources[i], path, error);
    }
    return status;
}
