/* The conditions of a sweep, for another that is to count like it. */
#include "sweep/record/record.h"

static char *copy_text(const char *text)
{
    return strdup(text != NULL ? text : "");
}

/* Copies the names of the events. */
static cm_status take_events(const json_t *events, cm_sweep_conditions *conditions, cm_error *error)
{
    conditions->events = calloc(json_array_size(events) + 1, sizeof *conditions->events);
    for (size_t i = 0; conditions->events != NULL && i < json_array_size(events); i++) {
        conditions->events[i] = copy_text(json_string_value(json_array_get(events, i)));
        if (conditions->events[i] == NULL)
            return cm_error_no_memory(error);
        conditions->event_count++;
    }
    return conditions->events != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Takes the conditions from a manifest; CM_BAD_INPUT if it is not a sweep's. */
static cm_status take_manifest(const char *directory, const json_t *manifest, cm_sweep_conditions *conditions,
                               cm_error *error)
{
    const char *schema = json_string_value(json_object_get(manifest, "schema"));
    const char *pmu = json_string_value(json_object_get(manifest, "pmu"));
    json_int_t repetitions = json_integer_value(json_object_get(manifest, "repetitions"));
    const json_t *model = json_object_get(manifest, "model");
    if (schema == NULL || strcmp(schema, CM_SWEEP_SCHEMA) != 0 || pmu == NULL || repetitions < 1)
        return cm_error_set(error, CM_BAD_INPUT, directory, 0, 0,
                            "its manifest.json is not that of a sweep, expected the directory of one");
    conditions->pmu = copy_text(pmu);
    conditions->repetitions = (size_t)repetitions;
    conditions->model = copy_text(json_string_value(json_object_get(model, "checksum")));
    conditions->core = copy_text(json_string_value(json_object_get(manifest, "core")));
    cm_status status = take_events(json_object_get(json_object_get(manifest, "options"), "events"), conditions, error);
    return conditions->pmu != NULL && conditions->model != NULL && conditions->core != NULL ? status
                                                                                            : cm_error_no_memory(error);
}

cm_status cm_sweep_conditions_read(const char *directory, cm_sweep_conditions *conditions, cm_error *error)
{
    json_t *manifest = NULL;
    *conditions = (cm_sweep_conditions){0};
    cm_status status = cm_measured_read_manifest(directory, &manifest, error);
    if (status == CM_OK && manifest == NULL)
        status = cm_error_set(error, CM_BAD_INPUT, directory, 0, 0,
                              "holds no manifest.json, expected the directory of a complete sweep");
    CM_THEN(status, take_manifest(directory, manifest, conditions, error));
    if (status != CM_OK)
        cm_sweep_conditions_clear(conditions);
    json_decref(manifest);
    return status;
}

void cm_sweep_conditions_clear(cm_sweep_conditions *conditions)
{
    CM_FREE(conditions->pmu, conditions->model, conditions->core);
    cm_free_list(conditions->events, conditions->event_count);
    *conditions = (cm_sweep_conditions){0};
}

/* A fit on one PMU proves nothing about another. */
cm_status cm_sweep_check_pmu(const cm_counting *counting, const char *directory, cm_error *error)
{
    cm_sweep_conditions conditions;
    cm_status status = cm_sweep_conditions_read(directory, &conditions, error);
    if (status != CM_OK)
        return status;
    const cm_pmu_model *model = cm_counting_model(counting);
    char checksum[CM_MODEL_CHECKSUM_SIZE] = "";
    if (model != NULL)
        cm_sweep_model_checksum(model, checksum);
    if (strcmp(conditions.pmu, cm_counting_pmu(counting)) != 0)
        status = CM_FAIL(error, CM_BAD_ARGUMENT, "%s was counted on the PMU %s, this is %s", directory, conditions.pmu,
                         cm_counting_pmu(counting));
    else if (model != NULL && conditions.model[0] != '\0' && strcmp(conditions.model, checksum) != 0)
        status = CM_FAIL(error, CM_BAD_ARGUMENT,
                         "events.csv or machine.csv of the model %s are no longer those that %s was counted with",
                         cm_pmu_model_name(model), directory);
    cm_sweep_conditions_clear(&conditions);
    return status;
}
