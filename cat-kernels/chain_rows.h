/* Rows of the kernels of dcache-write, icache and tlb, beside rows.h: chains, each with its own place in a level. */
#ifndef CM_KERNELS_CHAIN_ROWS_H
#define CM_KERNELS_CHAIN_ROWS_H

#include "cat-kernels/rows.h"

enum {
    /* The branches that enter and leave a chain of code must not show among its jumps. */
    CODE_SOFTWARE_ITERATIONS = 1 << 13,
};

#define DECLARE_STORING                                                                                                \
    DECLARE(chase_beside)                                                                                              \
    DECLARE(chase_twice)                                                                                               \
    DECLARE(chase_same)                                                                                                \
    DECLARE(chase_before)                                                                                              \
    DECLARE(chase_fifth)                                                                                               \
    DECLARE(chase_beside_fifth)
/* For architectures that have no code for a chain. */
#define NO_CHAIN(name, level, place, kind)

#define CHASE_STORING(region, level, number, what)                                                                     \
    {#region "." #number "+" #what, "dcache-write",         CM_ISA_BASE, CHASE_ITERATIONS,                             \
     CHASE_SOFTWARE_ITERATIONS,     cm_kernel_chase_##what, level,       -1 + (number)},
/* Each on a chain of its own, which it warms up itself: only its own stores make lines dirty. */
#define ROWS_STORING(region, level)                                                                                    \
    CHASE_STORING(region, level, 2, 0)                                                                                 \
    CHASE_STORING(region, level, 4, beside)                                                                            \
    CHASE_STORING(region, level, 5, same)                                                                              \
    CHASE_STORING(region, level, 6, twice)
/* `place`: from 1, as in names. */
#define CHAIN(benchmark, name, body, level, place, kind)                                                               \
    {name,                                                                                                             \
     benchmark,                                                                                                        \
     CM_ISA_BASE,                                                                                                      \
     CHASE_ITERATIONS,                                                                                                 \
     ((kind)&CM_CHAIN_CODE) != 0 && (level) > 1 ? CODE_SOFTWARE_ITERATIONS : CHASE_SOFTWARE_ITERATIONS,                \
     cm_kernel_##body,                                                                                                 \
     level,                                                                                                            \
     (kind) | ((place)-1)},
#define CODE_WRITING(name, level, place, kind)                                                                         \
    CHAIN("dcache-write", name, code_chain, level, place, CM_CHAIN_CODE | (kind))
/* Pages of code, and rows that miss them. In names and places of pages, the number behind the point is 1: whichever
 * cache has the lines; else the level of the one that has them. */
#define CODE_PAGES_ANYWHERE(ROW)                                                                                       \
    ROW("I2.1+0", 2, 1, CM_CHAIN_PAGES)                                                                                \
    ROW("I3.1+0", 3, 1, CM_CHAIN_PAGES)
#define CODE_PAGES_BY_CACHE(ROW)                                                                                       \
    ROW("I2.2+0", 2, 2, CM_CHAIN_PAGES)                                                                                \
    ROW("I3.2+0", 3, 2, CM_CHAIN_PAGES)                                                                                \
    ROW("I3.3+0", 3, 3, CM_CHAIN_PAGES)
/* Code that misses caches is neither a load nor a store, but a part of sums of all three. FETCHING is CODE_WRITING or
 * NO_CHAIN, PAGED is CODE_PAGES_ANYWHERE or CODE_PAGES_BY_CACHE; PAST are controls of other stores, or nothing. */
#define ROWS_DCACHE_WRITE(FETCHING, PAGED, PAST)                                                                       \
    ROWS_STORING(L1, 1)                                                                                                \
    ROWS_STORING(L2, 2)                                                                                                \
    ROWS_STORING(L3, 3)                                                                                                \
    ROWS_STORING(MEM, 4)                                                                                               \
    FETCHING("code_L1.3+0", 1, 3, 0)                                                                                   \
    FETCHING("code_L2.1+0", 2, 1, 0)                                                                                   \
    FETCHING("code_L2.5+6", 2, 5, CM_CHAIN_LONG)                                                                       \
    FETCHING("code_L3.1+0", 3, 1, CM_CHAIN_WIDE)                                                                       \
    FETCHING("code_MEM.1+0", 4, 1, CM_CHAIN_WIDE)                                                                      \
    PAGED(FETCHING) PAST FILLING("dcache-write", 3) PREFETCHING("dcache-write") EMPTY("dcache-write")

/* Controls of mem-ops: a fifth of the loads misses, or a fifth of the stores, each as far as every level. */
#define A_FIFTH(name, body, level, place)                                                                              \
    {name,                                                                                                             \
     "mem-ops",                                                                                                        \
     CM_ISA_BASE,                                                                                                      \
     CHASE_ITERATIONS / 4,                                                                                             \
     MEM_OPS_SOFTWARE_ITERATIONS,                                                                                      \
     cm_kernel_##body,                                                                                                 \
     level,                                                                                                            \
     CM_CHAIN_WIDE | ((place)-1)},
#define ROWS_A_FIFTH                                                                                                   \
    A_FIFTH("L2.2+fifth", chase_fifth, 2, 2)                                                                           \
    A_FIFTH("L3.2+fifth", chase_fifth, 3, 2)                                                                           \
    A_FIFTH("MEM.1+fifth", chase_fifth, 4, 1)                                                                          \
    A_FIFTH("L2.3+fifth", chase_beside_fifth, 2, 3)                                                                    \
    A_FIFTH("L3.3+fifth", chase_beside_fifth, 3, 3)                                                                    \
    A_FIFTH("MEM.4+fifth", chase_beside_fifth, 4, 4)

#define CODE(name, level, place, kind) CHAIN("icache", name, code_chain, level, place, CM_CHAIN_CODE | (kind))
/* Chains beyond the second cache have wide steps, which need less code. Controls miss caches with data. STRAIGHT is
 * CODE or NO_CHAIN. Pages are missed as often as lines, except by controls that miss them more often than caches. If an
 * architecture has no straight code, each fetch comes with a jump: JUMPING is a control that jumps and fetches nothing.
 * BESIDE are controls that also do something beside fetching, or nothing. */
#define JUMPING_CONTROL                                                                                                \
    {"jump.8", "icache", CM_ISA_BASE, BRANCH_ITERATIONS, STEADY_SOFTWARE_ITERATIONS, cm_kernel_jump_8, 0, 0},
#define ROWS_ICACHE(STRAIGHT, PAGED, BESIDE, JUMPING)                                                                  \
    CODE("L1.3+0", 1, 3, 0)                                                                                            \
    STRAIGHT("L1.3+straight", 1, 3, CM_CHAIN_STRAIGHT)                                                                 \
    CODE("L1.6+6", 1, 6, CM_CHAIN_LONG)                                                                                \
    CODE("L2.1+0", 2, 1, 0)                                                                                            \
    STRAIGHT("L2.1+straight", 2, 1, CM_CHAIN_STRAIGHT)                                                                 \
    CODE("L2.5+6", 2, 5, CM_CHAIN_LONG)                                                                                \
    CODE("L3.1+0", 3, 1, CM_CHAIN_WIDE)                                                                                \
    CODE("L3.5+6", 3, 5, CM_CHAIN_WIDE | CM_CHAIN_LONG)                                                                \
    CODE("MEM.1+0", 4, 1, CM_CHAIN_WIDE)                                                                               \
    CODE("MEM.1+6", 4, 1, CM_CHAIN_WIDE | CM_CHAIN_LONG)                                                               \
    BESIDE CHAIN("icache", "lines_L2.1+0", chase_0, 2, 1, 0) CHAIN("icache", "lines_L3.1+0", chase_0, 3, 1, 0)         \
        CHAIN("icache", "lines_MEM.1+0", chase_0, 4, 1, 0) CHAIN("icache", "lines_MEM.1+store", chase_before, 4, 1, 0) \
            JUMPING                                                                                                    \
            PAGED(CODE) EMPTY("icache")

#define PAGES(name, level, place, body) CHAIN("tlb", name, body, level, place, CM_CHAIN_PAGES)
#define CODE_PAGES(name, level, place, kind)                                                                           \
    CHAIN("tlb", name, code_chain, level, place, CM_CHAIN_CODE | CM_CHAIN_PAGES | (kind))
#define CODE_LINES(name, level, place, kind) CHAIN("tlb", name, code_chain, level, place, CM_CHAIN_CODE | (kind))
#define HUGE_PAGES(name, level, place, body, kind)                                                                     \
    CHAIN("tlb", name, body, level, place, CM_CHAIN_PAGES | CM_CHAIN_HUGE | (kind))
/* Chains beyond the second TLB: loads step over pages of zeros, which take no memory; stores need memory for each page.
 */
#define ROWS_HUGE_WALKS(region, place)                                                                                 \
    HUGE_PAGES(region "+0", 3, place, step_0, CM_CHAIN_ZEROS)                                                          \
    HUGE_PAGES(region "+5", 3, place, step_5, CM_CHAIN_ZEROS)                                                          \
    HUGE_PAGES(region "+store", 3, place, chase_before, 0)
#define ROWS_HUGE                                                                                                      \
    HUGE_PAGES("H1.1+0", 1, 1, chase_0, 0)                                                                             \
    HUGE_PAGES("H1.1+store", 1, 1, chase_before, 0)                                                                    \
    HUGE_PAGES("H2.1+0", 2, 1, chase_0, 0)                                                                             \
    HUGE_PAGES("H2.1+5", 2, 1, chase_5, 0)                                                                             \
    HUGE_PAGES("H2.1+store", 2, 1, chase_before, 0)                                                                    \
    ROWS_HUGE_WALKS("H3.2", 2)                                                                                         \
    ROWS_HUGE_WALKS("H3.3", 3)
/* Wrong paths that miss TLBs; none for walks where a second TLB may have one way, which keeps pages that are not always
 * accessed. */
#define WRONG_PAGES(name, level, place)                                                                                \
    CHAIN_AT_RANDOM("tlb", name, chase_wrong, level, place, CM_CHAIN_PAGES | CM_CHAIN_THIRDS)
#define ROWS_WALKS(region, place)                                                                                      \
    PAGES(region "+0", 3, place, chase_0)                                                                              \
    PAGES(region "+5", 3, place, chase_5)                                                                              \
    PAGES(region "+store", 3, place, chase_before)
#define ROWS_CODE_PAGES(PAGED, region, level, place)                                                                   \
    PAGED(region "+0", level, place, 0)                                                                                \
    PAGED(region "+6", level, place, CM_CHAIN_LONG)
/* Walks of data and misses of code, in whichever cache, or by cache. PAGED is CODE_PAGES or NO_CHAIN. */
#define WALKS_ANYWHERE ROWS_WALKS("D3.1", 1)
#define WALKS_BY_CACHE ROWS_WALKS("D3.2", 2) ROWS_WALKS("D3.3", 3)
#define FETCHES_ANYWHERE(PAGED) ROWS_CODE_PAGES(PAGED, "I2.1", 2, 1) ROWS_CODE_PAGES(PAGED, "I3.1", 3, 1)
#define FETCHES_BY_CACHE(PAGED)                                                                                        \
    ROWS_CODE_PAGES(PAGED, "I2.2", 2, 2) ROWS_CODE_PAGES(PAGED, "I3.2", 3, 2) ROWS_CODE_PAGES(PAGED, "I3.3", 3, 3)
/* Misses of caches on few pages, which TLBs hold. */
#define LINES(name, body, level) CHAIN("tlb", name, body, level, 1, CM_CHAIN_HELD)
#define ROWS_LINES                                                                                                     \
    LINES("lines_L2.1+0", chase_0, 2)                                                                                  \
    LINES("lines_L3.1+0", chase_0, 3)                                                                                  \
    LINES("lines_L2.1+fill_3", chase_fill_3, 2)                                                                        \
    LINES("lines_L2.1+store", chase_before, 2)                                                                         \
    LINES("lines_L3.1+store", chase_before, 3)
/* The last two miss caches with code, and few pages. LINED is CODE_LINES or NO_CHAIN; HUGE is ROWS_HUGE or nothing;
 * BESIDE are controls that also do something beside missing pages, or nothing. */
#define ROWS_TLB(WALKS, HUGE, BESIDE, FETCHES, LINED)                                                                  \
    PAGES("D1.1+0", 1, 1, chase_0)                                                                                     \
    PAGES("D1.1+store", 1, 1, chase_before)                                                                            \
    PAGES("D2.1+0", 2, 1, chase_0)                                                                                     \
    PAGES("D2.1+5", 2, 1, chase_5)                                                                                     \
    PAGES("D2.1+store", 2, 1, chase_before)                                                                            \
    WRONG_PAGES("D2.1+wrong", 2, 1)                                                                                    \
    WALKS HUGE BESIDE FETCHES ROWS_LINES LINED("code_L2.1+0", 2, 1, CM_CHAIN_HELD)                                     \
        LINED("code_L3.1+0", 3, 1, CM_CHAIN_WIDE) EMPTY("tlb")

#endif
