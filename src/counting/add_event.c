#include "counting/add_event.h"

#include <papi.h>
#include <string.h>

#include "core/error.h"
#include "counting/choose.h"
#include "counting/enumerate.h"
#include "counting/trial.h"

cm_status cm_counting_add_event(cm_counting *counting, const char *name, size_t *event, cm_error *error)
{
    int code = 0;
    size_t place = counting->event_count;
    int component = PAPI_event_name_to_code(name, &code) == PAPI_OK ? PAPI_get_event_component(code) : -1;
    cm_status status = CM_OK;
    if (component >= 0 && (size_t)component < counting->component_count && (code & (int)PAPI_NATIVE_MASK) != 0)
        status = cm_enumerate_event(counting, (size_t)component, code, error);
    if (status != CM_OK)
        return status;
    if (counting->event_count == place)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "PAPI knows no event %.200s", name);
    for (size_t i = 0; i < place; i++) {
        if (counting->events[i].code != code || counting->events[i].component != (size_t)component)
            continue;
        counting->event_count = place;
        *event = i;
        return CM_OK;
    }
    *event = place;
    counting->components[component].event_count++;
    return CM_OK;
}

cm_status cm_counting_try_added(cm_counting *counting, size_t first, cm_error *error)
{
    cm_status status = cm_try_events(counting, first, error);
    return status == CM_OK && counting->model != NULL ? cm_set_core_aside(counting, first, error) : status;
}

double cm_counting_trial_seconds(const cm_counting *counting)
{
    return counting->tried != 0 ? counting->trial_seconds / (double)counting->tried : 0.0;
}
