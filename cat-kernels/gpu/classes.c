/* Instructions of GPU kernels, a row each, and the vendors and the name in code that follow from a kernel's row. */
#include <ctype.h>
#include <stdio.h>

#include "cat-kernels/gpu/gpu.h"

const cm_gpu_class_row cm_gpu_class_table[CM_GPU_CLASSES] = {
#define ROW(id, name, type, vendors, words) {name, words, CM_GPU_TYPE_##type, vendors},
    CM_GPU_CLASS_ROWS(ROW)
#undef ROW
#define ROW(id, name, kind, bytes, stride, place, words) [CM_GPU_##id] = {name, words, CM_GPU_TYPE_NONE, CM_GPU_BOTH},
        CM_GPU_ACCESS_ROWS(ROW)
#undef ROW
#define ROW(id, name, vendors, way, mask, words) [CM_GPU_##id] = {name, words, CM_GPU_TYPE_NONE, vendors},
            CM_GPU_SECTION_ROWS(ROW)
#undef ROW
};

unsigned cm_gpu_kernel_vendors(const cm_gpu_kernel *kernel)
{
    unsigned vendors = kernel->vendors != 0 ? kernel->vendors : CM_GPU_BOTH;
    for (size_t i = 0; i < kernel->piece_count; i++)
        vendors &= cm_gpu_class_table[kernel->pieces[i].class].vendors;
    return vendors;
}

void cm_gpu_entry(const cm_gpu_kernel *kernel, char *entry, size_t size)
{
    static const char *const of[CM_GPU_FAMILIES] = {"", "_of_matrices", "_of_memory", "_of_instructions"};
    bool shared = kernel->piece_count == 0 || kernel->mask == CM_GPU_NOBODY;
    snprintf(entry, size, "catmint_%s%s", kernel->name, shared ? of[kernel->family] : "");
    for (char *c = entry; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
}
