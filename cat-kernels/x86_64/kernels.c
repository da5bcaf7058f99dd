/* All kernels, in the order of their bases, followed by controls. A kernel is a row here, a body in assembly and a row
 * of bases/facts.csv. */
#include "cat-kernels/x86_64/isa.h"
#include "cat-kernels/chain_rows.h"
#include "cat-kernels/rows.h"

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
    X(D_CONVERT_128, 48, CM_ISA_SSE2)

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
#define TWO_COUNTS(X, name, width, isa)                                                                                \
    X(name, width, 8, isa)                                                                                             \
    X(name, width, 24, isa)
#define ALL_WIDTHS(X, name)                                                                                            \
    TWO_COUNTS(X, name, 1, CM_ISA_SSE2)                                                                                \
    TWO_COUNTS(X, name, 2, CM_ISA_SSE2)                                                                                \
    TWO_COUNTS(X, name, 4, CM_ISA_SSE2)                                                                                \
    TWO_COUNTS(X, name, 8, CM_ISA_SSE2)                                                                                \
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
    X(load_vector, 4, 8, CM_ISA_SSE2)                                                                                  \
    X(load_vector, 8, 8, CM_ISA_SSE2)                                                                                  \
    X(store_vector, 4, 8, CM_ISA_SSE2)                                                                                 \
    X(store_vector, 8, 8, CM_ISA_SSE2)                                                                                 \
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
    IN_TWO(X, add, CM_ISA_SSE2)                                                                                        \
    IN_TWO(X, multiply, CM_ISA_SSE2)                                                                                   \
    X(divide, 4, CM_ISA_SSE2)                                                                                          \
    X(divide, 12, CM_ISA_SSE2)                                                                                         \
    IN_TWO(X, logic, CM_ISA_SSE2)                                                                                      \
    IN_TWO(X, shift, CM_ISA_SSE2)                                                                                      \
    IN_TWO(X, compare, CM_ISA_SSE2)                                                                                    \
    IN_TWO(X, move, CM_ISA_SSE2)                                                                                       \
    IN_TWO(X, address, CM_ISA_SSE2)                                                                                    \
    IN_TWO(X, crc, CM_ISA_SSE2 | CM_ISA_SSE4_2)                                                                        \
    IN_TWO(X, flags, CM_ISA_SSE2)                                                                                      \
    IN_TWO(X, add_128, CM_ISA_SSE2)                                                                                    \
    IN_TWO(X, subtract_128, CM_ISA_SSE2)                                                                               \
    IN_TWO(X, multiply_128, CM_ISA_SSE2)                                                                               \
    IN_TWO(X, logic_128, CM_ISA_SSE2)                                                                                  \
    IN_TWO(X, shift_128, CM_ISA_SSE2)                                                                                  \
    IN_TWO(X, compare_128, CM_ISA_SSE2)                                                                                \
    IN_TWO(X, shuffle_128, CM_ISA_SSE2)                                                                                \
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
    X(lfence, 4, CM_ISA_SSE2)                                                                                          \
    X(lfence, 12, CM_ISA_SSE2)                                                                                         \
    X(sfence, 4, CM_ISA_SSE2)                                                                                          \
    X(sfence, 12, CM_ISA_SSE2)                                                                                         \
    IN_TWO(X, load, CM_ISA_SSE2)                                                                                       \
    IN_TWO(X, store, CM_ISA_SSE2)                                                                                      \
    IN_TWO(X, lock_add, CM_ISA_SSE2)                                                                                   \
    IN_TWO(X, movs, CM_ISA_SSE2)                                                                                       \
    X(update, 8, CM_ISA_SSE2)                                                                                          \
    X(subtract, 24, CM_ISA_SSE2)                                                                                       \
    X(increment, 24, CM_ISA_SSE2)                                                                                      \
    X(multiply_wide, 12, CM_ISA_SSE2)                                                                                  \
    X(divide_signed, 12, CM_ISA_SSE2)                                                                                  \
    X(bits, 24, CM_ISA_SSE2)                                                                                           \
    X(rotate, 24, CM_ISA_SSE2)                                                                                         \
    X(exchange, 24, CM_ISA_SSE2)                                                                                       \
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
    X(stos, 8, CM_ISA_SSE2)

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
DECLARE(chase_split)
DECLARE(chase_hit)
DECLARE(chase_random)
DECLARE(chase_beside_random)
DECLARE(chase_before_random)
DECLARE(chase_known)
DECLARE(chase_beside_known)
DECLARE(chase_before_known)
/* Mixtures of prefetches, a kind each. */
#define PREFETCHES(X, benchmark)                                                                                       \
    X(benchmark, mixture_t0, CM_ISA_SSE2)                                                                              \
    X(benchmark, mixture_t1, CM_ISA_SSE2)                                                                              \
    X(benchmark, mixture_nta, CM_ISA_SSE2)                                                                             \
    X(benchmark, mixture_w, CM_ISA_SSE2)
