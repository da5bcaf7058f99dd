/* Runs one benchmark of a sweep. */
#ifndef CM_SWEEP_RUN_RUN_H
#define CM_SWEEP_RUN_RUN_H

#include "sweep/plan/state.h"

/* Runs all planned sets over the kernels of one benchmark and writes their counts. */
cm_status cm_sweep_run_benchmark(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
