#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "sweep/kernel_call.h"
#include "sweep/state.h"

/* A set of one component while it is run. */
struct active_set {
    size_t component;
    size_t count;   /* events */
    size_t *events; /* as planned when the run began */
    cm_event_set *set;
    long long *counts; /* [repetition][kernel][event] */
};

/* One set of each component, counted side by side. */
struct run {
    cm_sweep_state *state;
    cm_sweep_benchmark *benchmark;
    size_t number; /* of the sets in their plans */
    size_t active_count;
    struct active_set *active; /* by component, ascending */
    size_t failed;             /* the one that could not be counted, SIZE_MAX if none */
};

static void close_sets(struct run *run)
{
    for (size_t i = 0; i < run->active_count; i++) {
        cm_event_set_free(run->active[i].set);
        free(run->active[i].events);
        free(run->active[i].counts);
    }
    run->active_count = 0;
}

static cm_status open_set(struct run *run, size_t component, cm_error *error)
{
    cm_sweep_state *state = run->state;
    const cm_planned_set *planned = &state->plans[component].sets[run->number];
    struct active_set *active = &run->active[run->active_count++];
    *active = (struct active_set){.component = component, .count = planned->count};
    size_t runs = state->options->repetitions * run->benchmark->kernel_count;
    active->events = malloc(planned->count * sizeof *active->events);
    active->counts = calloc(runs * planned->count, sizeof *active->counts);
    if (active->events == NULL || active->counts == NULL)
        return cm_error_no_memory(error);
    memcpy(active->events, planned->events, planned->count * sizeof *active->events);
    cm_status status = cm_event_set_create(state->counting, component, &active->set, error);
    for (size_t i = 0; status == CM_OK && i < planned->count; i++)
        status = cm_event_set_add(active->set, planned->events[i], error);
    if (status == CM_UNSUPPORTED)
        run->failed = run->active_count - 1;
    return status;
}

static cm_status open_sets(struct run *run, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < run->state->plan_count; i++) {
        const cm_plan *plan = &run->state->plans[i];
        if (run->number < plan->count && plan->sets[run->number].count != 0)
            status = open_set(run, i, error);
    }
    return status;
}

/* The core's counters (the first component) are started last and stopped first, so that they see least of the others.
 */
static cm_status start_sets(struct run *run, cm_error *error)
{
    for (size_t i = run->active_count; i-- > 0;) {
        cm_status status = cm_event_set_start(run->active[i].set, error);
        if (status != CM_OK) {
            run->failed = i;
            return status;
        }
    }
    return CM_OK;
}

static cm_status stop_sets(struct run *run, size_t repetition, size_t kernel, cm_error *error)
{
    for (size_t i = 0; i < run->active_count; i++) {
        const struct active_set *active = &run->active[i];
        size_t place = (repetition * run->benchmark->kernel_count + kernel) * active->count;
        cm_status status = cm_event_set_stop(active->set, active->counts + place, error);
        if (status != CM_OK) {
            run->failed = i;
            return status;
        }
    }
    return CM_OK;
}

/* Pages, instruction cache, predictor and vector units get ready before anything is counted. The software PMU needs no
 * such thing: what its models keep between kernels is part of what they model. */
static void warm_up(struct run *run, const cm_kernel *kernel)
{
    if (cm_counting_software_pmu(run->state->counting) == NULL)
        kernel->body(kernel->software_iterations, &run->benchmark->data);
}

static cm_status run_kernel(struct run *run, size_t repetition, size_t kernel, cm_error *error)
{
    cm_sweep_benchmark *benchmark = run->benchmark;
    if (cm_sweep_stopped(run->state))
        return cm_error_set(error, CM_INTERRUPTED, NULL, 0, 0, "the sweep was interrupted");
    cm_kernel_call call = {benchmark->kernels[kernel], (uint64_t)benchmark->iterations[kernel], &benchmark->data};
    warm_up(run, call.kernel);
    cm_status status = start_sets(run, error);
    if (status != CM_OK)
        return status;
    status = cm_counting_run(run->state->counting, cm_kernel_call_run, &call, error);
    if (status != CM_OK) {
        if (error != NULL) {
            char text[CM_ERROR_TEXT_SIZE];
            snprintf(text, sizeof text, "%s", error->text);
            cm_error_set(error, status, NULL, 0, 0, "kernel %s: %s", call.kernel->name, text);
        }
        return status;
    }
    return stop_sets(run, repetition, kernel, error);
}

