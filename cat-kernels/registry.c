/* Finds kernels: those of this architecture, then those of GPUs. */
#include "cat-kernels/registry.h"

#include "cat-kernels/gpu/run.h"

#include <string.h>

size_t cm_kernel_count(void)
{
    return cm_kernel_table_size + cm_gpu_registered_size;
}

const cm_kernel *cm_kernel_get(size_t index)
{
    if (index < cm_kernel_table_size)
        return &cm_kernel_table[index];
    return index < cm_kernel_count() ? &cm_gpu_registered[index - cm_kernel_table_size] : NULL;
}

const cm_kernel *cm_kernel_find(const char *benchmark, const char *name)
{
    for (size_t i = 0; i < cm_kernel_count(); i++) {
        const cm_kernel *kernel = cm_kernel_get(i);
        if (strcmp(kernel->benchmark, benchmark) == 0 && strcmp(kernel->name, name) == 0)
            return kernel;
    }
    return NULL;
}

bool cm_kernel_available(const cm_kernel *kernel)
{
    return (kernel->isa & ~cm_isa_available()) == 0; /* for a GPU's kernel, no bits of this processor */
}
