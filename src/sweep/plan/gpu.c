#include "sweep/plan/plan.h"

#include "cat-kernels/gpu/run.h"

/* Tries whether the driver of a machine's GPU loads the kernel. */
static cm_status load_once(const cm_gpu_session *session, const cm_gpu_kernel *kernel, cm_error *error)
{
    cm_gpu_run run;
    cm_status status = cm_gpu_run_open(&run, session, kernel, error);
    cm_gpu_run_close(&run);
    return status;
}

/* Leaves out kernels that the GPU cannot run, or its driver refuses; CM_UNSUPPORTED if no kernel is left. */
static cm_status keep_what_runs(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    const cm_gpu_session *session = state->counting->gpu;
    size_t kept = 0, refused = 0, first = 0;
    cm_error reason = {0};
    for (size_t i = 0; i < benchmark->kernel_count; i++) {
        cm_status status = cm_gpu_run_check(session, benchmark->buffers[i], &reason);
        if (status == CM_OK && state->counting->model == NULL) {
            status = load_once(session, benchmark->buffers[i], &reason);
            first = status == CM_UNSUPPORTED && refused++ == 0 ? benchmark->left_out_count : first;
        }
        if (status == CM_UNSUPPORTED) {
            cm_left_out *left = &benchmark->left_out[benchmark->left_out_count++];
            left->kernel = benchmark->kernels[i];
            snprintf(left->reason, sizeof left->reason, "%.250s", reason.text);
            continue;
        }
        if (status != CM_OK)
            return CM_FAIL(error, status, "%s", reason.text);
        benchmark->kernels[kept] = benchmark->kernels[i];
        benchmark->buffers[kept] = benchmark->buffers[i];
        benchmark->iterations[kept++] = benchmark->iterations[i];
    }
    benchmark->kernel_count = kept;
    if (refused != 0 && benchmark->kernel_count != 0)
        cm_sweep_write_message(state, "%s: the driver refuses %zu %s left out, %s for one: %s", benchmark->name,
                               refused, cm_plural(refused, "kernel, which is", "kernels, which are"),
                               benchmark->left_out[first].kernel->name, benchmark->left_out[first].reason);
    return kept != 0 ? CM_OK
                     : CM_FAIL(error, CM_UNSUPPORTED, "this GPU cannot run any kernel of %s: %s", benchmark->name,
                               reason.text);
}

cm_status cm_sweep_check_gpu(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    const cm_counting *counting = state->counting;
    bool of_gpu = benchmark->kernel_count != 0 && cm_kernel_is_of_gpu(benchmark->kernels[0]);
    if (of_gpu && counting->gpu == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "%s runs on a GPU, and the PMU %s counts a processor: expected --pmu hardware if there is a "
                       "GPU, or --pmu software:hopper",
                       benchmark->name, counting->pmu);
    if (!of_gpu && counting->model != NULL && cm_pmu_model_machine(counting->model)->gpu[0] != '\0')
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "%s runs on the processor, and the PMU %s counts a GPU: expected a benchmark of GPUs",
                       benchmark->name, counting->pmu);
    return of_gpu ? keep_what_runs(state, benchmark, error) : CM_OK;
}