static cm_status run_repetitions(struct run *run, cm_error *error)
{
    cm_sweep_state *state = run->state;
    cm_software_pmu *software = cm_counting_software_pmu(state->counting);
    for (size_t repetition = 0; repetition < state->options->repetitions; repetition++) {
        if (software != NULL)
            cm_software_pmu_seed(software, repetition + 1);
        for (size_t kernel = 0; kernel < run->benchmark->kernel_count; kernel++) {
            cm_status status = run_kernel(run, repetition, kernel, error);
            if (status != CM_OK)
                return status;
        }
        state->progress.done++;
        state->progress.seconds = cm_sweep_seconds(state);
        if (state->options->progress != NULL)
            state->options->progress(&state->progress, state->options->progress_data);
    }
    return CM_OK;
}

/* A count below zero is an error that travels as a count: no table takes it. Returns whether there was one. */
static bool find_negative(const struct run *run, const struct active_set *active, size_t event, char *reason,
                          size_t size)
{
    size_t kernels = run->benchmark->kernel_count;
    for (size_t i = 0; i < run->state->options->repetitions * kernels; i++) {
        long long count = active->counts[i * active->count + event];
        if (count >= 0)
            continue;
        snprintf(reason, size, "counted %lld in kernel %s, repetition %zu", count,
                 run->benchmark->kernels[i % kernels]->name, i / kernels + 1);
        return true;
    }
    return false;
}

/* Of the kept counts; those of an event given up are not for the record. */
static cm_status write_event(const struct run *run, const struct active_set *active, size_t event, double *row,
                             cm_error *error)
{
    size_t kernels = run->benchmark->kernel_count;
    cm_native_event native = cm_counting_event(run->state->counting, active->events[event]);
    if (!native.countable)
        return CM_OK;
    for (size_t repetition = 0; repetition < run->state->options->repetitions; repetition++) {
        for (size_t kernel = 0; kernel < kernels; kernel++)
            row[kernel] = (double)active->counts[(repetition * kernels + kernel) * active->count + event];
        cm_status status =
            cm_measurements_writer_add(run->benchmark->writer, native.name, repetition + 1, 0, row, error);
        if (status != CM_OK)
            return status;
    }
    run->state->progress.events++;
    return CM_OK;
}

static cm_status write_counts(struct run *run, cm_error *error)
{
    double *row = malloc((run->benchmark->kernel_count + 1) * sizeof *row);
    cm_status status = row != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < run->active_count; i++) {
        const struct active_set *active = &run->active[i];
        cm_planned_set *planned = &run->state->plans[active->component].sets[run->number];
        /* Backwards, so that taking one out leaves the places before it as they are. */
        for (size_t event = active->count; status == CM_OK && event-- > 0;) {
            char reason[256];
            if (find_negative(run, active, event, reason, sizeof reason))
                status = cm_sweep_give_up(run->state, planned, event, reason, error);
        }
    }
    for (size_t i = 0; status == CM_OK && i < run->active_count; i++) {
        const struct active_set *active = &run->active[i];
        for (size_t event = 0; status == CM_OK && event < active->count; event++)
            status = write_event(run, active, event, row, error);
    }
    free(row);
    return status;
}

/* Until every set of the run was counted: what fails is repaired, and the run begins anew. */
static cm_status run_sets(struct run *run, cm_error *error)
{
    size_t done = run->state->progress.done;
    for (;;) {
        cm_error failure = {0};
        run->failed = SIZE_MAX;
        run->state->progress.done = done;
        cm_status status = open_sets(run, &failure);
        if (status == CM_OK)
            status = run_repetitions(run, &failure);
        if (status == CM_OK)
            status = write_counts(run, &failure);
        size_t component = run->failed != SIZE_MAX ? run->active[run->failed].component : 0;
        close_sets(run);
        if (status != CM_UNSUPPORTED || run->failed == SIZE_MAX) {
            if (status != CM_OK && error != NULL)
                *error = failure;
            return status;
        }
        status = cm_sweep_repair(run->state, component, run->number, failure.text, error);
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
    struct run run = {.state = state, .benchmark = benchmark};
    run.active = calloc(state->plan_count + 1, sizeof *run.active);
    cm_status status = run.active != NULL ? CM_OK : cm_error_no_memory(error);
    state->progress.benchmark = benchmark->name;
    state->progress.events = 0;
    update_total(state);
    for (; status == CM_OK && any_left(state, run.number); run.number++) {
        status = run_sets(&run, error);
        update_total(state);
    }
    free(run.active);
    return status;
}
