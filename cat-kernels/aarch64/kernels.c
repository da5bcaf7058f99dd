/* All kernels, in the order of their bases, controls behind them. A kernel is a row here, a body in assembly and a row
 * of bases/aarch64/facts.csv. */
#include "cat-kernels/aarch64/isa.h"
#include "cat-kernels/chain_rows.h"
#include "cat-kernels/rows.h"
#include "cat-kernels/scalable.h"

#define CM_ISA_BASE CM_ISA_ASIMD
#define ISA_FP16 (CM_ISA_ASIMD | CM_ISA_FP16)
#define CM_ISA_SCALABLE_S (ISA_FP16 | CM_ISA_SVE)
#define CM_ISA_SCALABLE_D CM_ISA_SCALABLE_S
#define CM_ISA_SCALABLE_H CM_ISA_SCALABLE_S
#define CM_ISA_SCALABLE_128 CM_ISA_SVE_128
#define CM_ISA_SCALABLE_256 CM_ISA_SVE_256
#define CM_ISA_SCALABLE_512 CM_ISA_SVE_512

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
    X(B_DOT_128, 48, CM_ISA_ASIMD | CM_ISA_BF16)                                                                       \
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

#define SCALABLE_FREE(X, bits)                                                                                         \
    X(S, MINMAX, 48, bits)                                                                                             \
    X(D, MINMAX, 48, bits)                                                                                             \
    X(H, MINMAX, 48, bits)

#define MEM_OPS(X)                                                                                                     \
    X(load, 1, 8, CM_ISA_ASIMD)                                                                                        \
    X(load, 1, 24, CM_ISA_ASIMD)                                                                                       \
    X(load, 2, 8, CM_ISA_ASIMD)                                                                                        \
    X(load, 2, 24, CM_ISA_ASIMD)                                                                                       \
    X(load, 4, 8, CM_ISA_ASIMD)                                                                                        \
    X(load, 4, 24, CM_ISA_ASIMD)                                                                                       \
    X(load, 8, 8, CM_ISA_ASIMD)                                                                                        \
    X(load, 8, 24, CM_ISA_ASIMD)                                                                                       \
    X(load, 16, 8, CM_ISA_ASIMD)                                                                                       \
    X(load, 16, 24, CM_ISA_ASIMD)                                                                                      \
    X(load, 32, 8, CM_ISA_ASIMD)                                                                                       \
    X(load, 32, 24, CM_ISA_ASIMD)                                                                                      \
    X(load, 64, 8, CM_ISA_ASIMD)                                                                                       \
    X(load, 64, 24, CM_ISA_ASIMD)                                                                                      \
    X(store, 1, 8, CM_ISA_ASIMD)                                                                                       \
    X(store, 1, 24, CM_ISA_ASIMD)                                                                                      \
    X(store, 2, 8, CM_ISA_ASIMD)                                                                                       \
    X(store, 2, 24, CM_ISA_ASIMD)                                                                                      \
    X(store, 4, 8, CM_ISA_ASIMD)                                                                                       \
    X(store, 4, 24, CM_ISA_ASIMD)                                                                                      \
    X(store, 8, 8, CM_ISA_ASIMD)                                                                                       \
    X(store, 8, 24, CM_ISA_ASIMD)                                                                                      \
    X(store, 16, 8, CM_ISA_ASIMD)                                                                                      \
    X(store, 16, 24, CM_ISA_ASIMD)                                                                                     \
    X(store, 32, 8, CM_ISA_ASIMD)                                                                                      \
    X(store, 32, 24, CM_ISA_ASIMD)                                                                                     \
    X(store, 64, 8, CM_ISA_ASIMD)                                                                                      \
    X(store, 64, 24, CM_ISA_ASIMD)                                                                                     \
    X(split_load, 2, 8, CM_ISA_ASIMD)                                                                                  \
    X(split_load, 4, 8, CM_ISA_ASIMD)                                                                                  \
    X(split_load, 8, 8, CM_ISA_ASIMD)                                                                                  \
    X(split_load, 16, 8, CM_ISA_ASIMD)                                                                                 \
    X(split_load, 32, 8, CM_ISA_ASIMD)                                                                                 \
    X(split_load, 64, 8, CM_ISA_ASIMD)                                                                                 \
    X(split_store, 2, 8, CM_ISA_ASIMD)                                                                                 \
    X(split_store, 4, 8, CM_ISA_ASIMD)                                                                                 \
    X(split_store, 8, 8, CM_ISA_ASIMD)                                                                                 \
    X(split_store, 16, 8, CM_ISA_ASIMD)                                                                                \
    X(split_store, 32, 8, CM_ISA_ASIMD)                                                                                \
    X(split_store, 64, 8, CM_ISA_ASIMD)                                                                                \
    X(load_vector, 4, 8, CM_ISA_ASIMD)                                                                                 \
    X(load_vector, 8, 8, CM_ISA_ASIMD)                                                                                 \
    X(store_vector, 4, 8, CM_ISA_ASIMD)                                                                                \
    X(store_vector, 8, 8, CM_ISA_ASIMD)                                                                                \
    X(load_pair, 16, 8, CM_ISA_ASIMD)                                                                                  \
    X(store_pair, 16, 8, CM_ISA_ASIMD)                                                                                 \
    X(copy, 8, 8, CM_ISA_ASIMD)                                                                                        \
    X(atomic, 4, 8, CM_ISA_ASIMD | CM_ISA_LSE)                                                                         \
    X(atomic, 8, 8, CM_ISA_ASIMD | CM_ISA_LSE)                                                                         \
    X(swap, 8, 8, CM_ISA_ASIMD | CM_ISA_LSE)

FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
SCALABLE(DECLARE_SCALABLE, )
SCALABLE_FREE(DECLARE_SCALABLE, )
DECLARE_OTHERS
DECLARE_STORING
DECLARE(code_chain)
MEM_OPS(DECLARE_ACCESS)

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
    ROWS_OTHERS()
    ROWS_DCACHE_WRITE(CODE_WRITING, )
    MEM_OPS(ROW_ACCESS)
    EMPTY("mem-ops")
    ROWS_ICACHE(NO_CHAIN)
    ROWS_TLB(, CODE_PAGES, CODE_LINES)
    /* clang-format on */
};
const char *const cm_kernel_architecture = "aarch64";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
