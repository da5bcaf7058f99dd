#include <errno.h>
#include <papi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "counting/papi.h"
#include "counting/published.h"
#include "counting/session.h"

struct cm_event_set {
    cm_counting *counting;
    size_t component;
    int papi_set;
    size_t size;
    size_t model_events; /* of them, those of the software PMU's model */
    bool running;
    bool faults[CM_FAULT_SECOND_READ + 1]; /* that its events are to show, for tests */
    size_t reads;
};

/* For tests: what a model declares happens here. */
static cm_status show_fault(const cm_event_set *set, bool starting, cm_error *error)
{
    if (starting && set->faults[CM_FAULT_CRASH]) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    while (starting && set->faults[CM_FAULT_HANG])
        pause();
    if (starting && set->faults[CM_FAULT_REFUSE])
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the model lets an event of the set refuse to start");
    if (!starting && set->faults[CM_FAULT_SECOND_READ] && set->reads > 1)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the model lets an event of the set be read only once");
    return CM_OK;
}

static cm_status refused(const char *what, int code, cm_error *error)
{
    char text[256];
    int system_error = errno;
    return cm_error_set(error, code == PAPI_ENOMEM ? CM_NO_MEMORY : CM_UNSUPPORTED, NULL, 0, 0, "%s%s", what,
                        cm_papi_text(code, system_error, text, sizeof text));
}

cm_status cm_event_set_create(cm_counting *counting, size_t component, cm_event_set **set, cm_error *error)
{
    if (component >= counting->component_count)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "there is no component %zu", component);
    cm_event_set *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    *created = (cm_event_set){.counting = counting, .component = component, .papi_set = PAPI_NULL};
    errno = 0;
    int code = PAPI_create_eventset(&created->papi_set);
    if (code == PAPI_OK)
        code = PAPI_assign_eventset_component(created->papi_set, (int)component);
    if (code != PAPI_OK) {
        cm_status status = refused("an event set cannot be made: ", code, error);
        cm_event_set_free(created);
        return status;
    }
    *set = created;
    return CM_OK;
}

void cm_event_set_free(cm_event_set *set)
{
    if (set == NULL)
        return;
    if (set->papi_set != PAPI_NULL) {
        if (set->running)
            PAPI_stop(set->papi_set, NULL);
        PAPI_cleanup_eventset(set->papi_set);
        PAPI_destroy_eventset(&set->papi_set);
    }
    free(set);
}

cm_status cm_event_set_add(cm_event_set *set, size_t event, cm_error *error)
{
    const cm_counting *counting = set->counting;
    if (event >= counting->event_count || counting->events[event].component != set->component)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "event %zu is none of component %s", event,
                            counting->components[set->component].name);
    const cm_event_record *record = &counting->events[event];
    unsigned counters = counting->model != NULL ? cm_pmu_model_machine(counting->model)->counters : 0;
    if (record->software && counters != 0 && set->model_events >= counters)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the model counts %u events at a time", counters);
    errno = 0;
    int code = PAPI_add_event(set->papi_set, record->code);
    if (code != PAPI_OK)
        return refused("", code, error);
    set->size++;
    set->faults[record->fault] = true;
    set->model_events += record->software;
    return CM_OK;
}

size_t cm_event_set_size(const cm_event_set *set)
{
    return set->size;
}

cm_status cm_event_set_start(cm_event_set *set, cm_error *error)
{
    cm_status status = show_fault(set, true, error);
    if (status != CM_OK)
        return status;
    if (set->model_events != 0)
        cm_published_restart();
    errno = 0;
    int code = PAPI_start(set->papi_set);
    if (code != PAPI_OK)
        return refused("", code, error);
    set->running = true;
    return CM_OK;
}

cm_status cm_event_set_stop(cm_event_set *set, long long *counts, cm_error *error)
{
    errno = 0;
    int code = PAPI_stop(set->papi_set, counts);
    if (code != PAPI_OK)
        return refused("", code, error);
    set->running = false;
    set->reads++;
    return show_fault(set, false, error);
}
