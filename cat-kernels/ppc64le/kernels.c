/* All kernels, in the order of their bases, followed by controls. A kernel is a row here, a body in assembly and a row
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

/* Facts that vendors disagree about. */
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

#define MEM_OPS(X)                                                                                                     \
    WIDTHS_TO_8(X, load)                                                                                               \
    TWO_COUNTS(X, load, 16, CM_ISA_VSX | CM_ISA_POWER9)                                                                \
    TWO_COUNTS(X, load, 32, ISA_POWER10)                                                                               \
    WIDTHS_TO_8(X, store)                                                                                              \
    TWO_COUNTS(X, store, 16, CM_ISA_VSX | CM_ISA_POWER9)                                                               \
    TWO_COUNTS(X, store, 32, ISA_POWER10)                                                                              \
    SPLIT_TO_8(X, split_load)                                                                                          \
    X(split_load, 16, 8, CM_ISA_VSX | CM_ISA_POWER9)                                                                   \
    X(split_load, 32, 8, ISA_POWER10)                                                                                  \
    SPLIT_TO_8(X, split_store)                                                                                         \
    X(split_store, 16, 8, CM_ISA_VSX | CM_ISA_POWER9)                                                                  \
    X(split_store, 32, 8, ISA_POWER10)                                                                                 \
    OF_ELEMENTS(X)                                                                                                     \
    X(copy, 8, 8, CM_ISA_VSX)

#define INSTRUCTIONS(X)                                                                                                \
    INTEGERS(X)                                                                                                        \
    IN_TWO(X, address, CM_ISA_VSX | CM_ISA_POWER9)                                                                     \
    IN_TWO(X, flags, CM_ISA_VSX)                                                                                       \
    VECTORS_128(X)                                                                                                     \
    IN_TWO(X, aes, CM_ISA_VSX)                                                                                         \
    IN_TWO(X, vector_move, CM_ISA_VSX)                                                                                 \
    IN_TWO(X, float, CM_ISA_VSX)                                                                                       \
    IN_TWO(X, nop, CM_ISA_VSX)                                                                                         \
    X(pause, 2, CM_ISA_VSX)                                                                                            \
    X(pause, 6, CM_ISA_VSX)                                                                                            \
    FEW_IN_TWO(X, sfence, CM_ISA_VSX)                                                                                  \
    IN_TWO(X, load, CM_ISA_VSX)                                                                                        \
    IN_TWO(X, store, CM_ISA_VSX)                                                                                       \
    MORE_INTEGERS(X)                                                                                                   \
    X(condition, 24, CM_ISA_VSX)                                                                                       \
    X(mixed, 24, CM_ISA_VSX | CM_ISA_POWER9)                                                                           \
    X(saturate_128, 24, CM_ISA_VSX)                                                                                    \
    X(high_128, 24, CM_ISA_VSX)                                                                                        \
    X(by_register_128, 24, CM_ISA_VSX)                                                                                 \
    X(orders_128, 24, CM_ISA_VSX)                                                                                      \
    X(mixed_128, 24, CM_ISA_VSX)                                                                                       \
    X(mfence, 4, CM_ISA_VSX)

FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
DECLARE_OTHERS
DECLARE_STORING
INSTRUCTIONS(DECLARE_INSTRUCTION)
DECLARE(ins_empty)
DECLARE(code_chain)
MEM_OPS(DECLARE_ACCESS)

static const cm_kernel kernels[] = {
    /* clang-format off */
    FLOPS(ROW_FLOPS)
    CONTROLS(ROW_FLOPS)
    FREE(ROW_FLOPS)
    ROWS_OTHERS(, , LOADS_AT_RANDOM ROW_WRONG_MISS)
    ROWS_DCACHE_WRITE(CODE_WRITING, CODE_PAGES_ANYWHERE, )
    MEM_OPS(ROW_ACCESS)
    ROWS_A_FIFTH
    EMPTY("mem-ops")
    INSTRUCTIONS(ROW_INSTRUCTION)
    ROW_INSTRUCTIONS_EMPTY
    ROWS_ICACHE(NO_CHAIN, CODE_PAGES_ANYWHERE, , JUMPING_CONTROL)
    ROWS_TLB(WALKS_ANYWHERE, , WRONG_PAGES("D3.1+wrong", 3, 1), FETCHES_ANYWHERE(CODE_PAGES), CODE_LINES)
    /* clang-format on */
};
const char *const cm_kernel_architecture = "ppc64le";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
