/* The numbers in a kernel's memory: in each type's own bits, they stay ordinary numbers for thousands of turns. */
#include <string.h>

#include "cat-kernels/gpu/gpu.h"

/* The bits of one, of an eighth to add to them, of c and of m. Accumulators are 1, 1 1/8 ... 1 7/8; c is 1/64, m just
 * below 1. For matrices c and m are A and B, 1/4 each; for integers any number. Pairs have the same number twice. All
 * numbers of a fragment are the same, since which of them a lane holds is not documented. AMD's FP8 and BF8 have
 * exponents larger by one than NVIDIA's. */
static const struct number {
    unsigned size, copies;
    uint64_t one, eighth, c, m;
} numbers[CM_GPU_TYPES] = {
    [CM_GPU_TYPE_H] = {2, 1, 0x3c00, 0x80, 0x2400, 0x3bff},
    [CM_GPU_TYPE_S] = {4, 1, 0x3f800000, 0x100000, 0x3c800000, 0x3f7fffff},
    [CM_GPU_TYPE_D] = {8, 1, 0x3ff0000000000000, 0x2000000000000, 0x3f90000000000000, 0x3fefffffffffffff},
    [CM_GPU_TYPE_H2] = {2, 2, 0x3c00, 0x80, 0x2400, 0x3bff},
    [CM_GPU_TYPE_S2] = {4, 2, 0x3f800000, 0x100000, 0x3c800000, 0x3f7fffff},
    [CM_GPU_TYPE_B] = {2, 1, 0x3f80, 0x10, 0x3c80, 0x3f7f},
    [CM_GPU_TYPE_B2] = {2, 2, 0x3f80, 0x10, 0x3c80, 0x3f7f},
    [CM_GPU_TYPE_MH] = {4, 1, 0x3f800000, 0x100000, 0x34003400, 0x34003400},
    [CM_GPU_TYPE_MB] = {4, 1, 0x3f800000, 0x100000, 0x3e803e80, 0x3e803e80},
    [CM_GPU_TYPE_MS] = {4, 1, 0x3f800000, 0x100000, 0x3e800000, 0x3e800000},
    [CM_GPU_TYPE_MD] = {8, 1, 0x3ff0000000000000, 0x2000000000000, 0x3fd0000000000000, 0x3fd0000000000000},
    [CM_GPU_TYPE_I] = {4, 1, 0x9e3779b9, 0x1f123bb6, 0x7f4a7c15, 0x85ebca6b},
    [CM_GPU_TYPE_MHH] = {2, 2, 0x3c00, 0x80, 0x3400, 0x3400},
    [CM_GPU_TYPE_MT] = {4, 1, 0x3f800000, 0x100000, 0x3e800000, 0x3e800000},
    [CM_GPU_TYPE_MDW] = {8, 1, 0x3ff0000000000000, 0x2000000000000, 0x3fd0000000000000, 0x3fd0000000000000},
    [CM_GPU_TYPE_MI] = {4, 1, 1, 1, 0x017f80ff, 0x02fe3c05},
    [CM_GPU_TYPE_MI2] = {4, 1, 1, 1, 0x017f80ff, 0x02fe3c05},
    [CM_GPU_TYPE_MD4] = {8, 1, 0x3ff0000000000000, 0x2000000000000, 0x3fd0000000000000, 0x3fd0000000000000},
    [CM_GPU_TYPE_WH] = {4, 2, 0x3f800000, 0x100000, 0x34003400, 0x34003400},
    [CM_GPU_TYPE_WHH] = {2, 4, 0x3c00, 0x80, 0x3400, 0x3400},
    [CM_GPU_TYPE_WB] = {4, 2, 0x3f800000, 0x100000, 0x3e803e80, 0x3e803e80},
    [CM_GPU_TYPE_WT] = {4, 2, 0x3f800000, 0x100000, 0x3e800000, 0x3e800000},
    [CM_GPU_TYPE_WD] = {8, 1, 0x3ff0000000000000, 0x2000000000000, 0x3fd0000000000000, 0x3fd0000000000000},
    [CM_GPU_TYPE_WI] = {4, 2, 1, 1, 0xfdfdfdfd, 0x05050505},
    [CM_GPU_TYPE_ME4] = {4, 1, 0x3f800000, 0x100000, 0x28282828, 0x28282828},
    [CM_GPU_TYPE_ME5] = {4, 1, 0x3f800000, 0x100000, 0x34343434, 0x34343434},
    [CM_GPU_TYPE_MF8] = {4, 1, 0x3f800000, 0x100000, 0x30303030, 0x30303030},
    [CM_GPU_TYPE_MG8] = {4, 1, 0x3f800000, 0x100000, 0x38383838, 0x38383838},
    [CM_GPU_TYPE_MSI] = {4, 1, 1, 1, 0xfdfdfdfd, 0xfdfdfdfd},
};

