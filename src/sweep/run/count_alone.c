/* Counts a batch in one process, a worker. */
#include "sweep/run/run.h"

/* Finds the buffer of the kernel's body: that of the benchmark, or, for a GPU's kernel, its loaded code. */
static cm_status find_gpu_run(cm_batch *batch, size_t kernel, void **buffer, cm_error *error)
{
    const cm_sweep_benchmark *benchmark = batch->benchmark;
    *buffer = benchmark->buffers[kernel];
    if (!cm_kernel_is_of_gpu(benchmark->kernels[kernel]))
        return CM_OK;
    if (batch->gpu_runs == NULL)
        if (!CM_ALLOCATE(batch->gpu_runs, benchmark->kernel_count + 1))
            return cm_error_no_memory(error);
    cm_gpu_run *run = &batch->gpu_runs[kernel];
    *buffer = run;
    if (run->session != NULL)
        return CM_OK;
    cm_error reason = {0};
    cm_status status = cm_gpu_run_open(run, batch->state->counting->gpu, benchmark->buffers[kernel], &reason);
    if (status != CM_OK)
        CM_FAIL(error, status, "kernel %s: %s", benchmark->kernels[kernel]->name, reason.text);
    return status;
}

/* Warms up pages, instruction cache, predictor and vector units. The software PMU needs only the code in its cache; the
 * other state of its models between kernels is part of the model. */
static cm_status warm_up_kernel(cm_batch *batch, const cm_kernel *kernel, cm_error *error)
{
    cm_kernel_data *data = &batch->benchmark->data;
    if (cm_counting_software_pmu(batch->state->counting) != NULL)
        return cm_batch_warm_up(batch, kernel, 1, data, error);
    if (cm_kernel_is_of_gpu(kernel)) /* a GPU's kernel may fail */
        return cm_batch_warm_up(batch, kernel, kernel->software_iterations, data, error);
    kernel->body(kernel->software_iterations, data);
    return CM_OK;
}

/* Puts the kernel's chain into its cache. Other kernels ran since the last repetition, on other lines. */
static cm_status warm_up_chain(cm_batch *batch, size_t kernel, cm_kernel_data *data, cm_error *error)
{
    const cm_sweep_benchmark *benchmark = batch->benchmark;
    const cm_placement *placement = &benchmark->placements[kernel];
    cm_status status = CM_OK;
    if (batch->chase.chain == NULL)
        status = cm_chase_open(&batch->chase, benchmark->placements, benchmark->kernel_count,
                               cm_counting_software_pmu(batch->state->counting), error);
    CM_THEN(status, cm_chase_build(&batch->chase, placement, kernel + 1, error));
    data->buffer = batch->chase.chain;
    uint64_t length = placement->extent / placement->stride * cm_warm_up_passes(benchmark->kernels[kernel]);
    return status == CM_OK ? cm_batch_warm_up(batch, benchmark->kernels[kernel], length, data, error) : status;
}

/* Warms up, and counts the kernel in a repetition; or takes the facts that an earlier batch kept of that run. */
static cm_status count_kernel(cm_batch *batch, size_t repetition, size_t kernel, cm_error *error)
{
    if (cm_replay_is_complete(batch))
        return cm_batch_replay(batch, 0, repetition, kernel, error);
    cm_status status = find_gpu_run(batch, kernel, &batch->benchmark->data.buffer, error);
    cm_kernel_data of_chain = {0}, *data = &batch->benchmark->data;
    if (batch->benchmark->kernels[kernel]->level != 0) {
        data = &of_chain;
        CM_THEN(status, warm_up_chain(batch, kernel, data, error));
    } else {
        CM_THEN(status, warm_up_kernel(batch, batch->benchmark->kernels[kernel], error));
    }
    return status == CM_OK ? cm_batch_count(batch, 0, repetition, kernel, data, error) : status;
}

cm_status cm_batch_work_alone(cm_team_member *member, void *data, cm_error *error)
{
    cm_batch *batch = data;
    _Alignas(64) cm_kernel_call call; /* within one cache line, wherever the system places the stack */
    batch->call = &call;
    cm_status status = cm_batch_open(batch, error);
    /* Counts once in vain: the dynamic linker looks up the functions that start and stop counters at their first call,
     * which would be counted. */
    if (status == CM_OK && cm_counting_software_pmu(batch->state->counting) == NULL)
        status = count_kernel(batch, 0, 0, error);
    for (size_t r = 0; status == CM_OK && r < cm_sweep_repetitions(batch->state, batch->benchmark); r++) {
        cm_software_pmu *software = cm_counting_software_pmu(batch->state->counting);
        if (software != NULL)
            cm_software_pmu_seed(software, r + 1);
        for (size_t kernel = 0; status == CM_OK && kernel < batch->benchmark->kernel_count; kernel++) {
            status = count_kernel(batch, r, kernel, error);
            cm_team_alive(member, true);
        }
    }
    /* Unloads the GPU's kernels, if any are loaded. */
    for (size_t i = 0; batch->gpu_runs != NULL && i < batch->benchmark->kernel_count; i++)
        cm_gpu_run_close(&batch->gpu_runs[i]);
    free(batch->gpu_runs);
    batch->gpu_runs = NULL;
    cm_chase_close(&batch->chase);
    cm_batch_close(batch);
    return status;
}
