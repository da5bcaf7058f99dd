#include "sweep/run/run.h"

/* Takes a component's next set, with space for its counts. */
static cm_status begin_set(cm_batch *batch, size_t component, cm_error *error)
{
    const cm_planned_set *planned = &batch->state->plans[component].sets[batch->number];
    cm_active_set *active = &batch->active[batch->active_count++];
    *active = (cm_active_set){.component = component, .count = planned->count};
    size_t runs =
        batch->threads * cm_sweep_repetitions(batch->state, batch->benchmark) * batch->benchmark->kernel_count;
    active->bytes = runs * planned->count * sizeof *active->counts;
    active->events = malloc(planned->count * sizeof *active->events);
    active->counts = cm_team_memory_create(active->bytes);
    if (active->events == NULL || active->counts == NULL)
        return cm_error_no_memory(error);
    memcpy(active->events, planned->events, planned->count * sizeof *active->events);
    return CM_OK;
}

cm_status cm_batch_begin(cm_batch *batch, cm_error *error)
{
    cm_status status = CM_OK;
    batch->outside_losses = batch->failures = 0;
    for (size_t i = 0; status == CM_OK && i < batch->state->plan_count; i++) {
        const cm_plan *plan = &batch->state->plans[i];
        if (batch->number < plan->count && plan->sets[batch->number].count != 0)
            status = begin_set(batch, i, error);
    }
    return status;
}

void cm_batch_end(cm_batch *batch)
{
    for (size_t i = 0; i < batch->active_count; i++) {
        free(batch->active[i].events);
        cm_team_memory_free(batch->active[i].counts, batch->active[i].bytes);
    }
    batch->active_count = 0;
}

cm_status cm_batch_open(cm_batch *batch, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < batch->active_count; i++) {
        cm_active_set *active = &batch->active[i];
        status = cm_event_set_create(batch->state->counting, active->component, &active->set, error);
        for (size_t e = 0; status == CM_OK && e < active->count; e++)
            status = cm_event_set_judge(active->set, cm_event_set_add(active->set, active->events[e], error), error);
    }
    return status;
}

void cm_batch_close(cm_batch *batch)
{
    for (size_t i = 0; i < batch->active_count; i++) {
        cm_event_set_free(batch->active[i].set);
        batch->active[i].set = NULL;
    }
}

/* Starts the core's counters (the first component) last and stops them first: they count little of the others. */
static cm_status start_sets(cm_batch *batch, cm_error *error)
{
    for (size_t i = batch->active_count; i-- > 0;) {
        cm_event_set *set = batch->active[i].set;
        cm_status status = cm_event_set_judge(set, cm_event_set_start(set, error), error);
        if (status != CM_OK)
            return status;
    }
    return CM_OK;
}

static cm_status stop_sets(cm_batch *batch, size_t run, cm_error *error)
{
    for (size_t i = 0; i < batch->active_count; i++) {
        const cm_active_set *active = &batch->active[i];
        cm_status status = cm_event_set_stop(active->set, active->counts + run * active->count, error);
        if (status != CM_OK)
            return status;
    }
    return CM_OK;
}

/* Runs a kernel, and checks its outcome. */
static cm_status run_kernel(cm_batch *batch, const cm_kernel *kernel, uint64_t iterations, cm_kernel_data *data,
                            cm_error *error)
{
    *batch->call = (cm_kernel_call){kernel->body, iterations, data};
    cm_error reason = {0};
    cm_status status = cm_counting_run(batch->state->counting, cm_kernel_call_run, batch->call, &reason);
    CM_THEN(status, cm_gpu_run_outcome(kernel, data, &reason));
    if (status != CM_OK)
        CM_FAIL(error, status, "kernel %s: %s", kernel->name, reason.text);
    return status;
}

cm_status cm_batch_warm_up(cm_batch *batch, const cm_kernel *kernel, uint64_t iterations, cm_kernel_data *data,
                           cm_error *error)
{
    return run_kernel(batch, kernel, iterations, data, error);
}

static size_t run_of(const cm_batch *batch, size_t thread, size_t repetition, size_t kernel)
{
    return (thread * cm_sweep_repetitions(batch->state, batch->benchmark) + repetition) *
               batch->benchmark->kernel_count +
           kernel;
}

cm_status cm_batch_count(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_kernel_data *data,
                         cm_error *error)
{
    const cm_sweep_benchmark *benchmark = batch->benchmark;
    double start = cm_counting_ticks(batch->state->counting); /* only the kernel may run while counters run */
    cm_status status = start_sets(batch, error);
    CM_THEN(status,
            run_kernel(batch, benchmark->kernels[kernel], (uint64_t)benchmark->iterations[kernel], data, error));
    const size_t run = run_of(batch, thread, repetition, kernel);
    if (status == CM_OK)
        cm_replay_keep(batch, run);
    CM_THEN(status, stop_sets(batch, run, error));
    batch->ticks = cm_counting_ticks(batch->state->counting) - start;
    return status;
}

cm_status cm_batch_replay(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_error *error)
{
    const size_t run = run_of(batch, thread, repetition, kernel);
    cm_status status = start_sets(batch, error);
    if (status == CM_OK)
        cm_replay_run(batch, run);
    return status == CM_OK ? stop_sets(batch, run, error) : status;
}

static cm_status do_nothing(cm_batch *batch, const cm_kernel *quiet, cm_kernel_data *data, double *took,
                            cm_error *error)
{
    cm_error reason = {0};
    *batch->call = (cm_kernel_call){.body = quiet->body, .data = data};
    cm_status status = cm_quiet_time(batch->state->counting, batch->call, batch->ticks, took, &reason);
    return status == CM_OK ? CM_OK : CM_FAIL(error, status, "kernel %s: %s", quiet->name, reason.text);
}

cm_status cm_batch_count_quiet(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_kernel_data *data,
                               cm_error *error)
{
    cm_status status = CM_OK;
    bool tried_enough = false;
    for (size_t attempt = 1; status == CM_OK && !tried_enough; attempt++) {
        double took = 0.0;
        status = start_sets(batch, error);
        CM_THEN(status, do_nothing(batch, batch->benchmark->kernels[kernel], data, &took, error));
        CM_THEN(status, stop_sets(batch, run_of(batch, thread, repetition, kernel), error));
        tried_enough = cm_quiet_was_enough(batch->ticks, took, attempt);
    }
    return status;
}