DECLARE(mixture)
DECLARE(mixture_256)
DECLARE(mixture_512)
DECLARE(mixture_free)
#define DECLARE_PREFETCH(benchmark, name, isa) DECLARE(name) DECLARE(chase_##name)
PREFETCHES(DECLARE_PREFETCH, )
DECLARE(chase_mixture)
DECLARE(chase_mixture_256)
DECLARE(chase_mixture_512)
DECLARE(chase_mixture_free)
DECLARE(chase_mixture_page)
DECLARE(chase_mixture_store)
DECLARE(chase_mixture_page_store)
DECLARE(code_chain_mixture)
DECLARE(mixture_random)

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
/* Controls of two facts at once: misses of accesses that cross a line (none from memory, which counts two lines for
 * such an access), hits beside misses, mispredictions and loads beside missed code. */
#define MEETING(benchmark, name, body, level, place, kind)                                                             \
    {name,  benchmark,           CM_ISA_BASE, CHASE_ITERATIONS, CHASE_SOFTWARE_ITERATIONS, cm_kernel_##body,           \
     level, (kind) | ((place)-1)},
/* Iterations are no multiple of what a chain has: so its runs begin at different elements. */
#define AT_RANDOM(benchmark, name, body, level, place, kind)                                                           \
    {name,  benchmark,           CM_ISA_BASE, CHASE_ITERATIONS - 4, CHASE_SOFTWARE_ITERATIONS - 4, cm_kernel_##body,   \
     level, (kind) | ((place)-1)},
