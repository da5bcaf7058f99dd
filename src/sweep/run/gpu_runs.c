#include "sweep/run/run.h"

cm_status cm_gpu_runs_find(cm_batch *batch, size_t kernel, void **buffer, cm_error *error)
{
    const cm_sweep_benchmark *benchmark = batch->benchmark;
    *buffer = benchmark->buffers[kernel];
    if (!cm_kernel_is_of_gpu(benchmark->kernels[kernel]))
        return CM_OK;
    if (batch->gpu_runs == NULL)
        batch->gpu_runs = calloc(benchmark->kernel_count + 1, sizeof *batch->gpu_runs);
    if (batch->gpu_runs == NULL)
        return cm_error_no_memory(error);
    cm_gpu_run *run = &batch->gpu_runs[kernel];
    *buffer = run;
    if (run->session != NULL)
        return CM_OK;
    cm_error reason = {0};
    cm_status status = cm_gpu_run_open(run, batch->state->counting->gpu, benchmark->buffers[kernel], &reason);
    if (status != CM_OK)
        cm_error_set(error, status, NULL, 0, 0, "kernel %s: %s", benchmark->kernels[kernel]->name, reason.text);
    return status;
}

void cm_gpu_runs_close(cm_batch *batch)
{
    for (size_t i = 0; batch->gpu_runs != NULL && i < batch->benchmark->kernel_count; i++)
        cm_gpu_run_close(&batch->gpu_runs[i]);
    free(batch->gpu_runs);
    batch->gpu_runs = NULL;
}
