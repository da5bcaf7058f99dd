/* A GPU kernel in the form in which catmint runs kernels: its body launches the loaded kernel, and waits. */
#ifndef CM_KERNELS_GPU_RUN_H
#define CM_KERNELS_GPU_RUN_H

#include <catmint/kernels.h>

#include "cat-kernels/gpu/gpu.h"
#include "gpu/gpu.h"

enum { CM_GPU_MOST_DEVICES = 64 };

/* The cm_kernel_data.buffer of a GPU kernel: the kernel on each device. */
typedef struct cm_gpu_run {
    const cm_gpu_session *session;
    cm_gpu_family family;
    cm_gpu_loaded *loaded[CM_GPU_MOST_DEVICES];
    cm_status status; /* of the last run: a body returns nothing */
    cm_error error;
} cm_gpu_run;

/* Makes code of the kernel and loads it on each device. Close with cm_gpu_run_close, also after a failure. */
cm_status cm_gpu_run_open(cm_gpu_run *run, const cm_gpu_session *session, const cm_gpu_kernel *kernel, cm_error *error);
void cm_gpu_run_close(cm_gpu_run *run);

/* CM_OK, or CM_UNSUPPORTED with the reason why the session's devices cannot run it. */
cm_status cm_gpu_run_check(const cm_gpu_session *session, const cm_gpu_kernel *kernel, cm_error *error);

/* The body of every GPU kernel. */
void cm_gpu_run_body(uint64_t iterations, cm_kernel_data *data);

/* The status of a kernel's last run; CM_OK for a kernel of the processor. */
cm_status cm_gpu_run_outcome(const cm_kernel *kernel, const cm_kernel_data *data, cm_error *error);

/* The description of a kernel of the registry, not to be changed; NULL for one of the processor. */
void *cm_gpu_description(const cm_kernel *kernel);

/* The registry's rows of GPU kernels: one for each of cm_gpu_kernel_table, in its order. */
extern const cm_kernel *const cm_gpu_registered;
extern const size_t cm_gpu_registered_size;

#endif
