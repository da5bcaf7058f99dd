/* All GPU kernels, in the order of their basis, followed by controls. A kernel is a row here and a row of
 * bases/gpu/facts.csv. */
#include "cat-kernels/gpu/gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cat-kernels/gpu/run.h"
#include "cat-kernels/registry.h"

enum { HARDWARE_ITERATIONS = 1 << 20, SOFTWARE_ITERATIONS = CM_GPU_ITERATIONS };

/* X(vendors, mask, "name", pieces ...). On NVIDIA's GPUs a thread that skips the loop executes nothing; on AMD's its
 * wavefront still executes, so that a kernel with a mask has other facts there. */
#define PIECE(class, count)                                                                                            \
    {                                                                                                                  \
        CM_GPU_##class, count                                                                                          \
    }
#define SIZES(X, symbol, class, small, middle, large)                                                                  \
    X(0, 0, #symbol "." #small, PIECE(class, small))                                                                   \
    X(0, 0, #symbol "." #middle, PIECE(class, middle))                                                                 \
    X(0, 0, #symbol "." #large, PIECE(class, large))
#define PRECISIONS(X, symbol, class, small, middle, large)                                                             \
    SIZES(X, symbol##_H, H_##class, small, middle, large)                                                              \
    SIZES(X, symbol##_S, S_##class, small, middle, large)                                                              \
    SIZES(X, symbol##_D, D_##class, small, middle, large)
#define MIXTURES(X, type)                                                                                              \
    X(0, 0, #type "_ADD3_MUL1.48", PIECE(type##_ADD, 36), PIECE(type##_MUL, 12))                                       \
    X(0, 0, #type "_ADD1_MUL3.48", PIECE(type##_ADD, 12), PIECE(type##_MUL, 36))                                       \
    X(0, 0, #type "_SUB1_FMA1.48", PIECE(type##_SUB, 24), PIECE(type##_FMA, 24))
#define KERNELS(X)                                                                                                     \
    PRECISIONS(X, A, ADD, 24, 48, 96)                                                                                  \
    PRECISIONS(X, S, SUB, 24, 48, 96)                                                                                  \
    PRECISIONS(X, M, MUL, 24, 48, 96)                                                                                  \
    PRECISIONS(X, SQ, SQRT, 24, 48, 96)                                                                                \
    PRECISIONS(X, F, FMA, 12, 24, 48)                                                                                  \
    MIXTURES(X, H)                                                                                                     \
    MIXTURES(X, S)                                                                                                     \
    MIXTURES(X, D)                                                                                                     \
    X(CM_GPU_NVIDIA, 1, "masked_H.72", PIECE(H_ADD, 24), PIECE(H_MUL, 24), PIECE(H_FMA, 24))                           \
    X(CM_GPU_NVIDIA, 1, "masked_S.96", PIECE(S_ADD, 24), PIECE(S_MUL, 24), PIECE(S_FMA, 24), PIECE(S_SQRT, 24))        \
    X(CM_GPU_NVIDIA, 1, "masked_D.72", PIECE(D_ADD, 24), PIECE(D_MUL, 24), PIECE(D_FMA, 24))                           \
    X(0, 0, "int_add.48", PIECE(INT_ADD, 48))                                                                          \
    X(0, 0, "int_mul.48", PIECE(INT_MUL, 48))                                                                          \
    X(0, 0, "int_logic.48", PIECE(INT_LOGIC, 48))                                                                      \
    X(0, 0, "int_shift.48", PIECE(INT_SHIFT, 48))                                                                      \
    X(0, 0, "matrix_h.16", PIECE(MATRIX_H, 16))                                                                        \
    X(0, 0, "matrix_b.16", PIECE(MATRIX_B, 16))                                                                        \
    X(0, 0, "matrix_s.16", PIECE(MATRIX_S, 16))                                                                        \
    X(0, 0, "matrix_d.16", PIECE(MATRIX_D, 16))                                                                        \
    X(0, 0, "convert.24", PIECE(CONVERT, 24))                                                                          \
    X(0, 0, "special.24", PIECE(SPECIAL, 24))                                                                          \
    X(0, 0, "h2_add.48", PIECE(H2_ADD, 48))                                                                            \
    X(0, 0, "h2_sub.48", PIECE(H2_SUB, 48))                                                                            \
    X(0, 0, "h2_mul.48", PIECE(H2_MUL, 48))                                                                            \
    X(0, 0, "h2_fma.24", PIECE(H2_FMA, 24))                                                                            \
    X(0, 0, "s2_add.48", PIECE(S2_ADD, 48))                                                                            \
    X(0, 0, "s2_mul.48", PIECE(S2_MUL, 48))                                                                            \
    X(0, 0, "s2_fma.24", PIECE(S2_FMA, 24))                                                                            \
    X(0, 0, "b_add.48", PIECE(B_ADD, 48))                                                                              \
    X(0, 0, "b_sub.48", PIECE(B_SUB, 48))                                                                              \
    X(0, 0, "b_mul.48", PIECE(B_MUL, 48))                                                                              \
    X(0, 0, "b_fma.24", PIECE(B_FMA, 24))                                                                              \
    X(0, 0, "b2_add.48", PIECE(B2_ADD, 48))                                                                            \
    X(0, 0, "b2_mul.48", PIECE(B2_MUL, 48))                                                                            \
    X(0, 0, "b2_fma.24", PIECE(B2_FMA, 24))

#define PIECES(...)                                                                                                    \
    (const cm_gpu_piece[])                                                                                             \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define DESCRIBED(vendors, mask, name, ...)                                                                            \
    {name, PIECES(__VA_ARGS__), sizeof PIECES(__VA_ARGS__) / sizeof(cm_gpu_piece), vendors, mask},

const cm_gpu_kernel cm_gpu_kernel_table[] = {
    KERNELS(DESCRIBED){"empty", NULL, 0, 0, 0},
};
const size_t cm_gpu_kernel_table_size = sizeof cm_gpu_kernel_table / sizeof cm_gpu_kernel_table[0];

#define REGISTERED(vendors, mask, name, ...)                                                                           \
    {name, CM_GPU_BENCHMARK, 0, HARDWARE_ITERATIONS, SOFTWARE_ITERATIONS, cm_gpu_run_body, 0, 0},

static const cm_kernel registered[] = {KERNELS(REGISTERED) REGISTERED(0, 0, "empty", )};
_Static_assert(sizeof registered / sizeof registered[0] == sizeof cm_gpu_kernel_table / sizeof cm_gpu_kernel_table[0],
               "each kernel is in both tables");

const cm_kernel *const cm_gpu_registered = registered;
const size_t cm_gpu_registered_size = sizeof registered / sizeof registered[0];

const cm_gpu_kernel *cm_gpu_kernel_find(const char *name)
{
    for (size_t i = 0; i < cm_gpu_kernel_table_size; i++)
        if (strcmp(cm_gpu_kernel_table[i].name, name) == 0)
            return &cm_gpu_kernel_table[i];
    return NULL;
}

void *cm_gpu_description(const cm_kernel *kernel)
{
    return cm_kernel_is_of_gpu(kernel) ? (void *)(uintptr_t)cm_gpu_kernel_find(kernel->name) : NULL;
}

void cm_gpu_entry(const char *kernel, char *entry, size_t size)
{
    snprintf(entry, size, "catmint_%s", kernel);
    for (char *c = entry; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
}
