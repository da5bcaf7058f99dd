/* All GPU kernels, in the order of their basis, controls behind them. A kernel is a row here and a row of
 * bases/gpu/facts.csv. */
#include "cat-kernels/gpu/gpu.h"

#include <string.h>

#include "cat-kernels/gpu/run.h"
#include "cat-kernels/registry.h"

enum { HARDWARE_ITERATIONS = 1 << 20, SOFTWARE_ITERATIONS = CM_GPU_ITERATIONS };

/* X("name", pieces ...): three sizes of what the basis has, two of which differ. */
#define PIECE(class, count)                                                                                            \
    {                                                                                                                  \
        CM_GPU_##class, count, 0                                                                                       \
    }
#define SIZES(X, symbol, class, small, middle, large)                                                                  \
    X(#symbol "." #small, PIECE(class, small))                                                                         \
    X(#symbol "." #middle, PIECE(class, middle))                                                                       \
    X(#symbol "." #large, PIECE(class, large))
#define PRECISIONS(X, symbol, class, small, middle, large)                                                             \
    SIZES(X, symbol##_H, H_##class, small, middle, large)                                                              \
    SIZES(X, symbol##_S, S_##class, small, middle, large)                                                              \
    SIZES(X, symbol##_D, D_##class, small, middle, large)
#define MIXTURES(X, type)                                                                                              \
    X(#type "_ADD3_MUL1.48", PIECE(type##_ADD, 36), PIECE(type##_MUL, 12))                                             \
    X(#type "_ADD1_MUL3.48", PIECE(type##_ADD, 12), PIECE(type##_MUL, 36))                                             \
    X(#type "_SUB1_FMA1.48", PIECE(type##_SUB, 24), PIECE(type##_FMA, 24))
#define KERNELS(X)                                                                                                     \
    PRECISIONS(X, A, ADD, 24, 48, 96)                                                                                  \
    PRECISIONS(X, S, SUB, 24, 48, 96)                                                                                  \
    PRECISIONS(X, M, MUL, 24, 48, 96)                                                                                  \
    PRECISIONS(X, SQ, SQRT, 24, 48, 96)                                                                                \
    PRECISIONS(X, F, FMA, 12, 24, 48)                                                                                  \
    MIXTURES(X, H)                                                                                                     \
    MIXTURES(X, S)                                                                                                     \
    MIXTURES(X, D)                                                                                                     \
    X("int_add.48", PIECE(INT_ADD, 48))                                                                                \
    X("int_mul.48", PIECE(INT_MUL, 48))                                                                                \
    X("int_logic.48", PIECE(INT_LOGIC, 48))                                                                            \
    X("int_shift.48", PIECE(INT_SHIFT, 48))                                                                            \
    X("matrix_h.16", PIECE(MATRIX_H, 16))                                                                              \
    X("matrix_b.16", PIECE(MATRIX_B, 16))                                                                              \
    X("matrix_s.16", PIECE(MATRIX_S, 16))                                                                              \
    X("matrix_d.16", PIECE(MATRIX_D, 16))                                                                              \
    X("convert.24", PIECE(CONVERT, 24))                                                                                \
    X("special.24", PIECE(SPECIAL, 24))                                                                                \
    X("h2_add.48", PIECE(H2_ADD, 48))                                                                                  \
    X("h2_sub.48", PIECE(H2_SUB, 48))                                                                                  \
    X("h2_mul.48", PIECE(H2_MUL, 48))                                                                                  \
    X("h2_fma.24", PIECE(H2_FMA, 24))                                                                                  \
    X("s2_add.48", PIECE(S2_ADD, 48))                                                                                  \
    X("s2_mul.48", PIECE(S2_MUL, 48))                                                                                  \
    X("s2_fma.24", PIECE(S2_FMA, 24))                                                                                  \
    X("b_add.48", PIECE(B_ADD, 48))                                                                                    \
    X("b_sub.48", PIECE(B_SUB, 48))                                                                                    \
    X("b_mul.48", PIECE(B_MUL, 48))                                                                                    \
    X("b_fma.24", PIECE(B_FMA, 24))                                                                                    \
    X("b2_add.48", PIECE(B2_ADD, 48))                                                                                  \
    X("b2_mul.48", PIECE(B2_MUL, 48))                                                                                  \
    X("b2_fma.24", PIECE(B2_FMA, 24))

#define PIECES(...)                                                                                                    \
    (const cm_gpu_piece[])                                                                                             \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define DESCRIBED(name, ...) {name, PIECES(__VA_ARGS__), sizeof PIECES(__VA_ARGS__) / sizeof(cm_gpu_piece)},

const cm_gpu_kernel cm_gpu_kernel_table[] = {
    KERNELS(DESCRIBED){"empty", NULL, 0},
};
const size_t cm_gpu_kernel_table_size = sizeof cm_gpu_kernel_table / sizeof cm_gpu_kernel_table[0];

#define REGISTERED(name, ...)                                                                                          \
    {name, CM_GPU_BENCHMARK, 0, HARDWARE_ITERATIONS, SOFTWARE_ITERATIONS, cm_gpu_run_body, 0, 0},

static const cm_kernel registered[] = {KERNELS(REGISTERED) REGISTERED("empty", )};
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
