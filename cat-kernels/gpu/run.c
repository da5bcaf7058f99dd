#include "cat-kernels/gpu/run.h"

void cm_gpu_run_body(uint64_t iterations, cm_kernel_data *data)
{
    cm_gpu_run *run = data->buffer;
    const cm_gpu_launch launch = cm_gpu_launch_of(run->backend->vendor, iterations);
    run->status = run->backend->launch(run->loaded, &launch, &run->error);
    if (run->status == CM_OK)
        run->status = run->backend->wait(run->loaded, &run->error);
}
