#include "counting/raw/raw.h"

enum { LONGEST_NAME = 1024 };

/* Finds the event in the component. Without its name PAPI would return the first match of all components. */
static bool find_in_component(const cm_counting *counting, const char *name, size_t *component, int *code)
{
    int found = cm_source_find_event(name, code);
    if (*component != CM_ANY_COMPONENT && found >= 0 && (size_t)found != *component) {
        char prefixed[LONGEST_NAME];
        int length = snprintf(prefixed, sizeof prefixed, "%s%s%s", counting->components[*component].name,
                              CM_COMPONENT_MARK, name);
        found = length > 0 && (size_t)length < sizeof prefixed ? cm_source_find_event(prefixed, code) : -1;
    }
    bool right = found >= 0 && (size_t)found < counting->component_count &&
                 (*component == CM_ANY_COMPONENT || (size_t)found == *component);
    if (right)
        *component = (size_t)found;
    return right;
}

cm_status cm_counting_add_event(cm_counting *counting, const char *name, size_t component, size_t *event,
                                cm_error *error)
{
    int code = 0;
    size_t index = counting->event_count;
    cm_status status = CM_OK;
    cm_raw_code raw;
    if (counting->raw != NULL && cm_raw_name_parse(counting->raw->devices, counting->raw->device_count, name, &raw))
        return cm_raw_add_event(counting, &raw, NULL, event, error);
    if (find_in_component(counting, name, &component, &code))
        status = cm_enumerate_event(counting, component, code, name, error);
    if (status != CM_OK)
        return status;
    if (counting->event_count == index)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s knows no event %.200s", cm_source_name, name);
    for (size_t i = 0; i < index; i++) {
        const cm_event_record *one = &counting->events[i], *other = &counting->events[index];
        if (one->component != other->component ||
            (one->code != other->code && strcmp(one->papi_name, other->papi_name) != 0))
            continue;
        counting->event_count = index;
        *event = i;
        return CM_OK;
    }
    *event = index;
    counting->components[component].event_count++;
    return CM_OK;
}

cm_status cm_counting_try_added(cm_counting *counting, size_t first, cm_error *error)
{
    cm_status status = cm_try_events(counting, first, error);
    return status == CM_OK && counting->model != NULL ? cm_make_core_uncountable(counting, first, error) : status;
}

double cm_counting_trial_seconds(const cm_counting *counting)
{
    return counting->tried != 0 ? counting->trial_seconds / (double)counting->tried : 0.0;
}
