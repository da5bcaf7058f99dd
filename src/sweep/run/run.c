#include "sweep/run/run.h"

cm_status cm_sweep_run_benchmark(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    cm_status status = CM_OK;
    state->progress.benchmark = benchmark->name;
    state->progress.events = 0;
    if (state->resumed) {
        state->counted = benchmark->kept;
        for (size_t i = 0; i < state->plan_count; i++)
            cm_plan_clear(&state->plans[i]);
        status = cm_sweep_plan(state, error);
    }
    return status == CM_OK ? cm_worker_pool_run(state, benchmark, error) : status;
}