const cm_gpu_layout *cm_gpu_layout_of(cm_gpu_family family)
{
    static const cm_gpu_layout layouts[CM_GPU_FAMILIES] = {
        [CM_GPU_FLOPS] = {CM_GPU_TYPE_I + 1, CM_GPU_INPUT, CM_GPU_OUTPUT},
        [CM_GPU_MATRIX] = {CM_GPU_TYPES, 2 * CM_GPU_INPUT, 2 * CM_GPU_OUTPUT},
        [CM_GPU_MEMORY] = {CM_GPU_TYPES, 2 * CM_GPU_INPUT, 2 * CM_GPU_OUTPUT},
        [CM_GPU_INSTRUCTIONS] = {CM_GPU_TYPES, 2 * CM_GPU_INPUT, 2 * CM_GPU_OUTPUT},
    };
    return &layouts[family];
}
_Static_assert(CM_GPU_CURSOR_AT == 2 * CM_GPU_INPUT, "a stream is in the first slot");
_Static_assert(CM_GPU_INPUT_AT(CM_GPU_TYPES) <= 2 * CM_GPU_INPUT && CM_GPU_SLOT(CM_GPU_TYPES, 0) <= 2 * CM_GPU_OUTPUT,
               "all types have room");

size_t cm_gpu_memory_size(cm_gpu_family family, const cm_gpu_launch *launch)
{
    const cm_gpu_layout *layout = cm_gpu_layout_of(family);
    return layout->input + layout->output * launch->blocks * launch->threads;
}

size_t cm_gpu_memory_capacity(cm_gpu_family family, const cm_gpu_launch *launch)
{
    enum { LEAST_LANES = 32 };
    size_t warps = (launch->threads + LEAST_LANES - 1) / LEAST_LANES * (size_t)launch->blocks;
    if (family < CM_GPU_MEMORY)
        return cm_gpu_memory_size(family, launch);
    return CM_GPU_STREAMS_AT + warps * CM_GPU_STREAM + CM_GPU_STREAM_STEP;
}

static void write_copies(unsigned char *at, const struct number *number, uint64_t bits)
{
    for (unsigned i = 0; i < number->copies; i++)
        memcpy(at + (size_t)i * number->size, &bits, number->size);
}

void cm_gpu_memory_fill(cm_gpu_family family, const cm_gpu_launch *launch, void *memory)
{
    const cm_gpu_layout *layout = cm_gpu_layout_of(family);
    unsigned char *bytes = memory;
    memset(memory, 0, cm_gpu_memory_size(family, launch));
    for (size_t type = CM_GPU_TYPE_H; type < layout->types; type++) {
        const struct number *number = &numbers[type];
        write_copies(bytes + CM_GPU_INPUT_AT(type), number, number->c);
        write_copies(bytes + CM_GPU_INPUT_AT(type) + 8, number, number->m);
        for (size_t thread = 0; thread < (size_t)launch->blocks * launch->threads; thread++)
            for (size_t i = 0; i < CM_GPU_SLOTS; i++)
                write_copies(bytes + layout->input + layout->output * thread + CM_GPU_SLOT(type, i), number,
                             number->one + number->eighth * ((thread + i) % 8));
    }
}
