#include "sweep/run/run.h"

/* Far more than any pass takes: a kernel that is still running does not end. */
static const double timeout = 600.0;

static bool may_time_on(size_t steps, void *data)
{
    (void)steps;
    const cm_batch *batch = data;
    return !cm_sweep_stopped(batch->state);
}

cm_status cm_time_pass(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, double *pass, double *longest_gap,
                       cm_error *error)
{
    cm_sweep_options once = *state->options;
    once.repetitions = 1;
    cm_sweep_state alone = *state;
    alone.options = &once;
    cm_batch batch = {.state = &alone, .benchmark = benchmark}; /* without sets */
    batch.threads = benchmark->threads != 0 ? benchmark->threads : 1;
    cm_team_job job = cm_batch_job(&batch);
    job.timeout = timeout;
    job.watch = may_time_on;
    job.longest_gap = longest_gap;
    double start = cm_sweep_seconds(state);
    cm_status status = cm_team_run(&job, NULL, error);
    if (status == CM_OK)
        *pass = cm_sweep_seconds(state) - start;
    return status;
}
