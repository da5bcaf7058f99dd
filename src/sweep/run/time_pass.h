/* Times the kernels of a benchmark without counting. */
#ifndef CM_SWEEP_RUN_TIME_PASS_H
#define CM_SWEEP_RUN_TIME_PASS_H

#include "sweep/plan/state.h"

/* Seconds of one pass over all kernels, and of the longest time in it without a sign of life; measured in separate
 * processes, which do not change the caller's models. `longest_gap` may be NULL. */
cm_status cm_time_pass(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, double *pass, double *longest_gap,
                       cm_error *error);

#endif