/* Kernels of other benchmarks: what programs do most, while nothing misses and the predictor knows all branches. */
#define ALSO(benchmark, name, isa, real, software, body)                                                               \
    {name, benchmark, isa, real##_ITERATIONS, software##_SOFTWARE_ITERATIONS, cm_kernel_##body, 0, 0},
#define HOT(benchmark)                                                                                                 \
    ALSO(benchmark, "load.4.24", CM_ISA_SSE2, MEM_OPS, MEM_OPS, load_4_24)                                             \
    ALSO(benchmark, "load.8.24", CM_ISA_SSE2, MEM_OPS, MEM_OPS, load_8_24)                                             \
    ALSO(benchmark, "store.4.24", CM_ISA_SSE2, MEM_OPS, MEM_OPS, store_4_24)                                           \
    ALSO(benchmark, "store.8.24", CM_ISA_SSE2, MEM_OPS, MEM_OPS, store_8_24)                                           \
    ALSO(benchmark, "taken.8", CM_ISA_BASE, BRANCH, MEM_OPS, taken_8)                                                  \
    ALSO(benchmark, "mixed.24", CM_ISA_SSE2, FLOPS, FLOPS, ins_mixed_24)
/* All that programs do at once (mixture.S), on the stack or beside misses, on a chain that no other kernel of the
 * benchmark makes dirty. */
#define MIXTURE(benchmark, name, isa) ALSO(benchmark, #name, isa, MEM_OPS, MEM_OPS, name)
#define MISSING_AT(benchmark, region, level, name, isa)                                                                \
    {region ".4+" #name,                                                                                               \
     benchmark,                                                                                                        \
     isa,                                                                                                              \
     CHASE_ITERATIONS - 4,                                                                                             \
     MEM_OPS_SOFTWARE_ITERATIONS,                                                                                      \
     cm_kernel_chase_##name,                                                                                           \
     level,                                                                                                            \
     CM_CHAIN_WIDE | (4 - 1)},
#define MISSING(benchmark, name, isa) MISSING_AT(benchmark, "L2", 2, name, isa)
#define ALL_MIXTURES(X, benchmark)                                                                                     \
    X(benchmark, mixture, CM_ISA_SSE2)                                                                                 \
    X(benchmark, mixture_free, CM_ISA_SSE2)                                                                            \
    PREFETCHES(X, benchmark)                                                                                           \
    X(benchmark, mixture_256, ISA_FMA | CM_ISA_AVX2)                                                                   \
    X(benchmark, mixture_512, ISA_512)
#define ROWS_DRAWING                                                                                                   \
    MIXTURE("branch", mixture, CM_ISA_SSE2)                                                                            \
    MIXTURE("branch", mixture_free, CM_ISA_SSE2)                                                                       \
    PREFETCHES(MIXTURE, "branch")                                                                                      \
    ALSO("branch", "mixture+random", CM_ISA_SSE2, BRANCH, CHASE, mixture_random)
#define ROWS_BESIDE_LOADS                                                                                              \
    MEETING("dcache", "L2.2+split", chase_0, 2, 2, CM_CHAIN_WIDE | CM_CHAIN_SPLIT)                                     \
    MEETING("dcache", "L3.2+split", chase_0, 3, 2, CM_CHAIN_WIDE | CM_CHAIN_SPLIT)                                     \
    MEETING("dcache", "L2.2+hit", chase_hit, 2, 2, CM_CHAIN_WIDE)                                                      \
    MEETING("dcache", "L3.2+hit", chase_hit, 3, 2, CM_CHAIN_WIDE)                                                      \
    MEETING("dcache", "MEM.1+hit", chase_hit, 4, 1, CM_CHAIN_WIDE)                                                     \
    AT_RANDOM("dcache", "L2.2+random", chase_random, 2, 2, CM_CHAIN_WIDE)                                              \
    AT_RANDOM("dcache", "L3.2+random", chase_random, 3, 2, CM_CHAIN_WIDE)                                              \
    AT_RANDOM("dcache", "L2.2+known", chase_known, 2, 2, CM_CHAIN_WIDE)                                                \
    HOT("dcache")                                                                                                      \
    ALL_MIXTURES(MISSING, "dcache")                                                                                    \
    MISSING_AT("dcache", "L3", 3, mixture, CM_ISA_SSE2)                                                                \
    MISSING_AT("dcache", "L3", 3, mixture_256, ISA_FMA | CM_ISA_AVX2)                                                  \
    MISSING_AT("dcache", "MEM", 4, mixture_256, ISA_FMA | CM_ISA_AVX2)
#define ROWS_BESIDE_STORES                                                                                             \
    MEETING("dcache-write", "L2.2+split", chase_split, 2, 2, CM_CHAIN_WIDE)                                            \
    MEETING("dcache-write", "L3.2+split", chase_split, 3, 2, CM_CHAIN_WIDE)                                            \
    MEETING("dcache-write", "L2.2+hit", chase_hit, 2, 2, CM_CHAIN_WIDE)                                                \
    MEETING("dcache-write", "L3.2+hit", chase_hit, 3, 2, CM_CHAIN_WIDE)                                                \
    MEETING("dcache-write", "MEM.1+hit", chase_hit, 4, 1, CM_CHAIN_WIDE)                                               \
    MEETING("dcache-write", "code_L2.2+call", code_chain, 2, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_CALLING)      \
    MEETING("dcache-write", "code_L3.2+call", code_chain, 3, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_CALLING)      \
    MEETING("dcache-write", "code_L2.2+load", code_chain, 2, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_LOADING)      \
    MEETING("dcache-write", "code_L3.2+load", code_chain, 3, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_LOADING)      \
    MEETING("dcache-write", "code_L2.2+random", code_chain_random, 2, 2,                                               \
            CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_RANDOM)                                                           \
    MEETING("dcache-write", "code_L3.2+random", code_chain_random, 3, 2,                                               \
            CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_RANDOM)                                                           \
    AT_RANDOM("dcache-write", "L2.3+random", chase_beside_random, 2, 3, CM_CHAIN_WIDE)                                 \
    AT_RANDOM("dcache-write", "L3.3+random", chase_beside_random, 3, 3, CM_CHAIN_WIDE)                                 \
    AT_RANDOM("dcache-write", "L2.3+known", chase_beside_known, 2, 3, CM_CHAIN_WIDE)                                   \
    HOT("dcache-write")                                                                                                \
    MISSING("dcache-write", mixture_store, CM_ISA_SSE2)                                                                \
    MISSING_AT("dcache-write", "L3", 3, mixture_store, CM_ISA_SSE2)                                                    \
    MISSING_AT("dcache-write", "MEM", 4, mixture_store, CM_ISA_SSE2)                                                   \
    MISSING("dcache-write", mixture_free, CM_ISA_SSE2)                                                                 \
    PREFETCHES(MISSING, "dcache-write")
#define ROWS_BESIDE_CODE                                                                                               \
    MEETING("icache", "L2.2+random", code_chain_random, 2, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_RANDOM)         \
    MEETING("icache", "L3.2+random", code_chain_random, 3, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_RANDOM)         \
    MEETING("icache", "L2.2+load", code_chain, 2, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_LOADING)                 \
    MEETING("icache", "L3.2+load", code_chain, 3, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_LOADING)                 \
    MEETING("icache", "L2.2+call", code_chain, 2, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_CALLING)                 \
    MEETING("icache", "L3.2+call", code_chain, 3, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_CALLING)                 \
    MEETING("icache", "MEM.1+call", code_chain, 4, 1, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_CALLING)                \
    HOT("icache")                                                                                                      \
    MISSING("icache", mixture, CM_ISA_SSE2)                                                                            \
    MISSING("icache", mixture_free, CM_ISA_SSE2)                                                                       \
    PREFETCHES(MISSING, "icache")                                                                                      \
    MEETING("icache", "L2.2+mixture", code_chain_mixture, 2, 2, CM_CHAIN_CODE | CM_CHAIN_WIDE | CM_CHAIN_RANDOM)
#define ROWS_BESIDE_PAGES                                                                                              \
    MEETING("tlb", "D2.1+split", chase_0, 2, 1, CM_CHAIN_PAGES | CM_CHAIN_SPLIT)                                       \
    MEETING("tlb", "D3.1+split", chase_0, 3, 1, CM_CHAIN_PAGES | CM_CHAIN_SPLIT)                                       \
    MEETING("tlb", "D2.1+hit", chase_hit, 2, 1, CM_CHAIN_PAGES)                                                        \
    MEETING("tlb", "D3.1+hit", chase_hit, 3, 1, CM_CHAIN_PAGES)                                                        \
    CODE_LINES("code_L1.3+0", 1, 3, 0)                                                                                 \
    AT_RANDOM("tlb", "D2.1+random", chase_random, 2, 1, CM_CHAIN_PAGES)                                                \
    AT_RANDOM("tlb", "D3.1+random", chase_random, 3, 1, CM_CHAIN_PAGES)                                                \
    AT_RANDOM("tlb", "D2.1+store+random", chase_before_random, 2, 1, CM_CHAIN_PAGES)                                   \
    AT_RANDOM("tlb", "D3.1+store+random", chase_before_random, 3, 1, CM_CHAIN_PAGES)                                   \
    AT_RANDOM("tlb", "D2.1+known", chase_known, 2, 1, CM_CHAIN_PAGES)                                                  \
    AT_RANDOM("tlb", "D2.1+store+known", chase_before_known, 2, 1, CM_CHAIN_PAGES)                                     \
    HOT("tlb")                                                                                                         \
    MISSING("tlb", mixture, CM_ISA_SSE2)                                                                               \
    MISSING("tlb", mixture_free, CM_ISA_SSE2)                                                                          \
    PREFETCHES(MISSING, "tlb")                                                                                         \
    MEETING("tlb", "D2.1+mixture", chase_mixture_page, 2, 1, CM_CHAIN_PAGES)                                           \
    MEETING("tlb", "D2.1+store+mixture", chase_mixture_page_store, 2, 1, CM_CHAIN_PAGES)                               \
    MEETING("tlb", "D3.1+mixture", chase_mixture_page, 3, 1, CM_CHAIN_PAGES)                                           \
    MEETING("tlb", "D3.1+store+mixture", chase_mixture_page_store, 3, 1, CM_CHAIN_PAGES)                               \
    MEETING("tlb", "I2.1+mixture", code_chain_mixture, 2, 1, CM_CHAIN_CODE | CM_CHAIN_PAGES | CM_CHAIN_RANDOM)
static const cm_kernel kernels[] = {
    /* clang-format off */
    FLOPS(ROW_FLOPS)
    CONTROLS(ROW_FLOPS)
    FREE(ROW_FLOPS)
    ALL_MIXTURES(MIXTURE, "cpu-flops")
    ROWS_OTHERS(ROWS_DRAWING, ROWS_UPDATE(L1), ROWS_BESIDE_LOADS)
    ROWS_DCACHE_WRITE(CODE_WRITING, ROWS_BESIDE_STORES ROW_PAST)
    MEM_OPS(ROW_ACCESS)
    ALL_MIXTURES(MIXTURE, "mem-ops")
    EMPTY("mem-ops")
    INSTRUCTIONS(ROW_INSTRUCTION)
    ALL_MIXTURES(MIXTURE, "instructions")
    ROW_INSTRUCTIONS_EMPTY
    ROWS_ICACHE(CODE, ROWS_BESIDE_CODE, )
    ROWS_TLB(ROWS_HUGE, ROWS_BESIDE_PAGES, CODE_PAGES, CODE_LINES)
    /* clang-format on */
};
const char *const cm_kernel_architecture = "x86_64";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
