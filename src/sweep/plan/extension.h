/* Kernels outside the registry, swept as those in it. */
#ifndef CM_SWEEP_PLAN_EXTENSION_H
#define CM_SWEEP_PLAN_EXTENSION_H

#include <jansson.h>

#include <catmint/kernels.h>

typedef struct cm_sweep_extension {
    const char *benchmark; /* their benchmark; the registry has none of this name */
    size_t kernel_count;
    const cm_kernel *const *kernels;
    void *const *buffers;   /* one a kernel, the buffer of its data; NULL: none */
    const json_t *options;  /* further members of the manifest's options; a resumed sweep must have the same */
    const json_t *manifest; /* further members of the manifest, which are not compared */
} cm_sweep_extension;

#endif
