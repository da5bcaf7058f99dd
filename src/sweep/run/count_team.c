/* Counts a batch in all members of a team at the same time, each on a chain of its own. */
#include "sweep/run/run.h"

/* Any number would do. The chains are the same in every sweep, so that a sweep can be repeated. */
static const uint64_t first_seed = 0x2545f4914f6cdd1du;

/* Puts the chain into its cache, waits for all members, and counts. Later repetitions find the chain in the cache, and
 * need only a short start. */
static cm_status run_chain(cm_batch *batch, cm_team_member *member, size_t repetition, size_t kernel,
                           cm_kernel_data *data, cm_error *error)
{
    const cm_sweep_benchmark *benchmark = batch->benchmark;
    const cm_placement *placement = &benchmark->placements[kernel];
    uint64_t start = (uint64_t)benchmark->iterations[kernel];
    uint64_t length = placement->stride != 0 ? placement->extent / placement->stride : start;
    const cm_kernel *first = benchmark->kernels[kernel];
    if (repetition == 0 && first->level != 0) {
        start = length * cm_warm_up_passes(first);
        first = cm_warm_up_kernel(first);
    } else if (length < start) {
        start = length;
    }
    cm_status status = cm_batch_warm_up(batch, first, start, data, error);
    cm_team_alive(member, false);
    CM_THEN(status, cm_team_barrier(member, error));
    CM_THEN(status, cm_batch_count(batch, member->number, repetition, kernel, data, error));
    if (status == CM_OK)
        cm_team_alive(member, true);
    if (status == CM_OK && benchmark->quiet != NULL) {
        status = cm_batch_count_quiet(batch, member->number, repetition, kernel + 1, data, error);
        cm_team_alive(member, status == CM_OK);
    }
    return status;
}

/* Beside the chain, not on the stack, so that the few other accesses of a run use the same cache sets in every sweep:
 * otherwise the place of the stack would decide which of two equal events has the smaller norm. */
struct scratch {
    cm_kernel_call call;
    cm_kernel_data data;
};

/* Counts the runs in the same order, without the chains. */
static cm_status replay_losses(cm_team_member *member, cm_batch *batch, cm_error *error)
{
    cm_status status = cm_batch_open(batch, error);
    for (size_t kernel = 0; status == CM_OK && kernel < batch->benchmark->kernel_count; kernel++)
        for (size_t r = 0; status == CM_OK && r < cm_sweep_repetitions(batch->state, batch->benchmark); r++) {
            status = cm_batch_replay(batch, member->number, r, kernel, error);
            cm_team_alive(member, true);
        }
    cm_batch_close(batch);
    return status;
}

/* Counts all repetitions of all kernels, as the work of a member of a team on chains; `data`: the batch. */
static cm_status work_on_chains(cm_team_member *member, void *data, cm_error *error)
{
    cm_batch *batch = data;
    const cm_sweep_benchmark *benchmark = batch->benchmark;
    if (cm_replay_is_complete(batch))
        return replay_losses(member, batch, error);
    cm_chase chase = {0};
    cm_status status = cm_chase_open(&chase, benchmark->placements, benchmark->kernel_count,
                                     cm_counting_software_pmu(batch->state->counting), error);
    CM_THEN(status, cm_batch_open(batch, error));
    for (size_t kernel = 0; status == CM_OK && kernel < benchmark->kernel_count; kernel++) {
        struct scratch *scratch = chase.scratch;
        if (benchmark->quiet != NULL && kernel % 2 == 1)
            continue; /* counted with the kernel before it */
        batch->call = &scratch->call;
        if (benchmark->kernels[kernel]->level != 0)
            status = cm_chase_build(&chase, &benchmark->placements[kernel],
                                    first_seed + (kernel << 16) + member->number, error);
        scratch->data = (cm_kernel_data){0, chase.chain};
        cm_team_alive(member, false);
        for (size_t r = 0; status == CM_OK && r < cm_sweep_repetitions(batch->state, benchmark); r++) {
            /* Each run has its own interference, the same in every batch: events that count the same have the same
             * counts, as if all were counted at once. */
            cm_software_pmu *software = cm_counting_software_pmu(batch->state->counting);
            if (software != NULL)
                cm_software_pmu_seed(software, ((uint64_t)member->number << 40) + ((uint64_t)kernel << 20) + r);
            status = run_chain(batch, member, r, kernel, &scratch->data, error);
        }
    }
    cm_batch_close(batch);
    cm_chase_close(&chase);
    return status;
}

cm_team_job cm_batch_job(cm_batch *batch)
{
    bool together = batch->benchmark->threads != 0;
    return (cm_team_job){
        .size = batch->threads,
        .bind = together ? cm_cores_bind : NULL,
        .bind_data = &batch->state->cores,
        .work = together ? work_on_chains : cm_batch_work_alone,
        .data = batch,
        .here = cm_counting_stays(batch->state->counting),
    };
}
