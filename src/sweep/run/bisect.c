/* Splits a batch whose worker or team was lost, until the events that cause this are alone. */
#include "sweep/run/run.h"

/* Plans the set behind all others, so that no other component has a set with its number. */
static cm_status plan_alone(cm_sweep_state *state, size_t component, size_t count, const size_t *events,
                            cm_error *error)
{
    cm_plan *plan = &state->plans[component];
    size_t longest = cm_sweep_longest_plan(state);
    cm_status status = CM_OK;
    while (status == CM_OK && plan->count < longest)
        status = cm_plan_add(plan, 0, events, error);
    return status == CM_OK ? cm_plan_add(plan, count, events, error) : status;
}

bool cm_batch_is_alone(const cm_batch *batch)
{
    return batch->active_count == 1 && batch->active[0].count == 1;
}

/* Checks that the kernels run without events; otherwise no event is the cause. */
static cm_status run_without_events(const cm_batch *batch, cm_error *error)
{
    double seconds;
    cm_error reason = {0};
    cm_status status = cm_time_pass(batch->state, batch->benchmark, &seconds, NULL, &reason);
    if (status == CM_OK)
        return CM_OK;
    return CM_FAIL(error, status, "the kernels of benchmark %s fail even when no event is counted: %.800s",
                   batch->benchmark->name, reason.text);
}

cm_status cm_batch_bisect(cm_batch *batch, const cm_team_loss *loss, const cm_error *failure, cm_error *error)
{
    cm_sweep_state *state = batch->state;
    cm_status status = CM_OK;
    if (batch->active_count == 1)
        status = cm_sweep_remember(state, batch->active[0].count, batch->active[0].events, error);
    for (size_t i = 0; status == CM_OK && i < batch->active_count; i++) {
        const cm_active_set *active = &batch->active[i];
        size_t half = batch->active_count > 1 || active->count == 1 ? active->count : active->count / 2;
        state->plans[active->component].sets[batch->number].count = 0;
        if (cm_batch_is_alone(batch)) {
            status = run_without_events(batch, error);
            return status == CM_OK ? cm_sweep_blame(state, active->events[0], loss, failure, error) : status;
        }
        status = plan_alone(state, active->component, half, active->events, error);
        if (status == CM_OK && half < active->count)
            status = plan_alone(state, active->component, active->count - half, active->events + half, error);
    }
    return status;
}
