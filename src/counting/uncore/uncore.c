/* The component of events that count for a whole socket. */
#include "counting/uncore/uncore.h"

/* ---- the component ---- */

static cm_event_record *append_event(cm_counting *counting, const char *name, const char *description)
{
    cm_event_record *record = cm_event_append(counting, name, name, description);
    if (record == NULL)
        return NULL;
    record->component = counting->uncore->component;
    counting->components[record->component].event_count++;
    return record;
}

/* ---- events of the model ---- */

/* Lists the model's events of a socket. */
static cm_status list_model(cm_counting *counting, cm_error *error)
{
    const cm_pmu_model *model = counting->model;
    for (size_t i = 0; i < cm_pmu_model_uncore_count(model); i++) {
        cm_pmu_event event = cm_pmu_model_uncore_event(model, i);
        cm_event_record *record = append_event(counting, event.name, event.description);
        if (record == NULL)
            return cm_error_no_memory(error);
        record->model_event = i;
    }
    if (counting->components[counting->uncore->component].event_count != 0)
        return CM_OK;
    return CM_FAIL(error, CM_UNSUPPORTED, "%s has no events that count for a socket: the model has no file uncore.csv",
                   counting->pmu);
}

/* ---- events of this machine ---- */

/* Adds the event of a code, unless the session has it. */
static cm_status add_code(cm_counting *counting, const cm_raw_code *code, const char *alias, cm_error *error)
{
    char name[CM_RAW_CODE_TEXT];
    cm_raw_name(counting->uncore->formats, code, name);
    for (size_t i = 0; i < counting->event_count; i++)
        if (strcmp(counting->events[i].name, name) == 0)
            return CM_OK;
    cm_raw_code *copy = malloc(sizeof *copy);
    cm_event_record *record = copy != NULL ? append_event(counting, name, alias) : NULL;
    if (record == NULL) {
        free(copy);
        return cm_error_no_memory(error);
    }
    *copy = *code;
    record->raw = copy;
    return CM_OK;
}

cm_status cm_uncore_add_named(cm_counting *counting, const char *name, cm_error *error)
{
    const struct cm_uncore *uncore = counting->uncore;
    cm_raw_code code;
    bool known = uncore != NULL && cm_raw_name_parse(uncore->formats, uncore->device_count, name, &code);
    return known ? add_code(counting, &code, "", error) : CM_OK;
}

/* The device whose events are being listed. */
struct listing {
    cm_counting *counting;
    const cm_uncore_device *device;
    const cm_raw_device *format;
};

/* Adds the event of a file of events/, "event=0x04,umask=0x03", by its name; files beside it have scale and unit. */
static cm_status take_file(const char *root, const char *file, void *data, cm_error *error)
{
    const struct listing *listing = data;
    const struct cm_uncore *uncore = listing->counting->uncore;
    char leaf[CM_RAW_LINE + sizeof "events/"], line[CM_RAW_LINE], name[2 * CM_RAW_LINE];
    cm_raw_code code;
    snprintf(leaf, sizeof leaf, "events/%.255s", file);
    if (strchr(file, '.') != NULL || !cm_raw_device_line(root, listing->device->first, leaf, line))
        return CM_OK;
    snprintf(name, sizeof name, "%s:%s", listing->format->name, line);
    bool known = cm_raw_name_parse(uncore->formats, uncore->device_count, name, &code);
    return known ? add_code(listing->counting, &code, file, error) : CM_OK;
}

/* Lists the events that this machine's devices name. */
static cm_status list_machine(cm_counting *counting, cm_error *error)
{
    struct cm_uncore *uncore = counting->uncore;
    cm_status status = cm_uncore_devices_read(uncore->root, uncore, error);
    for (size_t i = 0; status == CM_OK && i < uncore->device_count; i++) {
        struct listing listing = {counting, &uncore->devices[i], &uncore->formats[i]};
        status = cm_raw_each_entry(uncore->root, uncore->devices[i].first, "events", take_file, &listing, error);
    }
    if (status == CM_OK && uncore->device_count == 0)
        status =
            CM_FAIL(error, CM_UNSUPPORTED,
                    "no device here counts for a socket: %s/sys/bus/event_source/devices lists none%s", uncore->root,
                    counting->machine.hypervisor
                        ? ", as in most virtual machines: run on the machine itself"
                        : ": load the kernel's drivers of them (intel_uncore, amd_uncore), or boot a newer kernel");
    return status;
}

/* ---- opening ---- */

/* CM_UNSUPPORTED, with a reason, if none of the events is countable. */
static cm_status check_countable(const cm_counting *counting, size_t first, cm_error *error)
{
    for (size_t i = first; i < counting->event_count; i++)
        if (counting->events[i].countable)
            return CM_OK;
    if (first == counting->event_count)
        return CM_OK; /* events will be named later */
    const cm_event_record *event = &counting->events[first];
    return CM_FAIL(error, CM_UNSUPPORTED, "events of the socket cannot be counted here: %s: %s%s%s", event->name,
                   event->reason, event->hint[0] != '\0' ? "; " : "", event->hint);
}

cm_status cm_uncore_open(cm_counting *counting, const char *root, cm_error *error)
{
    if (counting->uncore != NULL)
        return CM_OK;
    size_t first = counting->event_count;
    struct cm_uncore *uncore = calloc(1, sizeof *uncore);
    cm_status status = uncore != NULL ? cm_component_append(counting, CM_UNCORE_COMPONENT,
                                                            "Events that count for a whole socket, all boxes together",
                                                            &uncore->component, error)
                                      : cm_error_no_memory(error);
    if (status != CM_OK) {
        free(uncore);
        return status;
    }
    uncore->root = root != NULL ? root : "";
    counting->uncore = uncore;
    status = counting->model != NULL ? list_model(counting, error) : list_machine(counting, error);
    CM_THEN(status, cm_try_events(counting, first, error));
    return status == CM_OK ? check_countable(counting, first, error) : status;
}

void cm_uncore_close(cm_counting *counting)
{
    for (size_t i = 0; counting->uncore != NULL && i < counting->event_count; i++)
        free(counting->events[i].raw);
    free(counting->uncore);
}
