/* All kernels, in the order of their bases, controls behind them. A kernel is a row here, a body in assembly and a row
 * of bases/facts.csv. */
#include "cat-kernels/registry.h"
#include "cat-kernels/x86_64/isa.h"

enum {
    FLOPS_ITERATIONS = 100000,
    /* Counts are exact at any number; what sets the registers up, 11 to 13 instructions a run, must not show. */
    FLOPS_SOFTWARE_ITERATIONS = 400,

    /* A power of two, so that random branches have their nominal share (branch.inc). */
    BRANCH_ITERATIONS = 1 << 18,
    /* A predictor needs up to about 20 mispredictions to learn a loop without a random branch. */
    STEADY_SOFTWARE_ITERATIONS = 20000,
    /* Chance in the mispredictions of a fair coin is then 0.002 a turn, 0.4 % of them. A power of two. */
    RANDOM_SOFTWARE_ITERATIONS = 1 << 16,

    MEM_OPS_ITERATIONS = 100000,
    /* The lines that a loop begins without, three at most, must not show. */
    MEM_OPS_SOFTWARE_ITERATIONS = 1000,

    /* Accesses; multiples of what chase.S unrolls. */
    CHASE_ITERATIONS = 1 << 18,
    CHASE_SOFTWARE_ITERATIONS = 1 << 11,
};

#define ISA_AVX (CM_ISA_SSE2 | CM_ISA_AVX)
#define ISA_FMA (ISA_AVX | CM_ISA_FMA)
#define ISA_512 (ISA_FMA | CM_ISA_AVX512F)
#define ISA_FP16 (ISA_512 | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16)

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
#define FLOPS(X)                                                                                                       \
    OPERATIONS(X, S, SCAL, CM_ISA_SSE2, ISA_FMA)                                                                       \
    OPERATIONS(X, S, 128, CM_ISA_SSE2, ISA_FMA)                                                                        \
    OPERATIONS(X, S, 256, ISA_AVX, ISA_FMA)                                                                            \
    OPERATIONS(X, S, 512, ISA_512, ISA_512)                                                                            \
    OPERATIONS(X, D, SCAL, CM_ISA_SSE2, ISA_FMA)                                                                       \
    OPERATIONS(X, D, 128, CM_ISA_SSE2, ISA_FMA)                                                                        \
    OPERATIONS(X, D, 256, ISA_AVX, ISA_FMA)                                                                            \
    OPERATIONS(X, D, 512, ISA_512, ISA_512)                                                                            \
    OPERATIONS(X, H, SCAL, ISA_FP16, ISA_FP16)                                                                         \
    OPERATIONS(X, H, 128, ISA_FP16, ISA_FP16)                                                                          \
    OPERATIONS(X, H, 256, ISA_FP16, ISA_FP16)                                                                          \
    OPERATIONS(X, H, 512, ISA_FP16, ISA_FP16)

