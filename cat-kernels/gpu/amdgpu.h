/* The code for AMD's GPUs, as far as others than its writer need to know it. */
#ifndef CM_KERNELS_GPU_AMDGPU_H
#define CM_KERNELS_GPU_AMDGPU_H

#include <stdio.h>

#include "cat-kernels/gpu/gpu.h"

/* Each kernel's description stands in the code object, and in the assembly, as this word, the entry, the
 * mask, for kernels that are not of gpu-flops "@" and the family, and " class:count" of each piece; " ;" ends it. */
#define CM_GPU_DESCRIPTION "catmint-kernel "

/* The registers of the memory's address. */
#define CM_GPU_AMDGPU_MEMORY "s[6:7]"

/* Whether the target, "gfx90a" or "gfx942", has an instruction for the class. */
bool cm_gpu_amdgpu_has(cm_gpu_class class, const char *target);

/* ---- amdgpu_access.c: the parts of assembly for accesses; each kernel of the family loads its near and far regions
 * before the loop ---- */

enum { CM_GPU_AMDGPU_ACCESS_SCALARS = 30 };

/* Before the loop: the thread's number in the launch is in v1. */
void cm_gpu_amdgpu_find_regions(FILE *stream);
/* v1 is the thread's offset in the memory, here and after the loop. */
void cm_gpu_amdgpu_before_accesses(const char *target, FILE *stream);
void cm_gpu_amdgpu_access(const cm_gpu_access *access, unsigned turn, const char *target, FILE *stream);
void cm_gpu_amdgpu_after_accesses(FILE *stream);

/* ---- amdgpu_loader.c ---- */

/* Writes the kernel's descriptor and its description. */
void cm_gpu_amdgpu_descriptor(const cm_gpu_kernel *kernel, const char *entry, FILE *stream);
/* Writes the metadata of all kernels of a code object. */
void cm_gpu_amdgpu_metadata(const cm_gpu_kernel *kernels, size_t count, FILE *stream);

/* Writes assembly of several kernels, which AMD's GPUs must all have, for one code object. */
cm_status cm_gpu_amdgpu_write(const cm_gpu_kernel *kernels, size_t count, const char *target, FILE *stream,
                              cm_error *error);

#endif
