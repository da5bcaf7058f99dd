/* Kernels of a GPU, loaded when they are first run by the process that counts a batch. */
#ifndef CM_SWEEP_RUN_GPU_RUNS_H
#define CM_SWEEP_RUN_GPU_RUNS_H

#include "sweep/run/batch.h"

/* What the kernel's body works on: what the benchmark says, or, of a GPU's, where it is loaded. */
cm_status cm_gpu_runs_find(cm_batch *batch, size_t kernel, void **buffer, cm_error *error);
/* Unloads them; before the process ends, and harmless where none is loaded. */
void cm_gpu_runs_close(cm_batch *batch);

#endif
