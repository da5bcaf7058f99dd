/* All kernels, in the order of their bases, controls behind them. A kernel is a row here, a body in assembly and a row
 * of bases/aarch64/facts.csv. */
#include "cat-kernels/aarch64/isa.h"
#include "cat-kernels/rows.h"

#define CM_ISA_BASE CM_ISA_ASIMD
#define ISA_FP16 (CM_ISA_ASIMD | CM_ISA_FP16)
#define ISA_SVE (ISA_FP16 | CM_ISA_SVE)

#define FLOPS(X)                                                                                                       \
    OPERATIONS(X, S, SCAL, CM_ISA_ASIMD, CM_ISA_ASIMD)                                                                 \
    OPERATIONS(X, S, 128, CM_ISA_ASIMD, CM_ISA_ASIMD)                                                                  \
    OPERATIONS(X, D, SCAL, CM_ISA_ASIMD, CM_ISA_ASIMD)                                                                 \
    OPERATIONS(X, D, 128, CM_ISA_ASIMD, CM_ISA_ASIMD)                                                                  \
    OPERATIONS(X, H, SCAL, ISA_FP16, ISA_FP16)                                                                         \
    OPERATIONS(X, H, 128, ISA_FP16, ISA_FP16)

#define CONTROLS(X)                                                                                                    \
    MIXTURES(X, S, SCAL, CM_ISA_ASIMD)                                                                                 \
    MIXTURES(X, S, 128, CM_ISA_ASIMD)                                                                                  \
    MIXTURES(X, D, SCAL, CM_ISA_ASIMD)                                                                                 \
    MIXTURES(X, D, 128, CM_ISA_ASIMD)                                                                                  \
    X(vector_move, 48, CM_ISA_ASIMD)                                                                                   \
    X(vector_logic, 48, CM_ISA_ASIMD)                                                                                  \
    X(vector_integer, 48, CM_ISA_ASIMD)                                                                                \
    X(vector_shuffle, 48, CM_ISA_ASIMD)                                                                                \
    X(integer, 48, CM_ISA_ASIMD)                                                                                       \
    X(nop, 48, CM_ISA_ASIMD)                                                                                           \
    X(fence, 4, CM_ISA_ASIMD)                                                                                          \
    X(store_fence, 4, CM_ISA_ASIMD)

/* What vendors disagree about. */
#define FREE(X)                                                                                                        \
    X(S_MINMAX_SCAL, 48, CM_ISA_ASIMD)                                                                                 \
    X(S_MINMAX_128, 48, CM_ISA_ASIMD)                                                                                  \
    X(D_MINMAX_SCAL, 48, CM_ISA_ASIMD)                                                                                 \
    X(D_MINMAX_128, 48, CM_ISA_ASIMD)                                                                                  \
    X(H_MINMAX_SCAL, 48, ISA_FP16)                                                                                     \
    X(H_MINMAX_128, 48, ISA_FP16)                                                                                      \
    X(S_RECIPROCAL_SCAL, 48, CM_ISA_ASIMD)                                                                             \
    X(S_RECIPROCAL_128, 48, CM_ISA_ASIMD)                                                                              \
    X(D_HORIZONTAL_128, 48, CM_ISA_ASIMD)                                                                              \
    X(S_COMPARE_SCAL, 48, CM_ISA_ASIMD)                                                                                \
    X(D_COMPARE_128, 48, CM_ISA_ASIMD)                                                                                 \
    X(S_CONVERT_SCAL, 48, CM_ISA_ASIMD)                                                                                \
    X(D_CONVERT_128, 48, CM_ISA_ASIMD)

/* X(precision, operation, count, bits): on scalable vectors of that length; the body is the same for all. */
#define SCALABLE_OF(X, p, bits)                                                                                        \
    X(p, ADD, 24, bits)                                                                                                \
    X(p, ADD, 96, bits)                                                                                                \
    X(p, SUB, 48, bits)                                                                                                \
    X(p, MUL, 24, bits)                                                                                                \
    X(p, MUL, 96, bits)                                                                                                \
    X(p, FMA, 12, bits)                                                                                                \
    X(p, FMA, 48, bits)                                                                                                \
    X(p, DIV, 48, bits)                                                                                                \
    X(p, SQRT, 48, bits)
#define SCALABLE(X, bits)                                                                                              \
    SCALABLE_OF(X, S, bits)                                                                                            \
    SCALABLE_OF(X, D, bits)                                                                                            \
    SCALABLE_OF(X, H, bits)
#define SCALABLE_FREE(X, bits)                                                                                         \
    X(S, MINMAX, 48, bits)                                                                                             \
    X(D, MINMAX, 48, bits)                                                                                             \
    X(H, MINMAX, 48, bits)

#define DECLARE_SCALABLE(p, operation, count, bits) DECLARE(p##_##operation##_V_##count)
FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
SCALABLE(DECLARE_SCALABLE, )
SCALABLE_FREE(DECLARE_SCALABLE, )
DECLARE_OTHERS

#define ROW_SCALABLE(p, operation, count, bits)                                                                        \
    {#p "_" #operation "_V" #bits "." #count,                                                                          \
     "cpu-flops",                                                                                                      \
     ISA_SVE | CM_ISA_SVE_##bits,                                                                                      \
     FLOPS_ITERATIONS,                                                                                                 \
     FLOPS_SOFTWARE_ITERATIONS,                                                                                        \
     cm_kernel_##p##_##operation##_V_##count,                                                                          \
     0,                                                                                                                \
     0},

static const cm_kernel kernels[] = {
    /* clang-format off */
    FLOPS(ROW_FLOPS)
    CONTROLS(ROW_FLOPS)
    FREE(ROW_FLOPS)
    SCALABLE(ROW_SCALABLE, 128)
    SCALABLE_FREE(ROW_SCALABLE, 128)
    SCALABLE(ROW_SCALABLE, 256)
    SCALABLE_FREE(ROW_SCALABLE, 256)
    SCALABLE(ROW_SCALABLE, 512)
    SCALABLE_FREE(ROW_SCALABLE, 512)
    ROWS_OTHERS
    /* clang-format on */
};
const char *const cm_kernel_architecture = "aarch64";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
