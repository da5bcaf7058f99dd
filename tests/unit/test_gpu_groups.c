/* Products of groups of warps (wgmma) on the software GPU: random matrices in shared memory, at any places that a
 * description can say, against whole matrices; and what a program must do around them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/system.h"
#include "software_pmu/gpu/device.h"

enum { ROUNDS = 100, LINES = 64, COLUMNS = 16, INNER = 32, SHARED = 32 << 10, CORE = 128, WARPS = 4 };

static const struct row {
    const char *name;
    cm_gpu_class class;
    unsigned n, k, bytes; /* columns of B, products of a sum, bytes of a number of A and B */
} rows[] = {
    {"f16", CM_GPU_WGMMA_H, 8, 16, 2},       {"f16 n16", CM_GPU_WGMMA_H_N16, 16, 16, 2},
    {"f16 sums", CM_GPU_WGMMA_HH, 8, 16, 2}, {"bf16", CM_GPU_WGMMA_B, 8, 16, 2},
    {"tf32", CM_GPU_WGMMA_T, 8, 8, 4},       {"s8", CM_GPU_WGMMA_I, 8, 32, 1},
    {"e4m3", CM_GPU_WGMMA_E4, 8, 32, 1},     {"e4m3 n16", CM_GPU_WGMMA_E4_N16, 16, 32, 1},
    {"e5m2", CM_GPU_WGMMA_E5, 8, 32, 1},
};

/* A small whole number in the bits of A and B; those of FP8 by its formula. */
static uint32_t bits_of(const struct row *row, int value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    switch (row->class) {
    case CM_GPU_WGMMA_B: return bits >> 16;
    case CM_GPU_WGMMA_T: return bits;
    case CM_GPU_WGMMA_I: return (uint8_t)value;
    case CM_GPU_WGMMA_E4:
    case CM_GPU_WGMMA_E4_N16:
    case CM_GPU_WGMMA_E5: {
        const unsigned digits = row->class == CM_GPU_WGMMA_E5 ? 2 : 3, bias = digits == 2 ? 15 : 7;
        const uint32_t exponent = (bits >> 23 & 255) - 127 + bias,
                       fraction = bits >> (23 - digits) & ((1U << digits) - 1);
        return value == 0 ? 0 : bits >> 31 << 7 | exponent << digits | fraction;
    }
    default: return cm_narrow_round(&cm_narrow_half, value);
    }
}

/* Stores a matrix line by line, 8 lines of 16 bytes a core, and describes it. */
static uint64_t store(const struct row *row, int numbers[][INNER], unsigned lines, size_t first, size_t beside,
                      size_t below, unsigned char *shared)
{
    for (unsigned line = 0; line < lines; line++)
        for (unsigned i = 0; i < row->k; i++) {
            const size_t byte = (size_t)i * row->bytes, core = line / 8 * below + byte / 16 * beside;
            const uint32_t bits = bits_of(row, numbers[line][i]);
            memcpy(shared + first + core + line % 8 * 16 + byte % 16, &bits, row->bytes);
        }
    return first / 16 | (uint64_t)(beside / 16) << 16 | (uint64_t)(below / 16) << 32;
}

/* What D's number is after the product, and what is found. */
static double sum_of(const struct row *row, uint64_t bits, unsigned half)
{
    float single;
    const uint32_t low = (uint32_t)bits;
    if (row->class == CM_GPU_WGMMA_I)
        return (int32_t)low;
    if (row->class == CM_GPU_WGMMA_HH)
        return cm_narrow_value(&cm_narrow_half, (uint16_t)(low >> 16 * half));
    memcpy(&single, &low, sizeof single);
    return (double)single;
}

/* Of D's fragment a thread has two neighbours in two rows, eight apart, of each eight columns. */
static void check_warp(const struct row *row, unsigned warp, uint64_t d[][CM_PTX_PARTS], int a[][INNER], int b[][INNER])
{
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < row->n / 2; i++) {
            const unsigned line = 16 * warp + lane / 4 + i % 4 / 2 * 8, column = lane % 4 * 2 + i % 2 + i / 4 * 8;
            const unsigned at = row->class == CM_GPU_WGMMA_HH ? i / 2 : i;
            int expected = 0;
            for (unsigned k = 0; k < row->k; k++)
                expected += a[line][k] * b[column][k];
            if (sum_of(row, d[lane][at], i % 2) != expected)
                fail_msg("%s: line %u, column %u is %g, expected %d", row->name, line, column,
                         sum_of(row, d[lane][at], i % 2), expected);
        }
}