#define MIXTURES(X, symbol, width, isa)                                                                                \
    X(symbol##_ADD3_MUL1_##width, 48, isa)                                                                             \
    X(symbol##_ADD1_MUL3_##width, 48, isa)
#define CONTROLS(X)                                                                                                    \
    MIXTURES(X, S, SCAL, CM_ISA_SSE2)                                                                                  \
    MIXTURES(X, S, 128, CM_ISA_SSE2)                                                                                   \
    MIXTURES(X, S, 256, ISA_AVX)                                                                                       \
    MIXTURES(X, D, SCAL, CM_ISA_SSE2)                                                                                  \
    MIXTURES(X, D, 128, CM_ISA_SSE2)                                                                                   \
    MIXTURES(X, D, 256, ISA_AVX)                                                                                       \
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

/* What vendors disagree about. */
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

/* STEADY(name, "name"), RANDOM(name, "name"). */
#define BRANCHES(STEADY, RANDOM)                                                                                       \
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
    RANDOM(random_25, "random.25")                                                                                     \
    RANDOM(random_75, "random.75")                                                                                     \
    RANDOM(wrong_path_jump, "wrong_path_jump")

/* X(name, width, count, needed ISA): a loop of mem-ops with that many accesses. */
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
    X(prefetch_t2, 64, 8, CM_ISA_SSE2)

#define DECLARE(name) void cm_kernel_##name(uint64_t iterations, cm_kernel_data *data);
#define DECLARE_FLOPS(symbol, count, isa) DECLARE(symbol##_##count)
#define DECLARE_BRANCH(name, text) DECLARE(name)
#define DECLARE_ACCESS(name, width, count, isa) DECLARE(name##_##width##_##count)
FLOPS(DECLARE_FLOPS)
CONTROLS(DECLARE_FLOPS)
FREE(DECLARE_FLOPS)
BRANCHES(DECLARE_BRANCH, DECLARE_BRANCH)
MEM_OPS(DECLARE_ACCESS)
DECLARE(chase_0)
DECLARE(chase_2)
DECLARE(chase_store)
DECLARE(chase_update)
DECLARE(chase_5)
DECLARE(chase_beside)
DECLARE(chase_twice)
DECLARE(chase_same)
DECLARE(empty)

#define ROW_FLOPS(symbol, count, isa)                                                                                  \
    {#symbol "." #count,           "cpu-flops", isa, FLOPS_ITERATIONS, FLOPS_SOFTWARE_ITERATIONS,                      \
     cm_kernel_##symbol##_##count, 0,           0},
#define ROW_STEADY(name, text)                                                                                         \
    {text, "branch", CM_ISA_SSE2, BRANCH_ITERATIONS, STEADY_SOFTWARE_ITERATIONS, cm_kernel_##name, 0, 0},
#define ROW_RANDOM(name, text)                                                                                         \
    {text, "branch", CM_ISA_SSE2, BRANCH_ITERATIONS, RANDOM_SOFTWARE_ITERATIONS, cm_kernel_##name, 0, 0},
#define ROW_ACCESS(name, width, count, isa)                                                                            \
    {#name "." #width "." #count,          "mem-ops", isa, MEM_OPS_ITERATIONS, MEM_OPS_SOFTWARE_ITERATIONS,            \
     cm_kernel_##name##_##width##_##count, 0,         0},
#define CHASE(region, level, number, fillers, body)                                                                    \
    {#region "." #number "+" #fillers, "dcache", CM_ISA_SSE2,  CHASE_ITERATIONS, CHASE_SOFTWARE_ITERATIONS,            \
     cm_kernel_chase_##body,           level,    -1 + (number)},
/* Of the places in a level one at its lower border, one further in with wider steps. */
#define ROWS_CHASE(region, level, two)                                                                                 \
    CHASE(region, level, 1, 0, 0)                                                                                      \
    CHASE(region, level, 1, 2, two)                                                                                    \
    CHASE(region, level, 1, 5, 5)                                                                                      \
    CHASE(region, level, 5, 0, 0)                                                                                      \
    CHASE(region, level, 5, 2, two)                                                                                    \
    CHASE(region, level, 5, 5, 5)
/* Beside chains in the first cache there is room for what loads and stores. */
#define ROWS_UPDATE(region)                                                                                            \
    CHASE(region, 1, 1, 3, update)                                                                                     \
    CHASE(region, 1, 5, 3, update)
#define CHASE_STORING(region, level, number, what)                                                                     \
    {#region "." #number "+" #what, "dcache-write",         CM_ISA_SSE2, CHASE_ITERATIONS,                             \
     CHASE_SOFTWARE_ITERATIONS,     cm_kernel_chase_##what, level,       -1 + (number)},
/* Each on a chain of its own, which it warms up itself: what is dirty then is what it makes so. */
#define ROWS_STORING(region, level)                                                                                    \
    CHASE_STORING(region, level, 2, 0)                                                                                 \
    CHASE_STORING(region, level, 4, beside)                                                                            \
    CHASE_STORING(region, level, 5, same)                                                                              \
    CHASE_STORING(region, level, 6, twice)
#define EMPTY(benchmark) {"empty", benchmark, CM_ISA_SSE2, 1, 1, cm_kernel_empty, 0, 0},

static const cm_kernel kernels[] = {
    /* clang-format off */
    FLOPS(ROW_FLOPS)
    CONTROLS(ROW_FLOPS)
    FREE(ROW_FLOPS)
    EMPTY("cpu-flops")
    BRANCHES(ROW_STEADY, ROW_RANDOM)
    EMPTY("branch")
    ROWS_CHASE(L1, 1, store)
    ROWS_UPDATE(L1)
    ROWS_CHASE(L2, 2, 2)
    ROWS_CHASE(L3, 3, 2)
    ROWS_CHASE(MEM, 4, 2)
    EMPTY("dcache")
    ROWS_STORING(L1, 1)
    ROWS_STORING(L2, 2)
    ROWS_STORING(L3, 3)
    ROWS_STORING(MEM, 4)
    EMPTY("dcache-write")
    MEM_OPS(ROW_ACCESS)
    EMPTY("mem-ops")
    /* clang-format on */
};
const char *const cm_kernel_architecture = "x86_64";
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
