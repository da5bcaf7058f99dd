/* All kernels, in the order of their bases, controls behind them. A kernel is a row here, a body in assembly and a row
 * of bases/ppc64le/facts.csv. */
#include "cat-kernels/ppc64le/isa.h"
#include "cat-kernels/chain_rows.h"
#include "cat-kernels/rows.h"

#define CM_ISA_BASE CM_ISA_VSX
#define ISA_POWER10 (CM_ISA_VSX | CM_ISA_POWER10)
#define ISA_MMA (ISA_POWER10 | CM_ISA_MMA)

#define FLOPS(X)                                                                                                       \
    OPERATIONS(X, S, SCAL, CM_ISA_VSX, CM_ISA_VSX)                                                                     \
    OPERATIONS(X, S, 128, CM_ISA_VSX, CM_ISA_VSX)                                                                      \
    OPERATIONS(X, D, SCAL, CM_ISA_VSX, CM_ISA_VSX)                                                                     \
    OPERATIONS(X, D, 128, CM_ISA_VSX, CM_ISA_VSX)

#define CONTROLS(X)                                                                                                    \
    MIXTURES(X, S, SCAL, CM_ISA_VSX)                                                                                   \
    MIXTURES(X, S, 128, CM_ISA_VSX)                                                                                    \
    MIXTURES(X, D, SCAL, CM_ISA_VSX)                                                                                   \
    MIXTURES(X, D, 128, CM_ISA_VSX)                                                                                    \
    X(vector_move, 48, CM_ISA_VSX)                                                                                     \
    X(vector_logic, 48, CM_ISA_VSX)                                                                                    \
    X(vector_integer, 48, CM_ISA_VSX)                                                                                  \
    X(vector_shuffle, 48, CM_ISA_VSX)                                                                                  \
    X(B_OUTER_512, 48, ISA_MMA)                                                                                        \
    X(integer, 48, CM_ISA_VSX)                                                                                         \
    X(integer_prefixed, 48, ISA_POWER10)                                                                               \
    X(nop, 48, CM_ISA_VSX)                                                                                             \
    X(fence, 4, CM_ISA_VSX)                                                                                            \
    X(store_fence, 4, CM_ISA_VSX)

/* What vendors disagree about. */
#define FREE(X)                                                                                                        \
    X(S_MINMAX_128, 48, CM_ISA_VSX)                                                                                    \
    X(D_MINMAX_SCAL, 48, CM_ISA_VSX)                                                                                   \
    X(D_MINMAX_128, 48, CM_ISA_VSX)                                                                                    \
    X(S_RECIPROCAL_SCAL, 48, CM_ISA_VSX)                                                                               \
    X(S_RECIPROCAL_128, 48, CM_ISA_VSX)                                                                                \
    X(S_EXPONENT_128, 48, CM_ISA_VSX)                                                                                  \
    X(S_OUTER_512, 48, ISA_MMA)                                                                                        \
    X(D_OUTER_512, 48, ISA_MMA)                                                                                        \
    X(D_COMPARE_SCAL, 48, CM_ISA_VSX)                                                                                  \
    X(D_COMPARE_128, 48, CM_ISA_VSX)                                                                                   \
    X(S_CONVERT_SCAL, 48, CM_ISA_VSX)                                                                                  \
    X(D_CONVERT_128, 48, CM_ISA_VSX)

FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
DECLARE_OTHERS
DECLARE_STORING

static const cm_kernel kernels[] = {
    /* clang-format off */
    FLOPS(ROW_FLOPS)
    CONTROLS(ROW_FLOPS)
    FREE(ROW_FLOPS)
    ROWS_OTHERS()
    ROWS_DCACHE_WRITE(NO_CHAIN, )
    ROWS_TLB(, NO_CHAIN, NO_CHAIN)
    /* clang-format on */
};
const char *const cm_kernel_architecture = "ppc64le";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
const cm_code_writer *const cm_kernel_code_writer = NULL;
