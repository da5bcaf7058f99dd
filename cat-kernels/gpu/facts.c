/* The facts of GPU kernels, from their description. */
#include "cat-kernels/gpu/gpu.h"

const cm_gpu_class_row cm_gpu_class_table[CM_GPU_CLASSES] = {
#define ROW(id, name, type, vendors, words) {name, words, CM_GPU_TYPE_##type, vendors},
    CM_GPU_CLASS_ROWS(ROW)
#undef ROW
};

unsigned cm_gpu_kernel_vendors(const cm_gpu_kernel *kernel)
{
    unsigned vendors = kernel->vendors != 0 ? kernel->vendors : CM_GPU_BOTH;
    for (size_t i = 0; i < kernel->piece_count; i++)
        vendors &= cm_gpu_class_table[kernel->pieces[i].class].vendors;
    return vendors;
}

cm_gpu_unit cm_gpu_program_unit(cm_gpu_vendor vendor)
{
    return vendor == CM_GPU_NVIDIA ? CM_GPU_THREADS : CM_GPU_WARPS;
}

static void add_turn(const cm_gpu_kernel *kernel, uint64_t *counts)
{
    for (size_t i = 0; i < kernel->piece_count; i++)
        counts[kernel->pieces[i].class] += kernel->pieces[i].count;
    counts[CM_GPU_INT_ADD]++;
    counts[CM_GPU_COMPARE]++;
    counts[CM_GPU_BRANCH]++;
}

void cm_gpu_thread_facts(const cm_gpu_kernel *kernel, unsigned thread, uint64_t *counts)
{
    if ((thread & kernel->mask) == 0)
        add_turn(kernel, counts);
}

void cm_gpu_warp_facts(const cm_gpu_kernel *kernel, unsigned first, unsigned warp, cm_gpu_unit unit, uint64_t *counts)
{
    bool enters = false;
    for (unsigned lane = 0; lane < warp; lane++) {
        enters |= ((first + lane) & kernel->mask) == 0;
        if (unit == CM_GPU_THREADS)
            cm_gpu_thread_facts(kernel, first + lane, counts);
    }
    if (unit == CM_GPU_WARPS && enters)
        add_turn(kernel, counts);
}

void cm_gpu_launch_facts(const cm_gpu_kernel *kernel, const cm_gpu_launch *launch, unsigned warp, cm_gpu_unit unit,
                         uint64_t *counts)
{
    uint64_t block[CM_GPU_CLASSES] = {0};
    for (unsigned first = 0; first < launch->threads; first += warp)
        cm_gpu_warp_facts(kernel, first, warp, unit, block);
    for (size_t i = 0; i < CM_GPU_CLASSES; i++)
        counts[i] += block[i] * launch->blocks * launch->trips;
    for (unsigned thread = 0; unit == CM_GPU_THREADS && thread < launch->threads; thread++) {
        bool enters = (thread & kernel->mask) == 0;
        counts[CM_GPU_BRANCH] += enters ? 0 : launch->blocks;
        counts[CM_GPU_BRANCH] -= enters ? launch->blocks : 0;
    }
}

cm_gpu_launch cm_gpu_launch_of(cm_gpu_vendor vendor, uint64_t iterations)
{
    enum { BLOCKS = 2, THREADS = 64 }; /* one wavefront a block on AMD's GPUs, two warps on NVIDIA's */
    uint64_t units = vendor == CM_GPU_NVIDIA ? BLOCKS * THREADS : BLOCKS;
    uint64_t trips = iterations / units;
    return (cm_gpu_launch){BLOCKS, THREADS, (uint32_t)(trips != 0 ? trips : 1)};
}
