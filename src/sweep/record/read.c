/* Reads manifest.json and events.csv of a sweep. */
#include "sweep/record/record.h"

/* Whether each item has a benchmark, its number of counted events, and of all. */
static bool are_lacks(const json_t *incomplete)
{
    size_t index;
    json_t *lack;
    bool sound = json_is_array(incomplete);
    json_array_foreach(incomplete, index, lack) sound = sound && json_is_string(json_object_get(lack, "benchmark")) &&
                                                        json_is_integer(json_object_get(lack, "counted")) &&
                                                        json_is_integer(json_object_get(lack, "of"));
    return sound;
}

/* Splits "A, B" into an array. */
static json_t *split_names(const char *names)
{
    json_t *array = json_array();
    const size_t between = strlen(CM_CODE_NAMES_BETWEEN);
    for (const char *end; names != NULL; names = end != NULL ? end + between : NULL) {
        end = strstr(names, CM_CODE_NAMES_BETWEEN);
        array = cm_json_append(array, json_stringn(names, end != NULL ? (size_t)(end - names) : strlen(names)));
    }
    return array;
}

/* Reads the names of codes, by the event that represents their class. */
static cm_status read_code_names(const json_t *manifest, json_t **code_names, cm_error *error)
{
    json_t *classes = json_object_get(json_object_get(manifest, "raw"), "classes"), *class, *found = NULL;
    size_t index;
    if (!json_is_array(classes))
        return CM_OK;
    found = json_object();
    json_array_foreach(classes, index, class)
    {
        const char *event = json_string_value(json_object_get(class, "event")),
                   *names = json_string_value(json_object_get(class, "names"));
        if (event != NULL && names != NULL && names[0] != '\0')
            found = cm_json_set(found, event, split_names(names));
    }
    *code_names = found;
    return found != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Copies the members of a manifest that tell the origin of counts. */
static cm_status copy_origin(const json_t *manifest, const char *pmu, cm_sweep_origin *origin, cm_error *error)
{
    const char *reason = json_string_value(json_object_get(manifest, "pmu_reason"));
    json_t *findings = json_object_get(manifest, "findings"),
           *incomplete = json_object_get(manifest, CM_INCOMPLETE_KEY),
           *not_comparable = json_object_get(manifest, CM_NOT_COMPARABLE_KEY);
    *origin = (cm_sweep_origin){strdup(pmu),
                                strdup(reason != NULL ? reason : ""),
                                json_incref(json_object_get(manifest, "machine")),
                                json_is_array(findings) ? json_incref(findings) : NULL,
                                are_lacks(incomplete) ? json_incref(incomplete) : NULL,
                                (size_t)json_integer_value(json_object_get(manifest, CM_LINE_KEY)),
                                json_is_true(json_object_get(json_object_get(manifest, "options"), "uncore")),
                                (size_t)json_integer_value(json_object_get(manifest, CM_LEVELS_KEY)),
                                json_is_string(not_comparable) ? json_incref(not_comparable) : NULL,
                                NULL,
                                json_is_true(json_object_get(manifest, CM_DETERMINISTIC_KEY))};
    cm_status status = origin->pmu != NULL && origin->pmu_reason != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, read_code_names(manifest, &origin->code_names, error));
    if (status != CM_OK)
        cm_sweep_origin_clear(origin);
    return status;
}

cm_status cm_sweep_origin_read(const char *path, cm_sweep_origin *origin, cm_error *error)
{
    json_t *manifest = NULL;
    *origin = (cm_sweep_origin){0};
    cm_status status = cm_json_load(path, JSON_REJECT_DUPLICATES, "the manifest of a sweep", &manifest, error);
    if (status != CM_OK)
        return status;
    json_t *machine = json_object_get(manifest, "machine");
    const char *pmu = json_string_value(json_object_get(manifest, "pmu"));
    const char *schema = json_string_value(json_object_get(manifest, "schema"));
    bool imported = schema != NULL && strcmp(schema, CM_IMPORT_SCHEMA) == 0; /* `pmu` is a name then */
    if (imported && machine == NULL)
        status = CM_OK; /* such an import does not know the machine that counted */
    else if (!json_is_object(machine))
        status = cm_error_set(error, CM_BAD_INPUT, path, 1, 0, "\"machine\" is missing, expected an object");
    else if (pmu == NULL)
        status = cm_error_set(error, CM_BAD_INPUT, path, 1, 0,
                              "\"pmu\" is missing, expected \"hardware\" or \"software:<model>\"");
    else
        status = copy_origin(manifest, imported ? "hardware" : pmu, origin, error);
    json_decref(manifest);
    return status;
}

void cm_sweep_origin_clear(cm_sweep_origin *origin)
{
    CM_FREE(origin->pmu, origin->pmu_reason);
    json_decref(origin->machine);
    json_decref(origin->findings);
    json_decref(origin->incomplete);
    json_decref(origin->not_comparable);
    json_decref(origin->code_names);
    *origin = (cm_sweep_origin){0};
}

cm_status cm_sweep_checksum(const char *directory, json_t **checksum, cm_error *error)
{
    json_t *manifest = NULL;
    cm_status status = cm_measured_read_manifest(directory, &manifest, error);
    if (status == CM_OK) {
        json_t *own = json_object_get(manifest, "checksum");
        *checksum = own != NULL ? json_incref(own) : json_null();
    }
    json_decref(manifest);
    return status;
}

static cm_status find_column(const cm_csv *csv, const char *name, size_t *column, cm_error *error)
{
    *column = cm_csv_find_column(csv, name);
    if (*column != SIZE_MAX)
        return CM_OK;
    return CM_CSV_FAULT(csv, cm_csv_header(csv).line, error,
                        "column '%s' is missing, expected event, status and reason", name);
}

cm_status cm_sweep_unavailable_read(const char *path, cm_sweep_take_unavailable take, void *data, cm_error *error)
{
    cm_csv *csv = NULL;
    size_t event, state, reason = 0;
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, find_column(csv, "event", &event, error));
    CM_THEN(status, find_column(csv, "status", &state, error));
    CM_THEN(status, find_column(csv, "reason", &reason, error));
    size_t component = status == CM_OK ? cm_csv_find_column(csv, "component") : SIZE_MAX;
    cm_csv_row row;
    while (cm_csv_more(csv, &row, &status, error))
        if (strcmp(row.fields[state], "counted") != 0)
            status = take(row.fields[event], component != SIZE_MAX ? row.fields[component] : "", row.fields[reason],
                          data, error);
    cm_csv_close(csv);
    return status;
}
