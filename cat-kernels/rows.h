/* The common part of the tables of kernels of all architectures: the number of a kernel's turns, the kernels of a
 * benchmark, and the form of a row. Rows need CM_ISA_BASE, the instruction set that every kernel needs. A macro that
 * takes X writes X(...) for each of its kernels. */
#ifndef CM_KERNELS_ROWS_H
#define CM_KERNELS_ROWS_H

#include "cat-kernels/registry.h"

enum {
    FLOPS_ITERATIONS = 100000,
    /* Counts are exact at any number, but the 11 to 13 instructions a run that set up the registers must not matter. */
    FLOPS_SOFTWARE_ITERATIONS = 400,

    /* A power of two, so that random branches have their nominal share (branch.inc). */
    BRANCH_ITERATIONS = 1 << 18,
    /* A predictor needs up to about 20 mispredictions to learn a loop without a random branch. */
    STEADY_SOFTWARE_ITERATIONS = 20000,
    /* Chance in the mispredictions of a fair coin is then 0.002 a turn, 0.4 % of them. A power of two. */
    RANDOM_SOFTWARE_ITERATIONS = 1 << 16,

    MEM_OPS_ITERATIONS = 100000,
    /* The lines that a loop begins without, four at most, must not matter. */
    MEM_OPS_SOFTWARE_ITERATIONS = 1000,

    /* Accesses; multiples of the accesses in a turn of chase.S. */
    CHASE_ITERATIONS = 1 << 18,
    CHASE_SOFTWARE_ITERATIONS = 1 << 11,
};

