#include "counting/add_event.h"

#include <papi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "counting/choose.h"
#include "counting/enumerate.h"
#include "counting/trial.h"
#include "events/spelling.h"

/* PAPI's code, and the component that it is of; -1 where there is no such native event. */
static int find_code(const char *name, int *code)
{
    bool found = PAPI_event_name_to_code(name, code) == PAPI_OK && (*code & (int)PAPI_NATIVE_MASK) != 0;
    return found ? PAPI_get_event_component(*code) : -1;
}

/* PAPI takes the first component that knows a name, unless one is named. */
static bool find_in_component(const cm_counting *counting, const char *name, size_t *component, int *code)
{
    int found = find_code(name, code);
    if (*component != CM_ANY_COMPONENT && found >= 0 && (size_t)found != *component) {
        char prefixed[PAPI_HUGE_STR_LEN];
        int length = snprintf(prefixed, sizeof prefixed, "%s%s%s", counting->components[*component].name,
                              CM_COMPONENT_MARK, name);
        found = length > 0 && (size_t)length < sizeof prefixed ? find_code(prefixed, code) : -1;
    }
    bool right = found >= 0 && (size_t)found < counting->component_count &&
                 (*component == CM_ANY_COMPONENT || (size_t)found == *component);
    if (right)
        *component = (size_t)found;
    return right;
}

static bool is_same_event(const cm_event_record *a, const cm_event_record *b)
{
    return a->component == b->component && (a->code == b->code || strcmp(a->papi_name, b->papi_name) == 0);
}

cm_status cm_counting_add_event(cm_counting *counting, const char *name, size_t component, size_t *event,
                                cm_error *error)
{
    int code = 0;
    size_t index = counting->event_count;
    cm_status status = CM_OK;
    if (find_in_component(counting, name, &component, &code))
        status = cm_enumerate_event(counting, component, code, error);
    if (status != CM_OK)
        return status;
    if (counting->event_count == index)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "PAPI knows no event %.200s", name);
    for (size_t i = 0; i < index; i++) {
        if (!is_same_event(&counting->events[i], &counting->events[index]))
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
    return status == CM_OK && counting->model != NULL ? cm_set_core_aside(counting, first, error) : status;
}

double cm_counting_trial_seconds(const cm_counting *counting)
{
    return counting->tried != 0 ? counting->trial_seconds / (double)counting->tried : 0.0;
}
