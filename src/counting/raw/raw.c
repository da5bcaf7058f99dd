/* The component of events by code. */
#include "counting/raw/raw.h"

#include <catmint/data_path.h>

/* Keeps only the device of the session's cores. */
static void keep_device(struct cm_raw *raw, const char *name)
{
    size_t kept = 0;
    for (size_t i = 0; i < raw->device_count; i++)
        if (strcmp(raw->devices[i].name, name) == 0)
            raw->devices[kept++] = raw->devices[i];
    raw->device_count = kept;
}

/* Finds the devices: the model's, or those of this machine. */
static cm_status find_devices(cm_counting *counting, const char *root, struct cm_raw *raw, cm_error *error)
{
    const cm_model_codes *codes = counting->model != NULL ? cm_pmu_model_codes(counting->model) : NULL;
    if (codes != NULL) {
        raw->devices[0] = cm_raw_model_device(codes->events->code_parts);
        raw->device_count = 1;
        if (counting->core.name[0] != '\0' && strlen(counting->core.name) < sizeof raw->devices[0].name)
            strcpy(raw->devices[0].name, counting->core.name);
        return CM_OK;
    }
    if (counting->model != NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "%s answers to names, not to codes: expected a model in coded form, such as --pmu "
                       "software:golden-cove-coded",
                       counting->pmu);
    cm_status status = cm_raw_devices_read(root != NULL ? root : "", raw->devices, &raw->device_count, error);
    if (status == CM_OK && counting->core.name[0] != '\0')
        keep_device(raw, counting->core.name);
    if (status == CM_OK && raw->device_count == 0)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "no core's counters take codes here: %s/sys/bus/event_source/devices has no format of them",
                       root != NULL ? root : "");
    return status;
}

/* Reads the codes that must not be counted on this machine; a model has none. */
static cm_status read_unsafe(const cm_counting *counting, struct cm_raw *raw, cm_error *error)
{
    char *path = NULL;
    if (counting->model != NULL)
        return CM_OK;
    cm_status status = cm_data_path("data/unsafe-codes.csv", &path, error);
    CM_THEN(status, cm_unsafe_codes_read(path, &counting->machine, &raw->devices[0], &raw->unsafe, error));
    free(path);
    return status;
}

cm_status cm_raw_open(cm_counting *counting, const char *root, cm_error *error)
{
    if (counting->raw != NULL)
        return CM_OK;
    struct cm_raw *raw = calloc(1, sizeof *raw);
    cm_status status = raw != NULL ? find_devices(counting, root, raw, error) : cm_error_no_memory(error);
    CM_THEN(status, read_unsafe(counting, raw, error));
    CM_THEN(status, cm_component_append(counting, CM_RAW_COMPONENT, "Events by code, as perf_event_open takes them",
                                        &raw->component, error));
    if (status == CM_OK)
        counting->raw = raw;
    else
        free(raw);
    return status;
}

void cm_raw_close(cm_counting *counting)
{
    for (size_t i = 0; counting->raw != NULL && i < counting->event_count; i++) {
        free(counting->events[i].raw);
        counting->events[i].raw = NULL;
    }
    free(counting->raw);
}

static cm_status find_listed(const cm_counting *counting, const char *name, size_t *event)
{
    for (size_t i = counting->event_count; i-- > 0;)
        if (counting->events[i].raw != NULL && strcmp(counting->events[i].name, name) == 0) {
            *event = i;
            return CM_OK;
        }
    return CM_UNSUPPORTED;
}

cm_status cm_raw_add_event(cm_counting *counting, const cm_raw_code *code, const char *description, size_t *event,
                           cm_error *error)
{
    char name[CM_RAW_CODE_TEXT];
    struct cm_raw *raw = counting->raw;
    cm_raw_name(raw->devices, code, name);
    if (find_listed(counting, name, event) == CM_OK)
        return CM_OK;
    cm_raw_code *copy = malloc(sizeof *copy);
    cm_event_record *record =
        copy != NULL ? cm_event_append(counting, name, name, description != NULL ? description : "") : NULL;
    if (record == NULL) {
        free(copy);
        return cm_error_no_memory(error);
    }
    *copy = *code;
    record->component = raw->component;
    record->raw = copy;
    counting->components[raw->component].event_count++;
    *event = counting->event_count - 1;
    return CM_OK;
}
