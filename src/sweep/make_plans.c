#include <stdlib.h>

#include "core/error.h"
#include "counting/trial.h"
#include "sweep/state.h"

/* The set that is being filled. */
struct filling {
    cm_sweep_state *state;
    size_t component;
    cm_event_set *set;
};

static cm_status begin(void *data, cm_error *error)
{
    struct filling *filling = data;
    cm_event_set_free(filling->set);
    filling->set = NULL;
    return cm_event_set_create(filling->state->counting, filling->component, &filling->set, error);
}

static cm_status add(void *data, size_t event, cm_error *error)
{
    struct filling *filling = data;
    return cm_event_set_add(filling->set, event, error);
}

static cm_status refused(void *data, size_t event, const char *reason, cm_error *error)
{
    struct filling *filling = data;
    filling->state->progress.failures++; /* it could be counted when the session was opened */
    return cm_event_refused(filling->state->counting, event, reason, error);
}

static cm_status plan_component(cm_sweep_state *state, size_t component, size_t *events, cm_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < state->event_count; i++) {
        cm_native_event event = cm_counting_event(state->counting, i);
        bool counted = state->counted != NULL && state->counted[i] != 0;
        if (state->selected[i] && !counted && event.countable && event.component == component)
            events[count++] = i;
    }
    struct filling filling = {state, component, NULL};
    cm_plan_trial trial = {&filling, begin, add, refused};
    cm_status status = cm_plan_pack(&state->plans[component], count, events, &trial, error);
    cm_event_set_free(filling.set);
    return status;
}

cm_status cm_sweep_make_plans(cm_sweep_state *state, cm_error *error)
{
    size_t *events = malloc((state->event_count + 1) * sizeof *events);
    cm_status status = events != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < state->plan_count; i++)
        status = plan_component(state, i, events, error);
    free(events);
    return status;
}
