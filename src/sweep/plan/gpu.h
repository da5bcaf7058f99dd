/* Checks that a benchmark's kernels run on the device whose events are counted: the GPU or the processor. */
#ifndef CM_SWEEP_PLAN_GPU_H
#define CM_SWEEP_PLAN_GPU_H

#include "sweep/plan/state.h"

/* Leaves out kernels whose instructions the session's GPU lacks. CM_UNSUPPORTED if the kernels are a GPU's and the
 * session has no GPU, if its PMU counts a GPU and the kernels are the processor's, or if no kernel is left. */
cm_status cm_sweep_check_gpu(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
