/* Kernels of a GPU, loaded at their first run by the process that counts a batch. */
#ifndef CM_SWEEP_RUN_GPU_RUNS_H
#define CM_SWEEP_RUN_GPU_RUNS_H

#include "sweep/run/batch.h"

/* Finds the buffer of the kernel's body: that of the benchmark, or, for a GPU's kernel, its loaded code. */
cm_status cm_gpu_runs_find(cm_batch *batch, size_t kernel, void **buffer, cm_error *error);
/* Unloads them; call before the process ends. No operation if none is loaded. */
void cm_gpu_runs_close(cm_batch *batch);

#endif
