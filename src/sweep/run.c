#include <stdlib.h>

#include "core/error.h"
#include "sweep/batch.h"
#include "sweep/crew.h"

/* Until every set of the batch was counted: what fails is repaired, and the batch begins anew. */
static cm_status run_batch(cm_batch *batch, cm_error *error)
{
    size_t done = batch->state->progress.done;
    for (;;) {
        cm_error failure = {0};
        batch->state->progress.done = done;
        cm_status status = cm_batch_begin(batch, &failure);
        if (status == CM_OK)
            status = cm_batch_run(batch, &failure);
        if (status == CM_OK)
            status = cm_batch_write(batch, &failure);
        size_t failed = batch->failed;
        size_t component = failed != SIZE_MAX ? batch->active[failed].component : 0;
        bool repair = status == CM_UNSUPPORTED && failed != SIZE_MAX;
        cm_batch_end(batch);
        if (!repair) {
            if (status != CM_OK && error != NULL)
                *error = failure;
            return status;
        }
        status = cm_sweep_repair(batch->state, component, batch->number, failure.text, error);
        if (status != CM_OK)
            return status;
    }
}

/* Repairs make plans longer. */
static void update_total(cm_sweep_state *state)
{
    state->progress.total = cm_sweep_longest_plan(state) * state->benchmark_count * state->options->repetitions;
}

static cm_status run_batches(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    cm_batch batch = {.state = state, .benchmark = benchmark, .threads = 1};
    batch.active = calloc(state->plan_count + 1, sizeof *batch.active);
    cm_status status = batch.active != NULL ? CM_OK : cm_error_no_memory(error);
    update_total(state);
    for (; status == CM_OK && batch.number < cm_sweep_longest_plan(state); batch.number++) {
        status = run_batch(&batch, error);
        update_total(state);
    }
    free(batch.active);
    return status;
}

cm_status cm_sweep_run_benchmark(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    cm_status status = CM_OK;
    state->progress.benchmark = benchmark->name;
    state->progress.events = 0;
    if (state->resumed) {
        state->counted = benchmark->kept;
        for (size_t i = 0; i < state->plan_count; i++)
            cm_plan_clear(&state->plans[i]);
        status = cm_sweep_make_plans(state, error);
    }
    if (status != CM_OK)
        return status;
    bool by_caller = benchmark->threads == 0 && state->options->workers == CM_NO_WORKERS;
    return by_caller ? run_batches(state, benchmark, error) : cm_sweep_run_crew(state, benchmark, error);
}
