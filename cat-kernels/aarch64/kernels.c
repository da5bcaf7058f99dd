/* All kernels, in the order of their bases, followed by controls. A kernel is a row here, a body in assembly and a row
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

/* Facts that vendors disagree about. */
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
    WIDTHS_TO_8(X, load)                                                                                               \
    TWO_COUNTS(X, load, 16, CM_ISA_ASIMD)                                                                              \
    TWO_COUNTS(X, load, 32, CM_ISA_ASIMD)                                                                              \
    TWO_COUNTS(X, load, 64, CM_ISA_ASIMD)                                                                              \
    WIDTHS_TO_8(X, store)                                                                                              \
    TWO_COUNTS(X, store, 16, CM_ISA_ASIMD)                                                                             \
    TWO_COUNTS(X, store, 32, CM_ISA_ASIMD)                                                                             \
    TWO_COUNTS(X, store, 64, CM_ISA_ASIMD)                                                                             \
    SPLIT_TO_8(X, split_load)                                                                                          \
    X(split_load, 16, 8, CM_ISA_ASIMD)                                                                                 \
    X(split_load, 32, 8, CM_ISA_ASIMD)                                                                                 \
    X(split_load, 64, 8, CM_ISA_ASIMD)                                                                                 \
    SPLIT_TO_8(X, split_store)                                                                                         \
    X(split_store, 16, 8, CM_ISA_ASIMD)                                                                                \
    X(split_store, 32, 8, CM_ISA_ASIMD)                                                                                \
    X(split_store, 64, 8, CM_ISA_ASIMD)                                                                                \
    OF_ELEMENTS(X)                                                                                                     \
    X(load_pair, 16, 8, CM_ISA_ASIMD)                                                                                  \
    X(store_pair, 16, 8, CM_ISA_ASIMD)                                                                                 \
    X(copy, 8, 8, CM_ISA_ASIMD)                                                                                        \
    X(atomic, 4, 8, CM_ISA_ASIMD | CM_ISA_LSE)                                                                         \
    X(atomic, 8, 8, CM_ISA_ASIMD | CM_ISA_LSE)                                                                         \
    X(swap, 8, 8, CM_ISA_ASIMD | CM_ISA_LSE)

#define INSTRUCTIONS(X)                                                                                                \
    INTEGERS(X)                                                                                                        \
    IN_TWO(X, address, CM_ISA_ASIMD)                                                                                   \
    IN_TWO(X, crc, CM_ISA_ASIMD | CM_ISA_CRC32)                                                                        \
    IN_TWO(X, flags, CM_ISA_ASIMD)                                                                                     \
    VECTORS_128(X)                                                                                                     \
    IN_TWO(X, aes, CM_ISA_ASIMD | CM_ISA_AES)                                                                          \
    IN_TWO(X, vector_move, CM_ISA_ASIMD)                                                                               \
    IN_TWO(X, float, CM_ISA_ASIMD)                                                                                     \
    IN_TWO(X, float_V128, CM_ISA_SCALABLE_D | CM_ISA_SCALABLE_128)                                                     \
    IN_TWO(X, float_V256, CM_ISA_SCALABLE_D | CM_ISA_SCALABLE_256)                                                     \
    IN_TWO(X, float_V512, CM_ISA_SCALABLE_D | CM_ISA_SCALABLE_512)                                                     \
    IN_TWO(X, nop, CM_ISA_ASIMD)                                                                                       \
    X(pause, 2, CM_ISA_ASIMD)                                                                                          \
    X(pause, 6, CM_ISA_ASIMD)                                                                                          \
    FEW_IN_TWO(X, lfence, CM_ISA_ASIMD)                                                                                \
    FEW_IN_TWO(X, sfence, CM_ISA_ASIMD)                                                                                \
    IN_TWO(X, load, CM_ISA_ASIMD)                                                                                      \
    IN_TWO(X, store, CM_ISA_ASIMD)                                                                                     \
    IN_TWO(X, lock_add, CM_ISA_ASIMD | CM_ISA_LSE)                                                                     \
    MORE_INTEGERS(X)                                                                                                   \
    X(condition, 24, CM_ISA_ASIMD)                                                                                     \
    X(mixed, 24, CM_ISA_ASIMD)                                                                                         \
    X(saturate_128, 24, CM_ISA_ASIMD)                                                                                  \
    X(high_128, 24, CM_ISA_ASIMD)                                                                                      \
    X(by_register_128, 24, CM_ISA_ASIMD)                                                                               \
    X(orders_128, 24, CM_ISA_ASIMD)                                                                                    \
    X(mixed_128, 24, CM_ISA_ASIMD)                                                                                     \
    X(mfence, 4, CM_ISA_ASIMD)                                                                                         \
    X(lock_exchange, 8, CM_ISA_ASIMD | CM_ISA_LSE)                                                                     \
    X(lock_xadd, 8, CM_ISA_ASIMD | CM_ISA_LSE)                                                                         \
    X(swap, 8, CM_ISA_ASIMD | CM_ISA_LSE)

FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
SCALABLE(DECLARE_SCALABLE, )
SCALABLE_FREE(DECLARE_SCALABLE, )
DECLARE_OTHERS
DECLARE_STORING
DECLARE(code_chain)
MEM_OPS(DECLARE_ACCESS)
INSTRUCTIONS(DECLARE_INSTRUCTION)
DECLARE(ins_empty)

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
const char *const cm_kernel_architecture = "aarch64";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
