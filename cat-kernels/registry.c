/* Finds kernels, whichever the architecture has. */
#include "cat-kernels/registry.h"

#include <string.h>

size_t cm_kernel_count(void)
{
    return cm_kernel_table_size;
}

const cm_kernel *cm_kernel_get(size_t index)
{
    return index < cm_kernel_table_size ? &cm_kernel_table[index] : NULL;
}

const cm_kernel *cm_kernel_find(const char *benchmark, const char *name)
{
    for (size_t i = 0; i < cm_kernel_table_size; i++)
        if (strcmp(cm_kernel_table[i].benchmark, benchmark) == 0 && strcmp(cm_kernel_table[i].name, name) == 0)
            return &cm_kernel_table[i];
    return NULL;
}

bool cm_kernel_available(const cm_kernel *kernel)
{
    return (kernel->isa & ~cm_isa_available()) == 0;
}
