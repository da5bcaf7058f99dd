/* A kernel with its arguments, as code that the PMU runs. */
#ifndef CM_SWEEP_RUN_KERNEL_CALL_H
#define CM_SWEEP_RUN_KERNEL_CALL_H

#include <catmint/kernels.h>

typedef struct cm_kernel_call {
    void (*body)(uint64_t iterations, cm_kernel_data *data); /* the kernel's */
    uint64_t iterations;
    cm_kernel_data *data;
} cm_kernel_call;

/* Runs the kernel; `call` is a cm_kernel_call. The few instructions of this function itself are counted with the
 * kernel. */
void cm_kernel_call_run(void *call);

#endif
