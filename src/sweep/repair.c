#include <stdio.h>
#include <string.h>

#include "counting/trial.h"
#include "sweep/state.h"

cm_status cm_sweep_blame(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                         cm_error *error)
{
    char outcome[CM_LOSS_TEXT_SIZE];
    cm_team_loss_text(loss, failure->text, outcome, sizeof outcome);
    state->progress.failures++;
    cm_sweep_say(state, "%s: %s", cm_sweep_spelling(state, event), outcome);
    cm_status status = cm_event_failed(state->counting, event, outcome, failure->text, error);
    return status == CM_OK ? cm_sweep_record_failure(state, event, error) : status;
}

cm_status cm_sweep_give_up(cm_sweep_state *state, cm_planned_set *set, size_t position, const char *reason,
                           cm_error *error)
{
    char outcome[CM_ERROR_TEXT_SIZE + 16];
    snprintf(outcome, sizeof outcome, "refused (%s)", reason);
    cm_status status = cm_event_failed(state->counting, set->events[position], outcome, reason, error);
    if (status == CM_OK)
        status = cm_sweep_record_failure(state, set->events[position], error);
    set->count--;
    memmove(set->events + position, set->events + position + 1, (set->count - position) * sizeof *set->events);
    state->progress.failures++;
    return status;
}

/* Whether the event can be counted by itself now; `refusal` says why not. */
static cm_status try_alone(cm_sweep_state *state, size_t component, size_t event, cm_error *refusal)
{
    cm_event_set *set = NULL;
    long long value = 0;
    cm_status status = cm_event_set_create(state->counting, component, &set, refusal);
    if (status == CM_OK)
        status = cm_event_set_add(set, event, refusal);
    if (status == CM_OK)
        status = cm_event_set_start(set, refusal);
    if (status == CM_OK)
        status = cm_event_set_stop(set, &value, refusal);
    cm_event_set_free(set);
    return status;
}

cm_status cm_sweep_repair(cm_sweep_state *state, size_t component, size_t number, const char *reason, cm_error *error)
{
    cm_plan *plan = &state->plans[component];
    cm_planned_set *set = &plan->sets[number];
    size_t before = set->count;
    for (size_t i = 0; i < set->count;) {
        cm_error refusal = {0};
        cm_status status = try_alone(state, component, set->events[i], &refusal);
        if (status == CM_NO_MEMORY) {
            if (error != NULL)
                *error = refusal;
            return status;
        }
        if (status == CM_OK)
            i++;
        else if ((status = cm_sweep_give_up(state, set, i, refusal.text, error)) != CM_OK)
            return status;
    }
    if (set->count < before)
        return CM_OK;
    if (set->count == 1)
        return cm_sweep_give_up(state, set, 0, reason, error); /* it fails now and then: nothing to rely on */
    size_t kept = set->count / 2;
    cm_status status = cm_sweep_remember(state, set->count, set->events, error);
    if (status == CM_OK)
        status = cm_plan_add(plan, set->count - kept, set->events + kept, error);
    if (status == CM_OK)
        plan->sets[number].count = kept; /* the plan may have moved */
    return status;
}
