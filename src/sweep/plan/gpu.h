/* Whether a benchmark's kernels run where the session counts: on its GPU, or on the processor. */
#ifndef CM_SWEEP_PLAN_GPU_H
#define CM_SWEEP_PLAN_GPU_H

#include "sweep/plan/state.h"

/* Leaves out the kernels that the session's GPU has no instructions for. CM_UNSUPPORTED where the session has no GPU
 * and the kernels are a GPU's, where its PMU counts a GPU and they are the processor's, or where no kernel is left. */
cm_status cm_sweep_check_gpu(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