/* X(symbol, count, needed ISA): a loop of cpu-flops with that many instructions. */
#define OPERATIONS(X, symbol, width, isa, isa_fma)                                                                     \
    X(symbol##_ADD_##width, 24, isa)                                                                                   \
    X(symbol##_ADD_##width, 96, isa)                                                                                   \
    X(symbol##_SUB_##width, 48, isa)                                                                                   \
    X(symbol##_MUL_##width, 24, isa)                                                                                   \
    X(symbol##_MUL_##width, 96, isa)                                                                                   \
    X(symbol##_FMA_##width, 12, isa_fma)                                                                               \
    X(symbol##_FMA_##width, 48, isa_fma)                                                                               \
    X(symbol##_DIV_##width, 48, isa)                                                                                   \
    X(symbol##_SQRT_##width, 48, isa)
#define MIXTURES(X, symbol, width, isa)                                                                                \
    X(symbol##_ADD3_MUL1_##width, 48, isa)                                                                             \
    X(symbol##_ADD1_MUL3_##width, 48, isa)
/* The paper's loops: additions and multiplications in turn, and fused ones. */
#define PAPERS(X, symbol, width, isa, isa_fma)                                                                         \
    X(symbol##_##width, 24, isa)                                                                                       \
    X(symbol##_##width, 48, isa)                                                                                       \
    X(symbol##_##width, 96, isa)                                                                                       \
    X(symbol##_FMA_##width, 24, isa_fma)
/* STEADY(name, "name"), RANDOM(name, "name"), and SHORT(name, "name"), random ones of fewer turns. */
#define BRANCHES(STEADY, RANDOM, SHORT)                                                                                \
    STEADY(b1, "b1")                                                                                                   \
    STEADY(b2, "b2")                                                                                                   \
    STEADY(b3, "b3")                                                                                                   \
    RANDOM(b4, "b4")                                                                                                   \
    RANDOM(b4a, "b4a")                                                                                                 \
    RANDOM(b4b, "b4b")                                                                                                 \
    RANDOM(b5, "b5")                                                                                                   \
    RANDOM(b5a, "b5a")                                                                                                 \
    RANDOM(b5b, "b5b")                                                                                                 \
    STEADY(b6, "b6")                                                                                                   \
    STEADY(b7, "b7")                                                                                                   \
    STEADY(jump_2, "jump.2")                                                                                           \
    STEADY(jump_8, "jump.8")                                                                                           \
    STEADY(not_taken_8, "not_taken.8")                                                                                 \
    STEADY(taken_8, "taken.8")                                                                                         \
    STEADY(unrolled_2, "unrolled.2")                                                                                   \
    STEADY(unrolled_4, "unrolled.4")                                                                                   \
    STEADY(call_return_1, "call_return.1")                                                                             \
    STEADY(call_return_4, "call_return.4")                                                                             \
    STEADY(call, "call")                                                                                               \
    STEADY(call_register, "call_register")                                                                             \
    STEADY(indirect_1, "indirect.1")                                                                                   \
    STEADY(indirect_4, "indirect.4")                                                                                   \
    STEADY(two_targets_1, "two_targets.1")                                                                             \
    STEADY(two_targets_4, "two_targets.4")                                                                             \
    STEADY(push_return, "push_return")                                                                                 \
    RANDOM(random_target, "random_target")                                                                             \
    RANDOM(random_25, "random.25")                                                                                     \
    RANDOM(random_75, "random.75")                                                                                     \
    RANDOM(wrong_path_jump, "wrong_path_jump")                                                                         \
    RANDOM(wrong_path_jumps, "wrong_path_jumps")                                                                       \
    SHORT(random_indirect, "random_indirect")                                                                          \
    SHORT(random_call, "random_call")                                                                                  \
    SHORT(wrong_load, "wrong_load")

/* X(name, count, needed ISA): a loop of `count` instructions. */
#define IN_TWO(X, name, isa) X(name, 8, isa) X(name, 24, isa)
/* The same of instructions that take long. */
#define FEW_IN_TWO(X, name, isa) X(name, 4, isa) X(name, 12, isa)
/* Instructions that every processor has, in the order of the tables: the first, later ones, and those on vectors. */
#define INTEGERS(X)                                                                                                    \
    IN_TWO(X, add, CM_ISA_BASE)                                                                                        \
    IN_TWO(X, multiply, CM_ISA_BASE)                                                                                   \
    FEW_IN_TWO(X, divide, CM_ISA_BASE)                                                                                 \
    IN_TWO(X, logic, CM_ISA_BASE)                                                                                      \
    IN_TWO(X, shift, CM_ISA_BASE)                                                                                      \
    IN_TWO(X, compare, CM_ISA_BASE)                                                                                    \
    IN_TWO(X, move, CM_ISA_BASE)
#define MORE_INTEGERS(X)                                                                                               \
    X(subtract, 24, CM_ISA_BASE)                                                                                       \
    X(increment, 24, CM_ISA_BASE)                                                                                      \
    X(multiply_wide, 12, CM_ISA_BASE)                                                                                  \
    X(divide_signed, 12, CM_ISA_BASE)                                                                                  \
    X(bits, 24, CM_ISA_BASE)                                                                                           \
    X(rotate, 24, CM_ISA_BASE)                                                                                         \
    X(exchange, 24, CM_ISA_BASE)
#define VECTORS_128(X)                                                                                                 \
    IN_TWO(X, add_128, CM_ISA_BASE)                                                                                    \
    IN_TWO(X, subtract_128, CM_ISA_BASE)                                                                               \
    IN_TWO(X, multiply_128, CM_ISA_BASE)                                                                               \
    IN_TWO(X, logic_128, CM_ISA_BASE)                                                                                  \
    IN_TWO(X, shift_128, CM_ISA_BASE)                                                                                  \
    IN_TWO(X, compare_128, CM_ISA_BASE)                                                                                \
    IN_TWO(X, shuffle_128, CM_ISA_BASE)

/* X(name, width, count, needed ISA): a loop of mem-ops with so many accesses of that width. */
#define TWO_COUNTS(X, name, width, isa)                                                                                \
    X(name, width, 8, isa)                                                                                             \
    X(name, width, 24, isa)
/* Accesses of general registers, those that cross a line, and those of vectors' elements. */
#define WIDTHS_TO_8(X, name)                                                                                           \
    TWO_COUNTS(X, name, 1, CM_ISA_BASE)                                                                                \
    TWO_COUNTS(X, name, 2, CM_ISA_BASE)                                                                                \
    TWO_COUNTS(X, name, 4, CM_ISA_BASE)                                                                                \
    TWO_COUNTS(X, name, 8, CM_ISA_BASE)
#define SPLIT_TO_8(X, name)                                                                                            \
    X(name, 2, 8, CM_ISA_BASE)                                                                                         \
    X(name, 4, 8, CM_ISA_BASE)                                                                                         \
    X(name, 8, 8, CM_ISA_BASE)
#define OF_ELEMENTS(X)                                                                                                 \
    X(load_vector, 4, 8, CM_ISA_BASE)                                                                                  \
    X(load_vector, 8, 8, CM_ISA_BASE)                                                                                  \
    X(store_vector, 4, 8, CM_ISA_BASE)                                                                                 \
    X(store_vector, 8, 8, CM_ISA_BASE)

#define DECLARE(name) void cm_kernel_##name(uint64_t iterations, cm_kernel_data *data);
#define DECLARE_FLOPS(symbol, count, isa) DECLARE(symbol##_##count)
#define DECLARE_BRANCH(name, text) DECLARE(name)
#define DECLARE_ACCESS(name, width, count, isa) DECLARE(name##_##width##_##count)
#define DECLARE_INSTRUCTION(name, count, isa) DECLARE(ins_##name##_##count)
/* The kernels of all benchmarks but cpu-flops. */
#define DECLARE_OTHERS                                                                                                 \
    BRANCHES(DECLARE_BRANCH, DECLARE_BRANCH, DECLARE_BRANCH)                                                           \
    DECLARE(chase_0)                                                                                                   \
    DECLARE(chase_2)                                                                                                   \
    DECLARE(chase_store)                                                                                               \
    DECLARE(chase_5)                                                                                                   \
    DECLARE(chase_fill_1)                                                                                              \
    DECLARE(chase_fill_3)                                                                                              \
    DECLARE(chase_random)                                                                                              \
    DECLARE(chase_wrong)                                                                                               \
    DECLARE(wrong_miss)                                                                                                \
    DECLARE(empty)

#define ROW_FLOPS(symbol, count, isa)                                                                                  \
    {#symbol "." #count,           "cpu-flops", isa, FLOPS_ITERATIONS, FLOPS_SOFTWARE_ITERATIONS,                      \
     cm_kernel_##symbol##_##count, 0,           0},
#define ROW_ACCESS(name, width, count, isa)                                                                            \
    {#name "." #width "." #count,          "mem-ops", isa, MEM_OPS_ITERATIONS, MEM_OPS_SOFTWARE_ITERATIONS,            \
     cm_kernel_##name##_##width##_##count, 0,         0},
#define ROW_INSTRUCTION(name, count, isa)                                                                              \
    {#name "." #count,                                                                                                 \
     "instructions",                                                                                                   \
     isa,                                                                                                              \
     FLOPS_ITERATIONS,                                                                                                 \
     FLOPS_SOFTWARE_ITERATIONS,                                                                                        \
     cm_kernel_ins_##name##_##count,                                                                                   \
     0,                                                                                                                \
     0},
/* The instructions that set up the registers must not count among the kernels' own, so this kernel has them, too. */
#define ROW_INSTRUCTIONS_EMPTY {"empty", "instructions", CM_ISA_BASE, 1, 1, cm_kernel_ins_empty, 0, 0},
#define ROW_STEADY(name, text)                                                                                         \
    {text, "branch", CM_ISA_BASE, BRANCH_ITERATIONS, STEADY_SOFTWARE_ITERATIONS, cm_kernel_##name, 0, 0},
#define ROW_RANDOM(name, text)                                                                                         \
    {text, "branch", CM_ISA_BASE, BRANCH_ITERATIONS, RANDOM_SOFTWARE_ITERATIONS, cm_kernel_##name, 0, 0},
#define ROW_SHORT(name, text)                                                                                          \
    {text, "branch", CM_ISA_BASE, BRANCH_ITERATIONS, RANDOM_SOFTWARE_ITERATIONS / 4, cm_kernel_##name, 0, 0},
#define CHASE(region, level, number, fillers, body)                                                                    \
    {#region "." #number "+" #fillers, "dcache", CM_ISA_BASE,  CHASE_ITERATIONS, CHASE_SOFTWARE_ITERATIONS,            \
     cm_kernel_chase_##body,           level,    -1 + (number)},
/* Two places in a level: one at its lower border, one further in with wider steps. */
#define ROWS_CHASE(region, level, two)                                                                                 \
    CHASE(region, level, 1, 0, 0)                                                                                      \
    CHASE(region, level, 1, 2, two)                                                                                    \
    CHASE(region, level, 1, 5, 5)                                                                                      \
    CHASE(region, level, 5, 0, 0)                                                                                      \
    CHASE(region, level, 5, 2, two)                                                                                    \
    CHASE(region, level, 5, 5, 5)
/* Prefetchers follow these, to lines that they ask for much earlier and much later. */
#define PREFETCHING_IN(benchmark, region, level)                                                                       \
    {#region ".6+run",          benchmark,         CM_ISA_BASE, CHASE_ITERATIONS,                                      \
     CHASE_SOFTWARE_ITERATIONS, cm_kernel_chase_0, level,       5 | CM_CHAIN_RUNS},
#define PREFETCHING(benchmark)                                                                                         \
    PREFETCHING_IN(benchmark, L2, 2) PREFETCHING_IN(benchmark, L3, 3) PREFETCHING_IN(benchmark, MEM, 4)
/* Further loads of a line that is on its way: so many an access. */
#define FILLING_IN(benchmark, region, level, kind, loads)                                                              \
    {#region ".1+fill_" #loads,    benchmark, CM_ISA_BASE, CHASE_ITERATIONS, CHASE_SOFTWARE_ITERATIONS,                \
     cm_kernel_chase_fill_##loads, level,     kind},
#define FILLING(benchmark, loads)                                                                                      \
    FILLING_IN(benchmark, L2, 2, 0, loads)                                                                             \
    FILLING_IN(benchmark, L3, 3, 0, loads)                                                                             \
    FILLING_IN(benchmark, MEM, 4, CM_CHAIN_WIDE, loads)
#define EMPTY(benchmark) {"empty", benchmark, CM_ISA_BASE, 1, 1, cm_kernel_empty, 0, 0},
/* Iterations are no multiple of what a chain has: so its runs begin at different elements. */
#define CHAIN_AT_RANDOM(benchmark, name, body, level, place, kind)                                                     \
    {name,  benchmark,           CM_ISA_BASE, CHASE_ITERATIONS - 4, CHASE_SOFTWARE_ITERATIONS - 4, cm_kernel_##body,   \
     level, (kind) | ((place)-1)},
/* Loads that miss the first cache beside a random branch, and on its wrong paths. */
#define LOADS_AT_RANDOM                                                                                                \
    CHAIN_AT_RANDOM("dcache", "L2.2+random", chase_random, 2, 2, CM_CHAIN_WIDE)                                        \
    CHAIN_AT_RANDOM("dcache", "L3.2+random", chase_random, 3, 2, CM_CHAIN_WIDE)                                        \
    CHAIN_AT_RANDOM("dcache", "L3.3+wrong", chase_wrong, 3, 3, CM_CHAIN_WIDE | CM_CHAIN_THIRDS)                        \
    CHAIN_AT_RANDOM("dcache", "MEM.2+wrong", chase_wrong, 4, 2, CM_CHAIN_WIDE | CM_CHAIN_THIRDS)
#define ROW_WRONG_MISS                                                                                                 \
    {"wrong_miss", "dcache", CM_ISA_BASE, BRANCH_ITERATIONS, CHASE_SOFTWARE_ITERATIONS, cm_kernel_wrong_miss, 0, 0},
/* The rows after the kernels of cpu-flops; `drawing` are controls of branch, `first` more chains in the first cache,
 * `controls` controls of dcache.
 */
#define ROWS_OTHERS(drawing, first, controls)                                                                          \
    EMPTY("cpu-flops")                                                                                                 \
    BRANCHES(ROW_STEADY, ROW_RANDOM, ROW_SHORT)                                                                        \
    drawing EMPTY("branch") ROWS_CHASE(L1, 1, store) first ROWS_CHASE(L2, 2, 2) ROWS_CHASE(L3, 3, 2)                   \
        ROWS_CHASE(MEM, 4, 2) controls FILLING("dcache", 1) FILLING("dcache", 3) PREFETCHING("dcache") EMPTY("dcach"   \
                                                                                                             "e")

#endif
