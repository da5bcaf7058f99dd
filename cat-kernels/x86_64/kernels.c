/* All kernels, in the order of their bases. A kernel is a row here, a body in assembly and a row of its basis. */
#include "cat-kernels/registry.h"
#include "cat-kernels/x86_64/isa.h"

enum {
    FLOPS_ITERATIONS = 100000,
    /* Counts are exact at any number. It is small so that what sets the registers up, 11 to 13 instructions a run,
     * keeps an event that counts vector instructions at a clear residual (0.025) rather than one near the tolerance. */
    FLOPS_SOFTWARE_ITERATIONS = 4,

    BRANCH_ITERATIONS = 200000,
    /* Without a random branch: a predictor needs up to about 20 mispredictions to learn such a loop, and 50 would
       count. */
    STEADY_SOFTWARE_ITERATIONS = 400,
    /* With one: rounding to the quantum goes wrong where a count is off by 1/8 a turn. The worst counts are sums of the
     * nested branch and the mispredictions (CE of b5a), two coins a turn with a standard deviation of sqrt(1/2): at
     * 3000 turns 1/8 are 9.7 standard deviations, and 6.8 if a predictor always says the same. A model's event may be a
     * multiple: three times the mispredictions leave 4.6. More turns than that, and a pass of all kernels would be too
     * long under the software PMU (tests/unit/test_kernels.c). */
    RANDOM_SOFTWARE_ITERATIONS = 3000,

    /* Accesses; multiples of what chase.S unrolls. */
    CHASE_ITERATIONS = 1 << 18,
    CHASE_SOFTWARE_ITERATIONS = 1 << 11,
};

#define ISA_AVX (CM_ISA_SSE2 | CM_ISA_AVX)
#define ISA_FMA (ISA_AVX | CM_ISA_FMA)
#define ISA_512 (ISA_FMA | CM_ISA_AVX512F)
#define ISA_FP16 (ISA_512 | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16)

/* FLOPS(symbol, needed ISA), FMA(symbol, needed ISA): three loops each; STEADY(name), RANDOM(name);
 * CHASE(region, level): six chains. */
#define KERNELS(FLOPS, FMA, STEADY, RANDOM, CHASE)                                                                     \
    FLOPS(S_SCAL, CM_ISA_SSE2)                                                                                         \
    FLOPS(S_128, CM_ISA_SSE2)                                                                                          \
    FLOPS(S_256, ISA_AVX)                                                                                              \
    FLOPS(S_512, ISA_512)                                                                                              \
    FLOPS(D_SCAL, CM_ISA_SSE2)                                                                                         \
    FLOPS(D_128, CM_ISA_SSE2)                                                                                          \
    FLOPS(D_256, ISA_AVX)                                                                                              \
    FLOPS(D_512, ISA_512)                                                                                              \
    FMA(S_FMA_SCAL, ISA_FMA)                                                                                           \
    FMA(S_FMA_128, ISA_FMA)                                                                                            \
    FMA(S_FMA_256, ISA_FMA)                                                                                            \
    FMA(S_FMA_512, ISA_512)                                                                                            \
    FMA(D_FMA_SCAL, ISA_FMA)                                                                                           \
    FMA(D_FMA_128, ISA_FMA)                                                                                            \
    FMA(D_FMA_256, ISA_FMA)                                                                                            \
    FMA(D_FMA_512, ISA_512)                                                                                            \
    FLOPS(H_SCAL, ISA_FP16)                                                                                            \
    FLOPS(H_128, ISA_FP16)                                                                                             \
    FLOPS(H_256, ISA_FP16)                                                                                             \
    FLOPS(H_512, ISA_FP16)                                                                                             \
    FMA(H_FMA_SCAL, ISA_FP16)                                                                                          \
    FMA(H_FMA_128, ISA_FP16)                                                                                           \
    FMA(H_FMA_256, ISA_FP16)                                                                                           \
    FMA(H_FMA_512, ISA_FP16)                                                                                           \
    STEADY(b1)                                                                                                         \
    STEADY(b2)                                                                                                         \
    STEADY(b3)                                                                                                         \
    RANDOM(b4)                                                                                                         \
    RANDOM(b4a)                                                                                                        \
    RANDOM(b4b)                                                                                                        \
    RANDOM(b5)                                                                                                         \
    RANDOM(b5a)                                                                                                        \
    RANDOM(b5b)                                                                                                        \
    STEADY(b6)                                                                                                         \
    STEADY(b7)                                                                                                         \
    CHASE(L1, 1)                                                                                                       \
    CHASE(L2, 2)                                                                                                       \
    CHASE(L3, 3)                                                                                                       \
    CHASE(MEM, 4)

#define DECLARE(name) void cm_kernel_##name(uint64_t iterations, cm_kernel_data *data);
#define DECLARE_FLOPS(symbol, isa) DECLARE(symbol##_24) DECLARE(symbol##_48) DECLARE(symbol##_96)
#define DECLARE_FMA(symbol, isa) DECLARE(symbol##_12) DECLARE(symbol##_24) DECLARE(symbol##_48)
#define DECLARE_NOTHING(region, level)
KERNELS(DECLARE_FLOPS, DECLARE_FMA, DECLARE, DECLARE, DECLARE_NOTHING)
DECLARE(chase)

#define FLOPS_LOOP(symbol, count, isa)                                                                                 \
    {#symbol "." #count,           "cpu-flops", isa, FLOPS_ITERATIONS, FLOPS_SOFTWARE_ITERATIONS,                      \
     cm_kernel_##symbol##_##count, 0,           0},
#define ROWS_FLOPS(symbol, isa) FLOPS_LOOP(symbol, 24, isa) FLOPS_LOOP(symbol, 48, isa) FLOPS_LOOP(symbol, 96, isa)
#define ROWS_FMA(symbol, isa) FLOPS_LOOP(symbol, 12, isa) FLOPS_LOOP(symbol, 24, isa) FLOPS_LOOP(symbol, 48, isa)
#define ROW_STEADY(name)                                                                                               \
    {#name, "branch", CM_ISA_SSE2, BRANCH_ITERATIONS, STEADY_SOFTWARE_ITERATIONS, cm_kernel_##name, 0, 0},
#define ROW_RANDOM(name)                                                                                               \
    {#name, "branch", CM_ISA_SSE2, BRANCH_ITERATIONS, RANDOM_SOFTWARE_ITERATIONS, cm_kernel_##name, 0, 0},
#define CHAIN(region, level, number)                                                                                   \
    {#region "." #number,       "dcache",        CM_ISA_SSE2, CHASE_ITERATIONS,                                        \
     CHASE_SOFTWARE_ITERATIONS, cm_kernel_chase, level,       -1 + (number)},
#define CHAINS_OF(region, level, a, b, c) CHAIN(region, level, a) CHAIN(region, level, b) CHAIN(region, level, c)
#define ROWS_CHASE(region, level) CHAINS_OF(region, level, 1, 2, 3) CHAINS_OF(region, level, 4, 5, 6)

static const cm_kernel kernels[] = {KERNELS(ROWS_FLOPS, ROWS_FMA, ROW_STEADY, ROW_RANDOM, ROWS_CHASE)};
const cm_kernel *const cm_kernel_table = kernels;
const size_t cm_kernel_table_size = sizeof kernels / sizeof kernels[0];
