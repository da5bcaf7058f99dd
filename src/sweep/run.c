#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "sweep/batch.h"
#include "sweep/run_workers.h"

/* Pages, instruction cache, predictor and vector units get ready before anything is counted. The software PMU needs no
 * such thing: what its models keep between kernels is part of what they model. */
static void warm_up(cm_batch *batch, const cm_kernel *kernel)
{
    if (cm_counting_software_pmu(batch->state->counting) == NULL)
        kernel->body(kernel->software_iterations, &batch->benchmark->data);
}

cm_status cm_batch_run(cm_batch *batch, cm_error *error)
{
    cm_sweep_state *state = batch->state;
    cm_sweep_benchmark *benchmark = batch->benchmark;
    cm_software_pmu *software = cm_counting_software_pmu(state->counting);
    cm_status status = cm_batch_open(batch, error);
    for (size_t repetition = 0; status == CM_OK && repetition < state->options->repetitions; repetition++) {
        if (software != NULL)
            cm_software_pmu_seed(software, repetition + 1);
        for (size_t kernel = 0; status == CM_OK && kernel < benchmark->kernel_count; kernel++) {
            if (cm_sweep_stopped(state))
                status = cm_error_set(error, CM_INTERRUPTED, NULL, 0, 0, "the sweep was interrupted");
            if (status != CM_OK)
                break;
            warm_up(batch, benchmark->kernels[kernel]);
            status = cm_batch_count(batch, 0, repetition, kernel, &benchmark->data, error);
        }
        if (status != CM_OK)
            break;
        state->progress.done++;
        state->progress.seconds = cm_sweep_seconds(state);
        if (state->options->progress != NULL)
            state->options->progress(&state->progress, state->options->progress_data);
    }
    cm_batch_close(batch);
    return status;
}

/* What a team could not count is lost, and said; the sweep goes on. */
static cm_status give_up_batch(cm_batch *batch, const cm_error *reason, cm_error *error)
{
    cm_sweep_benchmark *benchmark = batch->benchmark;
    cm_failed_batch *grown = realloc(benchmark->failed, (benchmark->failed_count + 1) * sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    benchmark->failed = grown;
    cm_failed_batch *failed = &grown[benchmark->failed_count];
    *failed = (cm_failed_batch){.count = 0};
    size_t count = 0;
    for (size_t i = 0; i < batch->active_count; i++)
        count += batch->active[i].count;
    failed->events = malloc((count + 1) * sizeof *failed->events);
    if (failed->events == NULL)
        return cm_error_no_memory(error);
    benchmark->failed_count++;
    snprintf(failed->reason, sizeof failed->reason, "%s", reason->text);
    for (size_t i = 0; i < batch->active_count; i++)
        for (size_t event = 0; event < batch->active[i].count; event++)
            failed->events[failed->count++] = batch->active[i].events[event];
    cm_sweep_say(batch->state, "%s: %zu events were not counted: %s", benchmark->name, count, reason->text);
    return CM_OK;
}

static bool may_go_on(const cm_batch *batch, cm_status status)
{
    return batch->benchmark->threads != 0 && (status == CM_UNSUPPORTED || status == CM_NO_MEMORY);
}

/* Until every set of the batch was counted: what fails is repaired, and the batch begins anew. */
static cm_status run_batch(cm_batch *batch, cm_error *error)
{
    size_t done = batch->state->progress.done;
    for (;;) {
        cm_error failure = {0};
        batch->state->progress.done = done;
        cm_status status = cm_batch_begin(batch, &failure);
        if (status == CM_OK)
            status =
                batch->benchmark->threads != 0 ? cm_batch_run_team(batch, &failure) : cm_batch_run(batch, &failure);
        if (status == CM_OK)
            status = cm_batch_write(batch, &failure);
        size_t failed = batch->failed;
        size_t component = failed != SIZE_MAX ? batch->active[failed].component : 0;
        bool repair = status == CM_UNSUPPORTED && failed != SIZE_MAX;
        if (!repair && may_go_on(batch, status)) {
            status = give_up_batch(batch, &failure, &failure);
            batch->state->progress.done = done + batch->state->options->repetitions;
        }
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

static bool any_left(const cm_sweep_state *state, size_t number)
{
    for (size_t i = 0; i < state->plan_count; i++)
        if (number < state->plans[i].count)
            return true;
    return false;
}

/* Repairs make plans longer. */
static void update_total(cm_sweep_state *state)
{
    size_t runs = 0;
    for (size_t i = 0; i < state->plan_count; i++)
        if (state->plans[i].count > runs)
            runs = state->plans[i].count;
    state->progress.total = runs * state->benchmark_count * state->options->repetitions;
}

cm_status cm_sweep_run_benchmark(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    cm_batch batch = {.state = state, .benchmark = benchmark};
    batch.threads = benchmark->threads != 0 ? benchmark->threads : 1;
    batch.active = calloc(state->plan_count + 1, sizeof *batch.active);
    cm_status status = batch.active != NULL ? CM_OK : cm_error_no_memory(error);
    state->progress.benchmark = benchmark->name;
    state->progress.events = 0;
    if (status == CM_OK && state->resumed) {
        state->counted = benchmark->kept;
        for (size_t i = 0; i < state->plan_count; i++)
            cm_plan_clear(&state->plans[i]);
        status = cm_sweep_make_plans(state, error);
    }
    update_total(state);
    if (status == CM_OK && benchmark->threads == 0 && state->options->workers != CM_NO_WORKERS) {
        free(batch.active);
        return cm_sweep_run_workers(state, benchmark, error);
    }
    for (; status == CM_OK && any_left(state, batch.number); batch.number++) {
        status = run_batch(&batch, error);
        update_total(state);
    }
    free(batch.active);
    return status;
}
