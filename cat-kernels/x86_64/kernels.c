/* All kernels, in the order of their bases, followed by controls. A kernel is a row here, a body in assembly and a row
 * of bases/facts.csv. */
#include "cat-kernels/x86_64/isa.h"
#include "cat-kernels/chain_rows.h"
#include "cat-kernels/rows.h"
#include "cat-kernels/x86_64/beside.h"

#define CM_ISA_BASE CM_ISA_SSE2

#define ISA_AVX (CM_ISA_SSE2 | CM_ISA_AVX)
#define ISA_FMA (ISA_AVX | CM_ISA_FMA)
#define ISA_AVX2 (ISA_AVX | CM_ISA_AVX2)
#define ISA_512 (ISA_FMA | CM_ISA_AVX512F)
#define ISA_FP16 (ISA_512 | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16)

/* EACH(X, precision, width, needed ISA, needed ISA of fused ones). */
#define ALL_VECTORS(EACH, X, p)                                                                                        \
    EACH(X, p, SCAL, CM_ISA_SSE2, ISA_FMA)                                                                             \
    EACH(X, p, 128, CM_ISA_SSE2, ISA_FMA)                                                                              \
    EACH(X, p, 256, ISA_AVX, ISA_FMA)                                                                                  \
    EACH(X, p, 512, ISA_512, ISA_512)
#define HALF_VECTORS(EACH, X)                                                                                          \
    EACH(X, H, SCAL, ISA_FP16, ISA_FP16)                                                                               \
    EACH(X, H, 128, ISA_FP16, ISA_FP16)                                                                                \
    EACH(X, H, 256, ISA_FP16, ISA_FP16)                                                                                \
    EACH(X, H, 512, ISA_FP16, ISA_FP16)
#define FLOPS(X)                                                                                                       \
    ALL_VECTORS(OPERATIONS, X, S)                                                                                      \
    ALL_VECTORS(OPERATIONS, X, D)                                                                                      \
    HALF_VECTORS(OPERATIONS, X)

#define CONTROLS(X)                                                                                                    \
    MIXTURES(X, S, SCAL, CM_ISA_SSE2)                                                                                  \
    MIXTURES(X, S, 128, CM_ISA_SSE2)                                                                                   \
    MIXTURES(X, S, 256, ISA_AVX)                                                                                       \
    MIXTURES(X, D, SCAL, CM_ISA_SSE2)                                                                                  \
    MIXTURES(X, D, 128, CM_ISA_SSE2)                                                                                   \
    MIXTURES(X, D, 256, ISA_AVX)                                                                                       \
    ALL_VECTORS(PAPERS, X, S)                                                                                          \
    ALL_VECTORS(PAPERS, X, D)                                                                                          \
    HALF_VECTORS(PAPERS, X)                                                                                            \
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

