/* Writes assembly of all kernels that AMD's GPUs have, for one target. The build makes code objects of it. */
#include <stdio.h>
#include <stdlib.h>

#include "cat-kernels/gpu/amdgpu.h"

static bool has_all_classes(const cm_gpu_kernel *kernel, const char *target)
{
    bool all = (cm_gpu_kernel_vendors(kernel) & CM_GPU_AMD) != 0;
    for (size_t i = 0; all && i < kernel->piece_count; i++)
        all = cm_gpu_amdgpu_has(kernel->pieces[i].class, target);
    return all;
}

static size_t choose_kernels(const char *target, cm_gpu_kernel *kernels)
{
    size_t count = 0;
    for (size_t i = 0; i < cm_gpu_kernel_table_size; i++)
        if (has_all_classes(&cm_gpu_kernel_table[i], target))
            kernels[count++] = cm_gpu_kernel_table[i];
    return count;
}

int main(int count, char **arguments)
{
    cm_error error = {0};
    cm_gpu_kernel *kernels = calloc(cm_gpu_kernel_table_size, sizeof *kernels);
    if (count != 2 || kernels == NULL) {
        fputs("usage: catmint_write_amdgpu gfx90a|gfx942\n", stderr);
        free(kernels);
        return 2;
    }
    cm_status status =
        cm_gpu_amdgpu_write(kernels, choose_kernels(arguments[1], kernels), arguments[1], stdout, &error);
    if (status != CM_OK)
        fprintf(stderr, "%s\n", error.text);
    free(kernels);
    return status == CM_OK && fclose(stdout) == 0 ? 0 : 1;
}
