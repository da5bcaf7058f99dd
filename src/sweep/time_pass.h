/* How long the kernels of a benchmark take, nothing being counted. */
#ifndef CM_SWEEP_TIME_PASS_H
#define CM_SWEEP_TIME_PASS_H

#include "sweep/state.h"

/* Seconds of one pass over all kernels, and of the longest of them (of the whole pass where a team runs them); measured
 * in a process of its own, which leaves no trace in the caller's models. `longest` may be NULL. */
cm_status cm_time_pass(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, double *pass, double *longest,
                       cm_error *error);

#endif