/* Arithmetic some of whose lanes a mask turns off. */
#define UNDER_MASKS(X, p, isa)                                                                                         \
    X(p##_MASKED_ADD_512, 48, isa)                                                                                     \
    X(p##_ZEROED_MUL_512, 48, isa)                                                                                     \
    X(p##_MASKED_FMA_512, 48, isa)                                                                                     \
    X(p##_ZEROED_FMA_512, 48, isa)
/* Facts that vendors disagree about. */
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
    X(D_CONVERT_128, 48, CM_ISA_SSE2)                                                                                  \
    UNDER_MASKS(X, S, ISA_512)                                                                                         \
    UNDER_MASKS(X, D, ISA_512)                                                                                         \
    X(D_MASKED_ADD_256, 48, ISA_512 | CM_ISA_AVX512VL)                                                                 \
    UNDER_MASKS(X, H, ISA_FP16)

/* X(name, width, count, needed ISA): a loop of mem-ops with `count` accesses. */
#define TO_8(X, name)                                                                                                  \
    X(name, 1, 8, CM_ISA_SSE2)                                                                                         \
    X(name, 2, 8, CM_ISA_SSE2)                                                                                         \
    X(name, 4, 8, CM_ISA_SSE2)                                                                                         \
    X(name, 8, 8, CM_ISA_SSE2)
#define FROM_4(X, name)                                                                                                \
    X(name, 4, 8, CM_ISA_SSE2)                                                                                         \
    X(name, 8, 8, CM_ISA_SSE2)                                                                                         \
    X(name, 16, 8, CM_ISA_SSE2)                                                                                        \
    X(name, 32, 8, ISA_AVX)                                                                                            \
    X(name, 64, 8, ISA_512)
#define ALL_WIDTHS(X, name)                                                                                            \
    WIDTHS_TO_8(X, name)                                                                                               \
    TWO_COUNTS(X, name, 16, CM_ISA_SSE2)                                                                               \
    TWO_COUNTS(X, name, 32, ISA_AVX)                                                                                   \
    TWO_COUNTS(X, name, 64, ISA_512)
#define MEM_OPS(X)                                                                                                     \
    ALL_WIDTHS(X, load)                                                                                                \
    ALL_WIDTHS(X, store)                                                                                               \
    X(split_load, 2, 8, CM_ISA_SSE2)                                                                                   \
    FROM_4(X, split_load)                                                                                              \
    X(split_store, 2, 8, CM_ISA_SSE2)                                                                                  \
    FROM_4(X, split_store)                                                                                             \
    TO_8(X, update)                                                                                                    \
    X(update, 8, 24, CM_ISA_SSE2)                                                                                      \
    X(locked, 4, 8, CM_ISA_SSE2)                                                                                       \
    X(locked, 8, 8, CM_ISA_SSE2)                                                                                       \
    FROM_4(X, nt_store)                                                                                                \
    X(nt_store, 8, 24, CM_ISA_SSE2)                                                                                    \
    OF_ELEMENTS(X)                                                                                                     \
    X(load_add, 8, 8, CM_ISA_SSE2)                                                                                     \
    X(exchange, 8, 8, CM_ISA_SSE2)                                                                                     \
    X(split_update, 8, 8, CM_ISA_SSE2)                                                                                 \
    X(copy, 8, 8, CM_ISA_SSE2)                                                                                         \
    X(push_pop, 8, 8, CM_ISA_SSE2)                                                                                     \
    X(prefetch_nta, 64, 8, CM_ISA_SSE2)                                                                                \
    X(prefetch_t0, 64, 8, CM_ISA_SSE2)                                                                                 \
    X(prefetch_t1, 64, 8, CM_ISA_SSE2)                                                                                 \
    X(prefetch_t2, 64, 8, CM_ISA_SSE2)                                                                                 \
    X(prefetch_w, 64, 8, CM_ISA_SSE2)

#define INSTRUCTIONS(X)                                                                                                \
    INTEGERS(X)                                                                                                        \
    IN_TWO(X, address, CM_ISA_SSE2)                                                                                    \
    IN_TWO(X, crc, CM_ISA_SSE2 | CM_ISA_SSE4_2)                                                                        \
    IN_TWO(X, flags, CM_ISA_SSE2)                                                                                      \
    VECTORS_128(X)                                                                                                     \
    IN_TWO(X, add_256, ISA_AVX2)                                                                                       \
    IN_TWO(X, subtract_256, ISA_AVX2)                                                                                  \
    IN_TWO(X, multiply_256, ISA_AVX2)                                                                                  \
    IN_TWO(X, logic_256, ISA_AVX2)                                                                                     \
    IN_TWO(X, shift_256, ISA_AVX2)                                                                                     \
    IN_TWO(X, compare_256, ISA_AVX2)                                                                                   \
    IN_TWO(X, shuffle_256, ISA_AVX2)                                                                                   \
    IN_TWO(X, add_512, ISA_512)                                                                                        \
    IN_TWO(X, subtract_512, ISA_512)                                                                                   \
    IN_TWO(X, multiply_512, ISA_512)                                                                                   \
    IN_TWO(X, logic_512, ISA_512)                                                                                      \
    IN_TWO(X, shift_512, ISA_512)                                                                                      \
    IN_TWO(X, compare_512, ISA_512)                                                                                    \
    IN_TWO(X, shuffle_512, ISA_512)                                                                                    \
    IN_TWO(X, aes, CM_ISA_SSE2 | CM_ISA_AES)                                                                           \
    IN_TWO(X, vector_move, CM_ISA_SSE2)                                                                                \
    IN_TWO(X, nop, CM_ISA_SSE2)                                                                                        \
    X(pause, 2, CM_ISA_SSE2)                                                                                           \
    X(pause, 6, CM_ISA_SSE2)                                                                                           \
    FEW_IN_TWO(X, lfence, CM_ISA_SSE2)                                                                                 \
    FEW_IN_TWO(X, sfence, CM_ISA_SSE2)                                                                                 \
    IN_TWO(X, load, CM_ISA_SSE2)                                                                                       \
    IN_TWO(X, store, CM_ISA_SSE2)                                                                                      \
    IN_TWO(X, lock_add, CM_ISA_SSE2)                                                                                   \
    IN_TWO(X, movs, CM_ISA_SSE2)                                                                                       \
    X(update, 8, CM_ISA_SSE2)                                                                                          \
    MORE_INTEGERS(X)                                                                                                   \
    X(condition, 24, CM_ISA_SSE2)                                                                                      \
    X(mixed, 24, CM_ISA_SSE2)                                                                                          \
    X(saturate_128, 24, CM_ISA_SSE2)                                                                                   \
    X(high_128, 24, CM_ISA_SSE2)                                                                                       \
    X(bytes_128, 24, CM_ISA_SSE2)                                                                                      \
    X(orders_128, 24, CM_ISA_SSE2)                                                                                     \
    X(mixed_128, 24, CM_ISA_SSE2)                                                                                      \
    X(nop_long, 24, CM_ISA_SSE2)                                                                                       \
    X(mfence, 4, CM_ISA_SSE2)                                                                                          \
    X(lock_exchange, 8, CM_ISA_SSE2)                                                                                   \
    X(lock_xadd, 8, CM_ISA_SSE2)                                                                                       \
    X(swap, 8, CM_ISA_SSE2)                                                                                            \
    X(stos, 8, CM_ISA_SSE2)                                                                                            \
    X(rep_stos, 8, CM_ISA_SSE2)

FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
DECLARE_OTHERS
MEM_OPS(DECLARE_ACCESS)
INSTRUCTIONS(DECLARE_INSTRUCTION)
DECLARE(ins_empty)
DECLARE(chase_update)
DECLARE(step_0)
DECLARE(step_5)
DECLARE_STORING
DECLARE(code_chain)
DECLARE(code_chain_random)

/* Kernels that load and store beside a chain in the first cache. */
#define ROWS_UPDATE(region)                                                                                            \
    CHASE(region, 1, 1, 3, update)                                                                                     \
    CHASE(region, 1, 5, 3, update)
/* Stores that neither hit nor miss a cache, and still are stores. */
#define ROW_PAST                                                                                                       \
    {"nt_store.8.8",                                                                                                   \
     "dcache-write",                                                                                                   \
     CM_ISA_SSE2,                                                                                                      \
     MEM_OPS_ITERATIONS,                                                                                               \
     MEM_OPS_SOFTWARE_ITERATIONS,                                                                                      \
     cm_kernel_nt_store_8_8,                                                                                           \
     0,                                                                                                                \
     0},
static const cm_kernel kernels[] = {
    /* clang-format off */
    FLOPS(ROW_FLOPS)
    CONTROLS(ROW_FLOPS)
    FREE(ROW_FLOPS)
    ALL_MIXTURES(MIXTURE, "cpu-flops")
    ROWS_OTHERS(ROWS_DRAWING, ROWS_UPDATE(L1), ROWS_BESIDE_LOADS)
    ROWS_DCACHE_WRITE(CODE_WRITING, CODE_PAGES_BY_CACHE, ROWS_BESIDE_STORES ROW_PAST)
    MEM_OPS(ROW_ACCESS)
    ALSO("mem-ops", "rep_stos.8", CM_ISA_SSE2, FLOPS, FLOPS, ins_rep_stos_8)
    ALL_MIXTURES(MIXTURE, "mem-ops")
    ROWS_A_FIFTH
    EMPTY("mem-ops")
    INSTRUCTIONS(ROW_INSTRUCTION)
    ALL_MIXTURES(MIXTURE, "instructions")
    ROW_INSTRUCTIONS_EMPTY
    ROWS_ICACHE(CODE, CODE_PAGES_BY_CACHE, ROWS_BESIDE_CODE, )
    ROWS_TLB(WALKS_BY_CACHE, ROWS_HUGE, ROWS_BESIDE_PAGES, FETCHES_BY_CACHE(CODE_PAGES), CODE_LINES)
    /* clang-format on */
};
const char *const cm_kernel_architecture = "x86_64";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