static void products_are_those_of_matrices_in_shared_memory(void **state)
{
    (void)state;
    static int a[LINES][INNER], b[COLUMNS][INNER];
    static unsigned char shared[SHARED];
    uint64_t random = 3;
    for (size_t i = 0; i < ROUNDS * sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i / ROUNDS];
        /* cores of A close together, two of a row below one another or far apart; those of B behind them */
        const size_t gap = CORE * (1 + cm_random_below(&random, 3)), flat = cm_random_below(&random, 2);
        const size_t beside = flat ? 8 * gap : gap, below = flat ? gap : 2 * gap, second = 16 * gap;
        for (size_t at = 0; at < (size_t)LINES * INNER; at++)
            a[at / INNER][at % INNER] = (int)cm_random_below(&random, 9) - 4;
        for (size_t at = 0; at < (size_t)COLUMNS * INNER; at++)
            b[at / INNER][at % INNER] = (int)cm_random_below(&random, 9) - 4;
        cm_ptx_shared described = {shared, sizeof shared, 0, 0, 0};
        described.a = store(row, a, LINES, 0, beside, below, shared);
        described.b = store(row, b, row->n, second, gap, 2 * gap, shared);
        for (described.warp = 0; described.warp < WARPS; described.warp++) {
            uint64_t d[CM_PTX_WARP][CM_PTX_PARTS] = {{0}};
            assert_true(cm_ptx_multiply_shared(row->class, d, &described));
            check_warp(row, described.warp, d, a, b);
        }
    }
}

/* ---- what stands around products ---- */

static unsigned char memory[512];

static bool reaches(uint64_t address, size_t size)
{
    return address >= (uintptr_t)memory && address + size <= (uintptr_t)memory + sizeof memory;
}

