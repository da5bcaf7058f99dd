/* What a sweep says about itself: manifest.json and events.csv. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/grow.h"
#include "core/json_build.h"
#include "discovery/results.h"
#include "tables/measured.h"

cm_status cm_results_read_manifest(cm_results *results, const char *path, cm_error *error)
{
    json_t *manifest = NULL;
    cm_status status = cm_json_load(path, JSON_REJECT_DUPLICATES, "the manifest of a sweep", &manifest, error);
    if (status != CM_OK)
        return status;
    json_t *machine = json_object_get(manifest, "machine");
    const char *pmu = json_string_value(json_object_get(manifest, "pmu"));
    const char *reason = json_string_value(json_object_get(manifest, "pmu_reason"));
    const char *schema = json_string_value(json_object_get(manifest, "schema"));
    if (schema != NULL && strcmp(schema, CM_IMPORT_SCHEMA) == 0) {
        json_decref(manifest);
        return CM_OK; /* what was imported does not say which machine counted it */
    }
    if (!json_is_object(machine))
        status = cm_error_set(error, CM_BAD_INPUT, path, 1, 0, "\"machine\" is missing, expected an object");
    else if (pmu == NULL)
        status = cm_error_set(error, CM_BAD_INPUT, path, 1, 0,
                              "\"pmu\" is missing, expected \"hardware\" or \"software:<model>\"");
    else
        status = cm_results_set_pmu(results, pmu, reason != NULL ? reason : "", error);
    if (status == CM_OK) {
        json_decref(results->machine);
        results->machine = json_incref(machine);
    }
    json_decref(manifest);
    return status;
}

static cm_status find_column(const cm_csv *csv, const char *name, size_t *column, cm_error *error)
{
    cm_csv_row header = cm_csv_header(csv);
    for (*column = 0; *column < header.count; (*column)++)
        if (strcmp(header.fields[*column], name) == 0)
            return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), header.line, 0,
                        "column '%s' is missing, expected event, status and reason", name);
}

/* A column that the file may lack is SIZE_MAX then. */
static size_t column_if_there(const cm_csv *csv, const char *name)
{
    size_t column = 0;
    return find_column(csv, name, &column, NULL) == CM_OK ? column : SIZE_MAX;
}

static cm_status add_unavailable(cm_results *results, const char *event, const char *component, const char *reason,
                                 cm_error *error)
{
    size_t count = results->unavailable_count;
    cm_unavailable_event *grown = cm_grow_by_one(results->unavailable, count, sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    results->unavailable = grown;
    cm_unavailable_event *added = &results->unavailable[count];
    *added = (cm_unavailable_event){strdup(event), strdup(component), strdup(reason)};
    results->unavailable_count++;
    bool whole = added->event != NULL && added->component != NULL && added->reason != NULL;
    return whole ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_results_read_events(cm_results *results, const char *path, cm_error *error)
{
    cm_csv *csv = NULL;
    size_t event, state, reason;
    cm_status status = cm_csv_open(path, &csv, error);
    if (status == CM_OK)
        status = find_column(csv, "event", &event, error);
    if (status == CM_OK)
        status = find_column(csv, "status", &state, error);
    if (status == CM_OK)
        status = find_column(csv, "reason", &reason, error);
    size_t component = status == CM_OK ? column_if_there(csv, "component") : SIZE_MAX;
    while (status == CM_OK) {
        cm_csv_row row;
        bool found = false;
        status = cm_csv_next(csv, &row, &found, error);
        if (status != CM_OK || !found)
            break;
        if (strcmp(row.fields[state], "counted") != 0)
            status = add_unavailable(results, row.fields[event], component != SIZE_MAX ? row.fields[component] : "",
                                     row.fields[reason], error);
    }
    cm_csv_close(csv);
    return status;
}
