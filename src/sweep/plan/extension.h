/* Kernels that are not in the registry, swept as those are. */
#ifndef CM_SWEEP_PLAN_EXTENSION_H
#define CM_SWEEP_PLAN_EXTENSION_H

#include <jansson.h>

#include <catmint/kernels.h>

typedef struct cm_sweep_extension {
    const char *benchmark; /* that they are; the registry has none of its name */
    size_t kernel_count;
    const cm_kernel *const *kernels;
    void *const *buffers;   /* what each works on, its data's buffer; NULL: nothing */
    const json_t *options;  /* members that the options in the manifest have beside their own; what resumes the sweep
                               must have the same */
    const json_t *manifest; /* likewise of the manifest; nothing is compared */
} cm_sweep_extension;

#endif
