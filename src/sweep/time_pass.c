#include "sweep/time_pass.h"

#include "core/error.h"
#include "sweep/batch.h"
#include "sweep/team.h"

/* Far more than any pass takes: one that does not end is no kernel. */
static const double patience = 600.0;

struct timing {
    cm_batch batch;  /* without a set */
    double *longest; /* shared */
};

static cm_status run_kernels(cm_team_member *member, void *data, cm_error *error)
{
    struct timing *timing = data;
    cm_sweep_benchmark *benchmark = timing->batch.benchmark;
    cm_status status = CM_OK;
    for (size_t kernel = 0; status == CM_OK && kernel < benchmark->kernel_count; kernel++) {
        double start = cm_sweep_seconds(timing->batch.state);
        status = cm_batch_count(&timing->batch, 0, 0, kernel, &benchmark->data, error);
        double took = cm_sweep_seconds(timing->batch.state) - start;
        *timing->longest = took > *timing->longest ? took : *timing->longest;
        cm_team_alive(member, true);
    }
    return status;
}

static bool go_on(size_t steps, void *data)
{
    (void)steps;
    const struct timing *timing = data;
    return !cm_sweep_stopped(timing->batch.state);
}

cm_status cm_time_pass(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, double *pass, double *longest,
                       cm_error *error)
{
    cm_sweep_options once = *state->options;
    once.repetitions = 1;
    once.progress = NULL;
    cm_sweep_state alone = *state;
    alone.options = &once;
    struct timing timing = {.batch = {.state = &alone, .benchmark = benchmark, .threads = 1},
                            .longest = cm_team_memory(sizeof *timing.longest)};
    if (timing.longest == NULL)
        return cm_error_no_memory(error);
    cm_team_job job = {.size = 1, .work = run_kernels, .data = &timing, .patience = patience, .watch = go_on};
    double start = cm_sweep_seconds(state);
    timing.batch.threads = benchmark->threads != 0 ? benchmark->threads : 1;
    cm_status status =
        benchmark->threads != 0 ? cm_batch_run_team(&timing.batch, error) : cm_team_run(&job, NULL, error);
    if (status == CM_OK) {
        *pass = cm_sweep_seconds(state) - start;
        if (longest != NULL)
            *longest = benchmark->threads != 0 ? *pass : *timing.longest;
    }
    cm_team_memory_free(timing.longest, sizeof *timing.longest);
    return status;
}
