/* All kernels, in the order of their bases, controls behind them. A kernel is a row here, a body in assembly and a row
 * of bases/facts.csv. */
#include "cat-kernels/x86_64/isa.h"
#include "cat-kernels/rows.h"

#define CM_ISA_BASE CM_ISA_SSE2
#define ISA_AVX (CM_ISA_SSE2 | CM_ISA_AVX)
#define ISA_FMA (ISA_AVX | CM_ISA_FMA)
#define ISA_512 (ISA_FMA | CM_ISA_AVX512F)
#define ISA_FP16 (ISA_512 | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16)

#define FLOPS(X)                                                                                                       \
    OPERATIONS(X, S, SCAL, CM_ISA_SSE2, ISA_FMA)                                                                       \
    OPERATIONS(X, S, 128, CM_ISA_SSE2, ISA_FMA)                                                                        \
    OPERATIONS(X, S, 256, ISA_AVX, ISA_FMA)                                                                            \
    OPERATIONS(X, S, 512, ISA_512, ISA_512)                                                                            \
    OPERATIONS(X, D, SCAL, CM_ISA_SSE2, ISA_FMA)                                                                       \
    OPERATIONS(X, D, 128, CM_ISA_SSE2, ISA_FMA)                                                                        \
    OPERATIONS(X, D, 256, ISA_AVX, ISA_FMA)                                                                            \
    OPERATIONS(X, D, 512, ISA_512, ISA_512)                                                                            \
    OPERATIONS(X, H, SCAL, ISA_FP16, ISA_FP16)                                                                         \
    OPERATIONS(X, H, 128, ISA_FP16, ISA_FP16)                                                                          \
    OPERATIONS(X, H, 256, ISA_FP16, ISA_FP16)                                                                          \
    OPERATIONS(X, H, 512, ISA_FP16, ISA_FP16)

#define CONTROLS(X)                                                                                                    \
    MIXTURES(X, S, SCAL, CM_ISA_SSE2)                                                                                  \
    MIXTURES(X, S, 128, CM_ISA_SSE2)                                                                                   \
    MIXTURES(X, S, 256, ISA_AVX)                                                                                       \
    MIXTURES(X, D, SCAL, CM_ISA_SSE2)                                                                                  \
    MIXTURES(X, D, 128, CM_ISA_SSE2)                                                                                   \
    MIXTURES(X, D, 256, ISA_AVX)                                                                                       \
    X(vector_move, 48, CM_ISA_SSE2)                                                                                    \
    X(vector_logic, 48, CM_ISA_SSE2)                                                                                   \
    X(vector_integer, 48, CM_ISA_SSE2)                                                                                 \
    X(vector_shuffle, 48, ISA_AVX)                                                                                     \
    X(integer, 48, CM_ISA_SSE2)                                                                                        \
    X(nop, 48, CM_ISA_SSE2)                                                                                            \
    X(x87, 16, CM_ISA_SSE2)                                                                                            \
    X(mmx, 16, CM_ISA_SSE2)                                                                                            \
    X(fence, 4, CM_ISA_SSE2)                                                                                           \
    X(store_fence, 4, CM_ISA_SSE2)

/* What vendors disagree about. */
#define FREE(X)                                                                                                        \
    X(S_MINMAX_SCAL, 48, CM_ISA_SSE2)                                                                                  \
    X(S_MINMAX_128, 48, CM_ISA_SSE2)                                                                                   \
    X(S_MINMAX_256, 48, ISA_AVX)                                                                                       \
    X(S_MINMAX_512, 48, ISA_512)                                                                                       \
    X(D_MINMAX_SCAL, 48, CM_ISA_SSE2)                                                                                  \
    X(D_MINMAX_128, 48, CM_ISA_SSE2)                                                                                   \
    X(D_MINMAX_256, 48, ISA_AVX)                                                                                       \
    X(D_MINMAX_512, 48, ISA_512)                                                                                       \
    X(H_MINMAX_SCAL, 48, ISA_FP16)                                                                                     \
    X(H_MINMAX_128, 48, ISA_FP16)                                                                                      \
    X(H_MINMAX_256, 48, ISA_FP16)                                                                                      \
    X(H_MINMAX_512, 48, ISA_FP16)                                                                                      \
    X(S_RECIPROCAL_SCAL, 48, CM_ISA_SSE2)                                                                              \
    X(S_RECIPROCAL_128, 48, CM_ISA_SSE2)                                                                               \
    X(S_RECIPROCAL_256, 48, ISA_AVX)                                                                                   \
    X(S_DOT_128, 48, ISA_AVX)                                                                                          \
    X(S_DOT_256, 48, ISA_AVX)                                                                                          \
    X(D_DOT_128, 48, ISA_AVX)                                                                                          \
    X(D_HORIZONTAL_128, 48, ISA_AVX)                                                                                   \
    X(S_COMPARE_SCAL, 48, CM_ISA_SSE2)                                                                                 \
    X(D_COMPARE_128, 48, CM_ISA_SSE2)                                                                                  \
    X(S_CONVERT_SCAL, 48, CM_ISA_SSE2)                                                                                 \
    X(D_CONVERT_128, 48, CM_ISA_SSE2)

FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
DECLARE_OTHERS

static const cm_kernel kernels[] = {
    /* clang-format off */
    FLOPS(ROW_FLOPS)
    CONTROLS(ROW_FLOPS)
    FREE(ROW_FLOPS)
    ROWS_OTHERS
    /* clang-format on */
};
const char *const cm_kernel_architecture = "x86_64";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
