/* The facts of GPU kernels, from their description. */
#include "cat-kernels/gpu/gpu.h"

cm_gpu_unit cm_gpu_program_unit(cm_gpu_vendor vendor)
{
    return vendor == CM_GPU_NVIDIA ? CM_GPU_THREADS : CM_GPU_WARPS;
}

/* Adds the additions and branches of a section: of one thread, or, of no thread, of a warp or wavefront. */
static void add_section(const cm_gpu_kernel *kernel, const cm_gpu_section *section, const unsigned *thread,
                        uint64_t times, uint64_t *counts)
{
    bool within = thread == NULL || (*thread & section->mask) == 0, nvidia = kernel->vendors == CM_GPU_NVIDIA;
    switch (section->way) {
    case CM_GPU_WAY_TAKEN: counts[CM_GPU_BRANCH] += times; break;
    case CM_GPU_WAY_TESTED: counts[CM_GPU_COMPARE] += nvidia ? times : 0; /* fall through */
    case CM_GPU_WAY_NOT_TAKEN:
        counts[CM_GPU_BRANCH] += thread == NULL ? times : 0;
        counts[CM_GPU_INT_ADD] += times;
        break;
    case CM_GPU_WAY_PART:
        counts[CM_GPU_BRANCH] += nvidia && (thread == NULL || !within) ? times : 0;
        counts[CM_GPU_INT_ADD] += within ? CM_GPU_INSIDE * times : 0;
        break;
    default: break;
    }
}

/* Adds the facts of a turn: of one thread, or, of no thread, of a warp or wavefront. */
static void add_turn(const cm_gpu_kernel *kernel, const unsigned *thread, uint64_t *counts)
{
    for (size_t i = 0; i < kernel->piece_count; i++) {
        const cm_gpu_piece *piece = &kernel->pieces[i];
        const cm_gpu_access *access = cm_gpu_access_of(piece->class);
        const cm_gpu_section *section = cm_gpu_section_of(piece->class);
        counts[piece->class] += piece->count;
        counts[CM_GPU_SYNC] += cm_gpu_is_of_groups(piece->class) ? CM_GPU_SYNCS : 0;
        if (section != NULL)
            add_section(kernel, section, thread, piece->count, counts);
        if (access == NULL)
            continue;
        const cm_gpu_beside beside = cm_gpu_access_beside(access, (cm_gpu_vendor)kernel->vendors);
        counts[CM_GPU_INT_ADD] += (uint64_t)beside.add * piece->count;
        counts[CM_GPU_INT_LOGIC] += (uint64_t)beside.logic * piece->count;
        counts[CM_GPU_INT_MUL] += (uint64_t)beside.multiply * piece->count;
    }
    counts[CM_GPU_INT_ADD]++;
    counts[CM_GPU_COMPARE]++;
    counts[CM_GPU_BRANCH]++;
}

void cm_gpu_thread_facts(const cm_gpu_kernel *kernel, unsigned thread, uint64_t *counts)
{
    if (cm_gpu_enters(kernel->mask, thread))
        add_turn(kernel, &thread, counts);
}

void cm_gpu_warp_facts(const cm_gpu_kernel *kernel, unsigned first, unsigned warp, cm_gpu_unit unit, uint64_t *counts)
{
    bool enters = false;
    for (unsigned lane = 0; lane < warp; lane++) {
        enters |= cm_gpu_enters(kernel->mask, first + lane);
        if (unit == CM_GPU_THREADS)
            cm_gpu_thread_facts(kernel, first + lane, counts);
    }
    if (unit == CM_GPU_WARPS && enters)
        add_turn(kernel, NULL, counts);
}

enum { WARP_OF_NVIDIA = 32 };

/* Whether the thread is the first of its warp that enters the loop. */
static bool is_first(const cm_gpu_kernel *kernel, unsigned thread)
{
    unsigned first = thread - thread % WARP_OF_NVIDIA;
    while (!cm_gpu_enters(kernel->mask, first))
        first++;
    return first == thread;
}

void cm_gpu_launch_facts(const cm_gpu_kernel *kernel, const cm_gpu_launch *launch, unsigned warp, cm_gpu_unit unit,
                         uint64_t *counts)
{
    uint64_t block[CM_GPU_CLASSES] = {0};
    for (unsigned first = 0; first < launch->threads; first += warp)
        cm_gpu_warp_facts(kernel, first, warp, unit, block);
    for (size_t i = 0; i < CM_GPU_CLASSES; i++)
        counts[i] += block[i] * launch->blocks * launch->trips;
    for (unsigned thread = 0; warp == WARP_OF_NVIDIA && thread < launch->threads; thread++) {
        bool enters = cm_gpu_enters(kernel->mask, thread);
        if (unit == CM_GPU_THREADS ? !enters && kernel->mask != CM_GPU_NOBODY : enters && is_first(kernel, thread))
            counts[CM_GPU_BRANCH] += launch->blocks;
    }
}

cm_gpu_launch cm_gpu_launch_of(cm_gpu_vendor vendor, cm_gpu_family family, uint64_t iterations)
{
    enum { BLOCKS = 2, THREADS = 64 }; /* one wavefront a block on AMD's GPUs, two warps on NVIDIA's */
    uint64_t units = vendor == CM_GPU_NVIDIA ? BLOCKS * THREADS : BLOCKS;
    uint64_t trips = iterations / units;
    bool one = vendor == CM_GPU_NVIDIA && family != CM_GPU_FLOPS;
    return (cm_gpu_launch){one ? 1 : BLOCKS, one ? CM_GPU_GROUP : THREADS, (uint32_t)(trips != 0 ? trips : 1)};
}
