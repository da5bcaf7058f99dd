/* A GPU kernel in the form in which catmint runs kernels: its body launches what the run has loaded, and waits. */
#ifndef CM_KERNELS_GPU_RUN_H
#define CM_KERNELS_GPU_RUN_H

#include <catmint/kernels.h>

#include "cat-kernels/gpu/gpu.h"

#define CM_GPU_BENCHMARK "gpu-flops"

/* What cm_kernel_data.buffer of a GPU kernel is. */
typedef struct cm_gpu_run {
    const cm_gpu_backend *backend;
    cm_gpu_loaded *loaded;
    cm_status status; /* of the last run: a body returns nothing */
    cm_error error;
} cm_gpu_run;

/* The body of every GPU kernel. */
void cm_gpu_run_body(uint64_t iterations, cm_kernel_data *data);

static inline bool cm_kernel_is_of_gpu(const cm_kernel *kernel)
{
    return kernel->body == cm_gpu_run_body;
}

/* What the registry has of them: one of each of cm_gpu_kernel_table, in its order. */
extern const cm_kernel *const cm_gpu_registered;
extern const size_t cm_gpu_registered_size;

#endif
