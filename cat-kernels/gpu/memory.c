/* The numbers in a kernel's memory: in each type's own bits, they stay ordinary numbers for thousands of turns. */
#include <string.h>

#include "cat-kernels/gpu/gpu.h"

/* The bits of one, of an eighth to add to them, of c and of m. Accumulators are 1, 1 1/8 ... 1 7/8; c is 1/64, m just
 * below 1. For matrices c and m are A and B, 1/4 each; for integers any number. Pairs have the same number twice. */
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
};

size_t cm_gpu_memory_size(const cm_gpu_launch *launch)
{
    return CM_GPU_INPUT + (size_t)CM_GPU_OUTPUT * launch->blocks * launch->threads;
}

static void put(unsigned char *at, const struct number *number, uint64_t bits)
{
    for (unsigned i = 0; i < number->copies; i++)
        memcpy(at + (size_t)i * number->size, &bits, number->size);
}

void cm_gpu_memory_fill(const cm_gpu_launch *launch, void *memory)
{
    unsigned char *bytes = memory;
    memset(memory, 0, cm_gpu_memory_size(launch));
    for (size_t type = CM_GPU_TYPE_H; type < CM_GPU_TYPES; type++) {
        const struct number *number = &numbers[type];
        put(bytes + CM_GPU_INPUT_AT(type), number, number->c);
        put(bytes + CM_GPU_INPUT_AT(type) + 8, number, number->m);
        for (size_t thread = 0; thread < (size_t)launch->blocks * launch->threads; thread++)
            for (size_t i = 0; i < CM_GPU_SLOTS; i++)
                put(bytes + CM_GPU_INPUT + CM_GPU_OUTPUT * thread + CM_GPU_SLOT(type, i), number,
                    number->one + number->eighth * ((thread + i) % 8));
    }
}
