#include <stdint.h>

#include "core/error.h"
#include "sweep/batch.h"
#include "sweep/chase.h"
#include "sweep/team.h"

/* A member that says nothing for so long, and for longer than ten kernels may take, hangs. */
static const double least_patience = 60.0;

/* Any number does; the chains are the same in every sweep, so that a sweep can be repeated. */
static const uint64_t first_seed = 0x2545f4914f6cdd1du;

struct team_run {
    cm_batch *batch;
    size_t *failed;     /* shared: the set that a member could not count, SIZE_MAX if none */
    size_t done_before; /* of the sweep's progress */
};

/* Every run meets interference of its own, the same in every batch: as if all events were counted at once, those that
 * count the same count the same. */
static void seed(const cm_batch *batch, const cm_team_member *member, size_t repetition, size_t kernel)
{
    cm_software_pmu *software = cm_counting_software_pmu(batch->state->counting);
    if (software != NULL)
        cm_software_pmu_seed(software, ((uint64_t)member->number << 40) + ((uint64_t)kernel << 20) + repetition);
}

/* The chain is in its place, and in its cache, before anybody counts; then all begin. Later repetitions find it as the
 * first has left it, and need but a start. */
static cm_status run_chain(cm_batch *batch, cm_team_member *member, size_t repetition, size_t kernel,
                           cm_kernel_data *data, cm_error *error)
{
    const cm_sweep_benchmark *benchmark = batch->benchmark;
    const cm_place *place = &benchmark->places[kernel];
    uint64_t start = (uint64_t)benchmark->iterations[kernel];
    uint64_t length = place->stride != 0 ? place->extent / place->stride : start;
    if (repetition == 0)
        start = length * cm_warm_up_passes(benchmark->kernels[kernel]);
    else if (length < start)
        start = length;
    cm_status status = cm_batch_warm_up(batch, benchmark->kernels[kernel], start, data, error);
    cm_team_alive(member, false);
    if (status == CM_OK)
        status = cm_team_meet(member, error);
    if (status == CM_OK)
        status = cm_batch_count(batch, member->number, repetition, kernel, data, error);
    if (status == CM_OK)
        cm_team_alive(member, true);
    return status;
}

/* Beside the chain, so that the few accesses that come with a run meet the caches in the same way in every sweep: which
 * of two events that count the same has the smaller norm is not left to where the system puts a stack. */
struct desk {
    cm_kernel_call call;
    cm_kernel_data data;
};

static cm_status run_member(cm_team_member *member, void *data, cm_error *error)
{
    const struct team_run *run = data;
    cm_batch *batch = run->batch;
    cm_chase chase = {0};
    cm_status status = cm_chase_open(&chase, batch->benchmark->places, batch->benchmark->kernel_count, error);
    if (status == CM_OK)
        status = cm_batch_open(batch, error);
    for (size_t kernel = 0; status == CM_OK && kernel < batch->benchmark->kernel_count; kernel++) {
        struct desk *desk = chase.desk;
        batch->call = &desk->call;
        desk->data = (cm_kernel_data){0, chase.buffer};
        if (batch->benchmark->kernels[kernel]->level != 0)
            cm_chase_build(&chase, &batch->benchmark->places[kernel], first_seed + (kernel << 16) + member->number);
        cm_team_alive(member, false);
        for (size_t r = 0; status == CM_OK && r < batch->state->options->repetitions; r++) {
            seed(batch, member, r, kernel);
            status = run_chain(batch, member, r, kernel, &desk->data, error);
        }
    }
    run->failed[member->number] = batch->failed;
    cm_batch_close(batch);
    cm_chase_close(&chase);
    return status;
}

static bool watch(size_t steps, void *data)
{
    const struct team_run *run = data;
    cm_sweep_state *state = run->batch->state;
    state->progress.done = run->done_before + steps / run->batch->benchmark->kernel_count;
    state->progress.seconds = cm_sweep_seconds(state);
    if (state->options->progress != NULL)
        state->options->progress(&state->progress, state->options->progress_data);
    return !cm_sweep_stopped(state);
}

cm_status cm_batch_run_team(cm_batch *batch, cm_error *error)
{
    size_t size = batch->threads * sizeof(size_t), member = batch->threads;
    struct team_run run = {batch, cm_team_memory(size), batch->state->progress.done};
    if (run.failed == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < batch->threads; i++)
        run.failed[i] = SIZE_MAX;
    double patience = 10.0 * batch->state->options->max_kernel_seconds;
    cm_team_job job = {
        .size = batch->threads,
        .bind = cm_cores_bind,
        .bind_data = &batch->state->cores,
        .work = run_member,
        .data = &run,
        .patience = patience > least_patience ? patience : least_patience,
        .watch = watch,
    };
    cm_status status = cm_team_run(&job, &member, error);
    if (status != CM_OK)
        batch->failed = member < batch->threads ? run.failed[member] : SIZE_MAX;
    cm_team_memory_free(run.failed, size);
    return status;
}
