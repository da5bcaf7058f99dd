#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cat-kernels/chain.h"
#include "core/error.h"
#include "sweep/batch.h"
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

/* What one member chases in. */
struct chase {
    char *buffer;
    size_t size;
    uint32_t *order;
};

static size_t largest(const cm_sweep_benchmark *benchmark, size_t *block_elements)
{
    size_t extent = 0;
    for (size_t i = 0; i < benchmark->kernel_count; i++) {
        const cm_place *place = &benchmark->places[i];
        if (place->extent > extent)
            extent = place->extent;
        if (place->stride != 0 && place->block / place->stride > *block_elements)
            *block_elements = place->block / place->stride;
    }
    return extent;
}

/* Touched from end to end before any chain is built in it: in random order, each fault would cost a page alone, where
 * the system has pages of 2 MiB to give. */
static cm_status open_chase(const cm_sweep_benchmark *benchmark, struct chase *chase, cm_error *error)
{
    enum { SMALL_PAGE = 4096, LARGE_PAGE = 2 << 20 };
    size_t elements = 1;
    size_t extent = largest(benchmark, &elements);
    chase->order = malloc(elements * sizeof *chase->order);
    chase->size = (extent + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *buffer = mmap(NULL, chase->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    chase->buffer = buffer != MAP_FAILED ? buffer : NULL;
    if (chase->order == NULL || chase->buffer == NULL)
        return cm_error_no_memory(error);
    madvise(chase->buffer, chase->size, MADV_HUGEPAGE);
    for (size_t at = 0; at < chase->size; at += SMALL_PAGE)
        chase->buffer[at] = 1;
    return CM_OK;
}

static void close_chase(struct chase *chase)
{
    if (chase->buffer != NULL)
        munmap(chase->buffer, chase->size);
    free(chase->order);
}

static void build(const cm_sweep_benchmark *benchmark, size_t kernel, size_t member, struct chase *chase)
{
    const cm_place *place = &benchmark->places[kernel];
    if (place->stride == 0)
        return;
    cm_chain_shape shape = {place->extent, place->stride, place->block, first_seed + (kernel << 16) + member};
    cm_chain_build(chase->buffer, &shape, chase->order);
}

/* Every run meets interference of its own. */
static void seed(const cm_batch *batch, const cm_team_member *member, size_t repetition)
{
    cm_software_pmu *software = cm_counting_software_pmu(batch->state->counting);
    if (software != NULL)
        cm_software_pmu_seed(software, ((uint64_t)batch->number << 40) + ((uint64_t)member->number << 20) + repetition);
}

/* The chain is in its place, and in its cache, before anybody counts; then all begin. */
static cm_status run_chain(cm_batch *batch, cm_team_member *member, size_t repetition, size_t kernel,
                           cm_kernel_data *data, cm_error *error)
{
    const cm_sweep_benchmark *benchmark = batch->benchmark;
    const cm_place *place = &benchmark->places[kernel];
    double length = place->stride != 0 ? (double)(place->extent / place->stride) : benchmark->iterations[kernel];
    double passes = cm_warm_up_passes(benchmark->kernels[kernel]);
    cm_status status = cm_batch_warm_up(batch, benchmark->kernels[kernel], (uint64_t)(passes * length), data, error);
    cm_team_alive(member, false);
    if (status == CM_OK)
        status = cm_team_meet(member, error);
    if (status == CM_OK)
        status = cm_batch_count(batch, member->number, repetition, kernel, data, error);
    if (status == CM_OK)
        cm_team_alive(member, true);
    return status;
}

static cm_status run_member(cm_team_member *member, void *data, cm_error *error)
{
    const struct team_run *run = data;
    cm_batch *batch = run->batch;
    struct chase chase = {0};
    cm_status status = open_chase(batch->benchmark, &chase, error);
    if (status == CM_OK)
        status = cm_batch_open(batch, error);
    for (size_t kernel = 0; status == CM_OK && kernel < batch->benchmark->kernel_count; kernel++) {
        cm_kernel_data kernel_data = {0, chase.buffer};
        build(batch->benchmark, kernel, member->number, &chase);
        cm_team_alive(member, false);
        for (size_t r = 0; status == CM_OK && r < batch->state->options->repetitions; r++) {
            seed(batch, member, r * batch->benchmark->kernel_count + kernel);
            status = run_chain(batch, member, r, kernel, &kernel_data, error);
        }
    }
    run->failed[member->number] = batch->failed;
    cm_batch_close(batch);
    close_chase(&chase);
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