/* D is 1 before; all numbers of A and B are 1/4: a product adds 1. The program stores D of the last thread. */
#define STORED(at) "\tst.shared.v4.b32 [%%at+" at "], {%%c, %%c, %%c, %%c};\n"
static const char text[] =
    ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry tried(.param .u64 memory)\n{\n"
    "\t.shared .align 128 .b8 tile[4096];\n\t.reg .b64 %%m, %%A, %%B;\n\t.reg .b32 %%c, %%at, %%tile;\n"
    "\t.reg .f32 %%d<4>;\n\tld.param.u64 %%m, [memory];\n\tmov.u32 %%c, 0x34003400;\n\tmov.u32 %%tile, tile;\n"
    "\tmov.u32 %%at, %%tid.x;\n\tand.b32 %%at, %%at, 31;\n\tmad.lo.s32 %%at, %%at, 16, %%tile;\n" STORED("0")
        STORED("512") STORED("1024") STORED("1536")
            STORED("2048") "\tadd.s64 %%A, 0, %s;\n\tadd.s64 %%B, 0, 68719476864;\n\tmov.u32 %%d0, 0x3f800000;\n"
                           "%s%s\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%%d0, %%d1, %%d2, %%d3}, %%A, "
                           "%%B, %s, 0, "
                           "0;\n%s%s\tst.global.f32 [%%m+0], %%d0;\n\tret;\n}\n";

#define PLAIN "68720001024"
#define PROXY "\tfence.proxy.async;\n"
#define FENCE "\twgmma.fence.sync.aligned;\n"
#define COMMIT "\twgmma.commit_group.sync.aligned;\n"
#define WAIT "\twgmma.wait_group.sync.aligned 0;\n"

static const struct around {
    const char *what, *a, *proxy, *fence, *factors, *commit, *wait;
    unsigned threads;
    cm_ptx_outcome outcome;
    float found;
} arounds[] = {
    {"all of it", PLAIN, PROXY, FENCE, "1, 1, 1", COMMIT, WAIT, 128, CM_PTX_DONE, 2},
    {"two groups of warps", PLAIN, PROXY, FENCE, "1, 1, 1", COMMIT, WAIT, 256, CM_PTX_DONE, 2},
    {"nothing is added to", PLAIN, PROXY, FENCE, "0, 1, 1", COMMIT, WAIT, 128, CM_PTX_DONE, 1},
    {"nobody waits", PLAIN, PROXY, FENCE, "1, 1, 1", COMMIT, "", 128, CM_PTX_DONE, 1},
    {"the last group goes on", PLAIN, PROXY, FENCE, "1, 1, 1", COMMIT, "\twgmma.wait_group.sync.aligned 1;\n", 128,
     CM_PTX_DONE, 1},
    {"no commit", PLAIN, PROXY, FENCE, "1, 1, 1", "", WAIT, 128, CM_PTX_DONE, 1},
    {"no fence of registers", PLAIN, PROXY, "", "1, 1, 1", COMMIT, WAIT, 128, CM_PTX_DIVERGED, 0},
    {"no fence of shared memory", PLAIN, "", FENCE, "1, 1, 1", COMMIT, WAIT, 128, CM_PTX_DIVERGED, 0},
    {"half a group", PLAIN, PROXY, FENCE, "1, 1, 1", COMMIT, WAIT, 64, CM_PTX_DIVERGED, 0},
    {"a factor of -1", PLAIN, PROXY, FENCE, "1, -1, 1", COMMIT, WAIT, 128, CM_PTX_DIVERGED, 0},
    {"swizzled", "4611686087147388928", PROXY, FENCE, "1, 1, 1", COMMIT, WAIT, 128, CM_PTX_BAD_ADDRESS, 0},
    {"A beyond the end", "68720001216", PROXY, FENCE, "1, 1, 1", COMMIT, WAIT, 128, CM_PTX_BAD_ADDRESS, 0},
};

static void programs_fence_commit_and_wait(void **state)
{
    (void)state;
    const cm_pmu_machine machine = {.gpu = "nvidia", .gpu_target = 90};
    const uint64_t parameters[] = {(uintptr_t)memory};
    for (size_t i = 0; i < sizeof arounds / sizeof arounds[0]; i++) {
        const struct around *row = &arounds[i];
        static uint64_t facts[CM_FACT_COUNT];
        char written[2048], log[128] = "";
        float found = 0;
        snprintf(written, sizeof written, text, row->a, row->proxy, row->fence, row->factors, row->commit, row->wait);
        cm_ptx_program *program = cm_ptx_read(written, 90, log, sizeof log);
        if (program == NULL)
            fail_msg("%s: %s", row->what, log);
        cm_hierarchy *hierarchy = cm_hierarchy_create(&machine);
        const cm_ptx_run run = {program, parameters, 1, row->threads, reaches, hierarchy, facts};
        const cm_ptx_outcome outcome = cm_ptx_execute(&run);
        memcpy(&found, memory, sizeof found);
        if (outcome != row->outcome || (outcome == CM_PTX_DONE && found != row->found))
            fail_msg("%s: outcome %d with %g", row->what, (int)outcome, (double)found);
        cm_hierarchy_free(hierarchy);
        cm_ptx_free(program);
    }
    char log[128];
    assert_null(cm_ptx_read(".version 8.0\n.target sm_90a\n", 100, log, sizeof log));
    assert_string_equal(log, "line 2: it is for sm_90a, the device is sm_100");
    static const char *const headings[] = {".version 8.0\n.target sm_90\n", ".version 7.8\n.target sm_90a\n"};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        char written[256];
        snprintf(written, sizeof written, "%s.visible .entry tried(.param .u64 memory)\n{\n" FENCE "}\n", headings[i]);
        assert_null(cm_ptx_read(written, 90, log, sizeof log));
        assert_string_equal(log, "line 5: wgmma.fence.sync.aligned needs .version 8.0 and .target sm_90a");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_matrices_in_shared_memory),
        cmocka_unit_test(programs_fence_commit_and_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
