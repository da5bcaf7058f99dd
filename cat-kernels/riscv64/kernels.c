/* All kernels, in the order of their bases, followed by controls. A kernel is a row here, a body in assembly and a row
 * of bases/riscv64/facts.csv. */
#include "cat-kernels/riscv64/isa.h"
#include "cat-kernels/chain_rows.h"
#include "cat-kernels/rows.h"
#include "cat-kernels/scalable.h"

#define CM_ISA_BASE CM_ISA_D
#define ISA_ZFH (CM_ISA_D | CM_ISA_ZFH)
#define ISA_V (CM_ISA_D | CM_ISA_V)
#define CM_ISA_SCALABLE_S ISA_V
#define CM_ISA_SCALABLE_D ISA_V
#define CM_ISA_SCALABLE_H (ISA_V | CM_ISA_ZVFH)
#define CM_ISA_SCALABLE_128 CM_ISA_V_128
#define CM_ISA_SCALABLE_256 CM_ISA_V_256
#define CM_ISA_SCALABLE_512 CM_ISA_V_512

#define FLOPS(X)                                                                                                       \
    OPERATIONS(X, S, SCAL, CM_ISA_D, CM_ISA_D)                                                                         \
    OPERATIONS(X, D, SCAL, CM_ISA_D, CM_ISA_D)                                                                         \
    OPERATIONS(X, H, SCAL, ISA_ZFH, ISA_ZFH)

#define CONTROLS(X)                                                                                                    \
    MIXTURES(X, S, SCAL, CM_ISA_D)                                                                                     \
    MIXTURES(X, D, SCAL, CM_ISA_D)                                                                                     \
    X(vector_move, 48, ISA_V)                                                                                          \
    X(vector_logic, 48, ISA_V)                                                                                         \
    X(vector_integer, 48, ISA_V)                                                                                       \
    X(vector_shuffle, 48, ISA_V)                                                                                       \
    X(integer, 48, CM_ISA_D)                                                                                           \
    X(nop, 48, CM_ISA_D)                                                                                               \
    X(fence, 4, CM_ISA_D)                                                                                              \
    X(store_fence, 4, CM_ISA_D)

/* Facts that vendors disagree about. */
#define FREE(X)                                                                                                        \
    X(S_MINMAX_SCAL, 48, CM_ISA_D)                                                                                     \
    X(D_MINMAX_SCAL, 48, CM_ISA_D)                                                                                     \
    X(H_MINMAX_SCAL, 48, ISA_ZFH)                                                                                      \
    X(S_COMPARE_SCAL, 48, CM_ISA_D)                                                                                    \
    X(S_CONVERT_SCAL, 48, CM_ISA_D)

#define SCALABLE_OTHERS(X, bits)                                                                                       \
    X(S, ADD3_MUL1, 48, bits)                                                                                          \
    X(S, ADD1_MUL3, 48, bits)                                                                                          \
    X(D, ADD3_MUL1, 48, bits)                                                                                          \
    X(D, ADD1_MUL3, 48, bits)                                                                                          \
    X(S, MINMAX, 48, bits)                                                                                             \
    X(D, MINMAX, 48, bits)                                                                                             \
    X(H, MINMAX, 48, bits)                                                                                             \
    X(S, RECIPROCAL, 48, bits)                                                                                         \
    X(D, HORIZONTAL, 48, bits)                                                                                         \
    X(D, COMPARE, 48, bits)                                                                                            \
    X(D, CONVERT, 48, bits)

#define MEM_OPS(X)                                                                                                     \
    WIDTHS_TO_8(X, load)                                                                                               \
    WIDTHS_TO_8(X, store)                                                                                              \
    SPLIT_TO_8(X, split_load)                                                                                          \
    SPLIT_TO_8(X, split_store)                                                                                         \
    OF_ELEMENTS(X)                                                                                                     \
    X(copy, 8, 8, CM_ISA_D)                                                                                            \
    X(atomic, 4, 8, CM_ISA_D)                                                                                          \
    X(atomic, 8, 8, CM_ISA_D)                                                                                          \
    X(swap, 8, 8, CM_ISA_D)

#define INSTRUCTIONS(X)                                                                                                \
    INTEGERS(X)                                                                                                        \
    IN_TWO(X, address, CM_ISA_D)                                                                                       \
    IN_TWO(X, flags, CM_ISA_D)                                                                                         \
    IN_TWO(X, float_V128, CM_ISA_D | ISA_V | CM_ISA_V_128)                                                             \
    IN_TWO(X, float_V256, CM_ISA_D | ISA_V | CM_ISA_V_256)                                                             \
    IN_TWO(X, float_V512, CM_ISA_D | ISA_V | CM_ISA_V_512)                                                             \
    IN_TWO(X, nop, CM_ISA_D)                                                                                           \
    X(pause, 2, CM_ISA_D)                                                                                              \
    X(pause, 6, CM_ISA_D)                                                                                              \
    FEW_IN_TWO(X, lfence, CM_ISA_D)                                                                                    \
    FEW_IN_TWO(X, sfence, CM_ISA_D)                                                                                    \
    IN_TWO(X, load, CM_ISA_D)                                                                                          \
    IN_TWO(X, store, CM_ISA_D)                                                                                         \
    IN_TWO(X, lock_add, CM_ISA_D)                                                                                      \
    MORE_INTEGERS(X)                                                                                                   \
    X(constants, 24, CM_ISA_D)                                                                                         \
    X(mixed, 24, CM_ISA_D)                                                                                             \
    X(mfence, 4, CM_ISA_D)                                                                                             \
    X(lock_or, 8, CM_ISA_D)                                                                                            \
    X(swap, 8, CM_ISA_D)

FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
SCALABLE(DECLARE_SCALABLE, )
SCALABLE_OTHERS(DECLARE_SCALABLE, )
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
    SCALABLE(ROW_SCALABLE, 128)
    SCALABLE_OTHERS(ROW_SCALABLE, 128)
    SCALABLE(ROW_SCALABLE, 256)
    SCALABLE_OTHERS(ROW_SCALABLE, 256)
    SCALABLE(ROW_SCALABLE, 512)
    SCALABLE_OTHERS(ROW_SCALABLE, 512)
    ROWS_OTHERS(, , LOADS_AT_RANDOM ROW_WRONG_MISS)
    ROWS_DCACHE_WRITE(CODE_WRITING, CODE_PAGES_ANYWHERE, )
    MEM_OPS(ROW_ACCESS)
    ROWS_A_FIFTH
    EMPTY("mem-ops")
    INSTRUCTIONS(ROW_INSTRUCTION)
    ROW_INSTRUCTIONS_EMPTY
    ROWS_ICACHE(NO_CHAIN, CODE_PAGES_ANYWHERE, , JUMPING_CONTROL)
    ROWS_TLB(WALKS_ANYWHERE, , , FETCHES_ANYWHERE(CODE_PAGES), CODE_LINES)
    /* clang-format on */
};
const char *const cm_kernel_architecture = "riscv64";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
