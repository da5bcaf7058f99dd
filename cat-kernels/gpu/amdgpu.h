/* The code for AMD's GPUs, as far as others than its writer need to know it. */
#ifndef CM_KERNELS_GPU_AMDGPU_H
#define CM_KERNELS_GPU_AMDGPU_H

#include <stdio.h>

#include "cat-kernels/gpu/gpu.h"

/* Each kernel's description stands in the code object, and in the assembly, as this word, the entry, and "
 * class:count:mask" of each piece; " ;" ends it. */
#define CM_GPU_DESCRIPTION "catmint-kernel "

/* Writes assembly of several kernels, which AMD's GPUs must all have, for one code object. */
cm_status cm_gpu_amdgpu_write(const cm_gpu_kernel *kernels, size_t count, const char *target, FILE *stream,
                              cm_error *error);

#endif
