/* Rows of x86-64's table of kernels: one benchmark's operations beside another's facts. */
#ifndef CM_KERNELS_X86_64_BESIDE_H
#define CM_KERNELS_X86_64_BESIDE_H

#include "cat-kernels/chain_rows.h"
#include "cat-kernels/rows.h"

DECLARE(chase_split)
DECLARE(chase_hit)
DECLARE(chase_hint_t0)
DECLARE(chase_hint_t1)
DECLARE(chase_hint_nta)
DECLARE(chase_hint_w)
DECLARE(chase_rare)
DECLARE(chase_beside_rare)
DECLARE(chase_before_rare)
DECLARE(random_2)
DECLARE(apart_8)
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

/* Controls of two facts at once: misses of accesses that cross a line (none from memory, which counts two lines for
 * such an access), hits beside misses, mispredictions and loads beside missed code. */
#define MEETING(benchmark, name, body, level, place, kind)                                                             \
    {name,  benchmark,           CM_ISA_BASE, CHASE_ITERATIONS, CHASE_SOFTWARE_ITERATIONS, cm_kernel_##body,           \
     level, (kind) | ((place)-1)},
/* Prefetches by instruction that miss as the chain does, a kind each, on chains that nothing makes dirty. */
#define HINTING(benchmark, kind)                                                                                       \
    MEETING(benchmark, "L2.5+" #kind, chase_##kind, 2, 5, CM_CHAIN_WIDE)                                               \
    MEETING(benchmark, "L3.5+" #kind, chase_##kind, 3, 5, CM_CHAIN_WIDE)                                               \
    MEETING(benchmark, "MEM.5+" #kind, chase_##kind, 4, 5, CM_CHAIN_WIDE)
#define ALL_HINTING(benchmark)                                                                                         \
    HINTING(benchmark, hint_t0)                                                                                        \
    HINTING(benchmark, hint_t1)                                                                                        \
    HINTING(benchmark, hint_nta)                                                                                       \
    HINTING(benchmark, hint_w)
/* Misses that are rare: one of five accesses or of 64. */
#define RARE(benchmark, name, body, level, place, kind)                                                                \
    {name,  benchmark,           CM_ISA_BASE, CHASE_ITERATIONS, MEM_OPS_SOFTWARE_ITERATIONS, cm_kernel_##body,         \
     level, (kind) | ((place)-1)},
/* Kernels of other benchmarks: the most common operations, while nothing misses and the predictor knows all branches.
 */
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
/* A branch that is seldom taken: a predictor knows it at once. */
#define SELDOM(name, body)                                                                                             \
    {name, "branch", CM_ISA_BASE, BRANCH_ITERATIONS, RANDOM_SOFTWARE_ITERATIONS / 16, cm_kernel_##body, 0, 0},
#define ROWS_DRAWING                                                                                                   \
    SELDOM("random.2", random_2)                                                                                       \
    MIXTURE("branch", mixture, CM_ISA_SSE2)                                                                            \
    MIXTURE("branch", mixture_free, CM_ISA_SSE2)                                                                       \
    PREFETCHES(MIXTURE, "branch")                                                                                      \
    ALSO("branch", "mixture+random", CM_ISA_SSE2, BRANCH, CHASE, mixture_random)                                       \
    ALSO("branch", "apart.8", CM_ISA_BASE, BRANCH, MEM_OPS, apart_8)
#define ROWS_BESIDE_LOADS                                                                                              \
    MEETING("dcache", "L2.2+split", chase_0, 2, 2, CM_CHAIN_WIDE | CM_CHAIN_SPLIT)                                     \
    MEETING("dcache", "L3.2+split", chase_0, 3, 2, CM_CHAIN_WIDE | CM_CHAIN_SPLIT)                                     \
    MEETING("dcache", "L2.2+hit", chase_hit, 2, 2, CM_CHAIN_WIDE)                                                      \
    MEETING("dcache", "L3.2+hit", chase_hit, 3, 2, CM_CHAIN_WIDE)                                                      \
    MEETING("dcache", "MEM.1+hit", chase_hit, 4, 1, CM_CHAIN_WIDE)                                                     \
    LOADS_AT_RANDOM                                                                                                    \
    CHAIN_AT_RANDOM("dcache", "L2.2+known", chase_known, 2, 2, CM_CHAIN_WIDE)                                          \
    RARE("dcache", "L2.2+fifth", chase_fifth, 2, 2, CM_CHAIN_WIDE)                                                     \
    RARE("dcache", "L2.2+rare", chase_rare, 2, 2, CM_CHAIN_WIDE)                                                       \
    RARE("dcache", "L3.2+rare", chase_rare, 3, 2, CM_CHAIN_WIDE)                                                       \
    RARE("dcache", "MEM.1+rare", chase_rare, 4, 1, CM_CHAIN_WIDE)                                                      \
    HOT("dcache")                                                                                                      \
    ROW_WRONG_MISS                                                                                                     \
    ALL_MIXTURES(MISSING, "dcache")                                                                                    \
    MISSING_AT("dcache", "L3", 3, mixture, CM_ISA_SSE2)                                                                \
    MISSING_AT("dcache", "L3", 3, mixture_256, ISA_FMA | CM_ISA_AVX2)                                                  \
    MISSING_AT("dcache", "MEM", 4, mixture_256, ISA_FMA | CM_ISA_AVX2)                                                 \
    ALL_HINTING("dcache")
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
    CHAIN_AT_RANDOM("dcache-write", "L2.3+random", chase_beside_random, 2, 3, CM_CHAIN_WIDE)                           \
    CHAIN_AT_RANDOM("dcache-write", "L3.3+random", chase_beside_random, 3, 3, CM_CHAIN_WIDE)                           \
    CHAIN_AT_RANDOM("dcache-write", "L2.3+known", chase_beside_known, 2, 3, CM_CHAIN_WIDE)                             \
    RARE("dcache-write", "L2.3+fifth", chase_beside_fifth, 2, 3, CM_CHAIN_WIDE)                                        \
    RARE("dcache-write", "L2.3+rare", chase_beside_rare, 2, 3, CM_CHAIN_WIDE)                                          \
    RARE("dcache-write", "L3.3+rare", chase_beside_rare, 3, 3, CM_CHAIN_WIDE)                                          \
    HOT("dcache-write")                                                                                                \
    MISSING("dcache-write", mixture_store, CM_ISA_SSE2)                                                                \
    MISSING_AT("dcache-write", "L3", 3, mixture_store, CM_ISA_SSE2)                                                    \
    MISSING_AT("dcache-write", "MEM", 4, mixture_store, CM_ISA_SSE2)                                                   \
    MISSING("dcache-write", mixture_free, CM_ISA_SSE2)                                                                 \
    PREFETCHES(MISSING, "dcache-write")                                                                                \
    ALL_HINTING("dcache-write")
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
/* Walks by the cache that has the lines, as in chain_rows.h. */
#define WALKING(ROW, beside, body, kind)                                                                               \
    ROW("tlb", "D3.2" beside, body, 3, 2, kind)                                                                        \
    ROW("tlb", "D3.3" beside, body, 3, 3, kind)
#define ROWS_BESIDE_PAGES                                                                                              \
    PAGES("D2.2+0", 2, 2, chase_0)                                                                                     \
    PAGES("D2.2+store", 2, 2, chase_before)                                                                            \
    MEETING("tlb", "D2.1+split", chase_0, 2, 1, CM_CHAIN_PAGES | CM_CHAIN_SPLIT)                                       \
    WALKING(MEETING, "+split", chase_0, CM_CHAIN_PAGES | CM_CHAIN_SPLIT)                                               \
    MEETING("tlb", "D2.1+hit", chase_hit, 2, 1, CM_CHAIN_PAGES)                                                        \
    WALKING(MEETING, "+hit", chase_hit, CM_CHAIN_PAGES)                                                                \
    CODE_LINES("code_L1.3+0", 1, 3, 0)                                                                                 \
    CHAIN_AT_RANDOM("tlb", "D2.1+random", chase_random, 2, 1, CM_CHAIN_PAGES)                                          \
    WALKING(CHAIN_AT_RANDOM, "+random", chase_random, CM_CHAIN_PAGES)                                                  \
    WALKING(CHAIN_AT_RANDOM, "+wrong", chase_wrong, CM_CHAIN_PAGES | CM_CHAIN_THIRDS)                                  \
    CHAIN_AT_RANDOM("tlb", "D2.1+store+random", chase_before_random, 2, 1, CM_CHAIN_PAGES)                             \
    WALKING(CHAIN_AT_RANDOM, "+store+random", chase_before_random, CM_CHAIN_PAGES)                                     \
    CHAIN_AT_RANDOM("tlb", "D2.1+known", chase_known, 2, 1, CM_CHAIN_PAGES)                                            \
    CHAIN_AT_RANDOM("tlb", "D2.1+store+known", chase_before_known, 2, 1, CM_CHAIN_PAGES)                               \
    RARE("tlb", "D2.1+rare", chase_rare, 2, 1, CM_CHAIN_PAGES)                                                         \
    WALKING(RARE, "+rare", chase_rare, CM_CHAIN_PAGES)                                                                 \
    RARE("tlb", "D2.1+store+rare", chase_before_rare, 2, 1, CM_CHAIN_PAGES)                                            \
    WALKING(RARE, "+store+rare", chase_before_rare, CM_CHAIN_PAGES)                                                    \
    HOT("tlb")                                                                                                         \
    MISSING("tlb", mixture, CM_ISA_SSE2)                                                                               \
    MISSING("tlb", mixture_free, CM_ISA_SSE2)                                                                          \
    PREFETCHES(MISSING, "tlb")                                                                                         \
    MEETING("tlb", "D2.1+mixture", chase_mixture_page, 2, 1, CM_CHAIN_PAGES)                                           \
    MEETING("tlb", "D2.1+store+mixture", chase_mixture_page_store, 2, 1, CM_CHAIN_PAGES)                               \
    WALKING(MEETING, "+mixture", chase_mixture_page, CM_CHAIN_PAGES)                                                   \
    WALKING(MEETING, "+store+mixture", chase_mixture_page_store, CM_CHAIN_PAGES)                                       \
    MEETING("tlb", "I2.2+mixture", code_chain_mixture, 2, 2, CM_CHAIN_CODE | CM_CHAIN_PAGES | CM_CHAIN_RANDOM)

#endif
