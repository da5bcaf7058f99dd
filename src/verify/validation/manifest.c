#include "verify/validation/validation.h"

enum { EVENT, REPETITION, THREAD, COLUMNS };

static cm_status broken(const char *path, const char *problem, const char *key, cm_error *error)
{
    return CM_FAIL(error, CM_BAD_INPUT, "the bundle's '%.200s' was changed: it %s%s", path, problem, key);
}

/* ---- entries about tables ---- */

static cm_status otherwise(const cm_csv *csv, const char *content, cm_error *error)
{
    const char *slash = strrchr(cm_csv_path(csv), '/');
    return CM_FAIL(error, CM_BAD_INPUT, "the bundle's manifest was changed: it has other %s than the table %.100s",
                   content, slash != NULL ? slash + 1 : cm_csv_path(csv));
}

static cm_status hold_kernels(const cm_csv *csv, const json_t *kernels, cm_error *error)
{
    cm_csv_row header = cm_csv_header(csv);
    bool same = header.count == COLUMNS + json_array_size(kernels);
    for (size_t i = 0; same && i < json_array_size(kernels); i++)
        same = strcmp(json_string_value(json_object_get(json_array_get(kernels, i), "kernel")),
                      header.fields[COLUMNS + i]) == 0;
    return same ? CM_OK : otherwise(csv, "kernels", error);
}

/* Fails if the table's iterations are not those of the manifest. */
static cm_status hold_iterations(const cm_csv *csv, const cm_csv_row *row, const json_t *kernels, cm_error *error)
{
    cm_status status = CM_OK;
    bool same = true;
    for (size_t i = 0; status == CM_OK && i < json_array_size(kernels); i++) {
        double iterations = 0.0;
        status = cm_csv_number(csv, row, COLUMNS + i, &iterations, error);
        same = same && iterations == json_number_value(json_object_get(json_array_get(kernels, i), "iterations"));
    }
    return status == CM_OK && !same ? otherwise(csv, "iterations", error) : status;
}

/* Checks that the most repetitions and threads of the rows are the benchmark's. */
static cm_status hold_rows(cm_csv *csv, const json_t *one, cm_error *error)
{
    size_t most[] = {0, 0}, value;
    cm_csv_row row;
    cm_status status = hold_kernels(csv, json_object_get(one, "kernels"), error);
    while (cm_csv_more(csv, &row, &status, error)) {
        if (strcmp(row.fields[EVENT], "iterations") == 0)
            status = hold_iterations(csv, &row, json_object_get(one, "kernels"), error);
        for (size_t i = 0; status == CM_OK && i < 2; i++)
            if ((status = cm_csv_size(csv, &row, i == 0 ? REPETITION : THREAD, &value, error)) == CM_OK)
                most[i] = value + i > most[i] ? value + i : most[i];
    }
    if (status == CM_OK && (json_int_t)most[0] != json_integer_value(json_object_get(one, "repetitions")))
        status = otherwise(csv, "repetitions", error);
    if (status == CM_OK && (json_int_t)most[1] != json_integer_value(json_object_get(one, "threads")))
        status = otherwise(csv, "threads", error);
    return status;
}

/* Checks a table beside the manifest. */
static cm_status hold_table(const char *manifest, const char *name, const json_t *one, cm_error *error)
{
    cm_csv *csv = NULL;
    char *directory = strndup(manifest, strlen(manifest) - strlen(CM_MEASURED_MANIFEST));
    char *path = directory != NULL ? cm_path_join(directory, name, "") : NULL;
    cm_status status = path != NULL ? cm_csv_open(path, &csv, error) : cm_error_no_memory(error);
    CM_THEN(status, hold_rows(csv, one, error));
    cm_csv_close(csv);
    CM_FREE(path, directory);
    return status;
}

/* Checks the manifest's checksum, and its tables. */
static cm_status check_record(const json_t *manifest, const char *file, const char *path, cm_error *error)
{
    const json_t *benchmarks = json_object_get(manifest, "benchmarks");
    cm_file_mark mark;
    cm_status status = CM_OK;
    if (!cm_record_is_sealed(manifest))
        status = errno == ENOMEM ? cm_error_no_memory(error)
                                 : broken(path, "does not have the checksum that it says", "", error);
    for (size_t i = 0; status == CM_OK && i < json_array_size(benchmarks); i++) {
        const json_t *one = json_array_get(benchmarks, i);
        const char *name = json_string_value(json_object_get(one, "file"));
        status = cm_record_find(manifest, name, &mark) ? hold_table(file, name, one, error)
                                                       : broken(path, "does not list the table ", name, error);
    }
    return status;
}

static bool has_member(const json_t *manifest, const char *key)
{
    return json_object_get(manifest, key) != NULL;
}

/* Whether it has the form of a manifest written by hand beside other tables. */
static bool is_foreign(const json_t *manifest)
{
    return json_is_object(json_object_get(manifest, "machine")) && json_is_string(json_object_get(manifest, "pmu")) &&
           json_is_array(json_object_get(manifest, "benchmarks"));
}

cm_status cm_manifest_check(const char *file, const char *path, cm_error *error)
{
    char owner[256];
    json_t *manifest = NULL;
    cm_status status = cm_json_load(file, JSON_REJECT_DUPLICATES, "the manifest of a sweep", &manifest, error);
    if (status != CM_OK)
        return status;
    const char *schema = json_string_value(json_object_get(manifest, "schema"));
    const bool swept = schema != NULL && strcmp(schema, CM_SWEEP_SCHEMA) == 0,
               imported = schema != NULL && strcmp(schema, CM_IMPORT_SCHEMA) == 0,
               written = imported || has_member(manifest, "catmint") || has_member(manifest, "files") ||
                         has_member(manifest, "checksum");
    snprintf(owner, sizeof owner, "the bundle's '%.200s'", path);
    if (!swept && !imported)
        status = broken(path, "has another schema", "", error);
    else if (!written && !is_foreign(manifest))
        status = broken(path, "lacks machine, pmu or benchmarks", "", error);
    else if (written)
        status = cm_json_hold(manifest, imported ? &cm_import_shape : &cm_sweep_shape, owner, error);
    if (status == CM_OK && written)
        status = check_record(manifest, file, path, error);
    json_decref(manifest);
    return status;
}
