/* The code for AMD's GPUs, as far as others than its writer need to know it. */
#ifndef CM_KERNELS_GPU_AMDGPU_H
#define CM_KERNELS_GPU_AMDGPU_H

#include <stdio.h>

#include "cat-kernels/gpu/gpu.h"

/* Each kernel's description stands in the code object, and in the assembly, as this word, the entry, the
 * mask, for kernels that are not of gpu-flops "@" and the family, and " class:count" of each piece; " ;" ends it. */
#define CM_GPU_DESCRIPTION "catmint-kernel "

/* Whether the target, "gfx90a" or "gfx942", has an instruction for the class. */
bool cm_gpu_amdgpu_has(cm_gpu_class class, const char *target);

/* Writes assembly of several kernels, which AMD's GPUs must all have, for one code object. */
cm_status cm_gpu_amdgpu_write(const cm_gpu_kernel *kernels, size_t count, const char *target, FILE *stream,
                              cm_error *error);

#endif
