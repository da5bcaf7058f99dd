/* Figures of machines: what kernels do by their tables, which sizes stand for a level, which ceilings are the highest.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machines/roofline.h"
#include "machines/timed.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_work_of_a_turn(void **state)
{
    (void)state;
    static const struct {
        cm_timed_kernel kernel;
        size_t bytes;
        double flops, moved;
    } rows[] = {
        {{CM_TIMED_RATE, "fma", CM_DOUBLE, "AVX", 32, 0, 48, NULL}, 512, 48 * 4 * 2, 0},
        {{CM_TIMED_RATE, "fma", CM_SINGLE, "scalar", 4, 0, 48, NULL}, 512, 48 * 2, 0},
        {{CM_TIMED_RATE, "add_mul", CM_HALF, "AVX-512", 64, 0, 48, NULL}, 512, 48 * 32, 0},
        {{CM_TIMED_CLOCK, "clock", CM_DOUBLE, "scalar", 8, 0, 48, NULL}, 512, 0, 0},
        {{CM_TIMED_STREAM, "load", CM_DOUBLE, "AVX", 32, 0, 0, NULL}, 4096, 0, 4096},
        {{CM_TIMED_STREAM, "copy", CM_DOUBLE, "SSE", 16, 0, 0, NULL}, 4096, 0, 2 * 4096},
        {{CM_TIMED_STREAM, "triad", CM_DOUBLE, "scalar", 8, 0, 0, NULL}, 4096, 2 * 512, 3 * 4096},
        {{CM_TIMED_STREAM, "schoenauer", CM_DOUBLE, "AVX", 32, 0, 0, NULL}, 4096, 2 * 512, 4 * 4096},
        {{CM_TIMED_STREAM, "store_nt", CM_DOUBLE, "AVX", 32, 0, 0, NULL}, 4096, 0, 4096},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (cm_timed_flops(&rows[i].kernel, rows[i].bytes) != rows[i].flops ||
            cm_timed_bytes(&rows[i].kernel, rows[i].bytes) != rows[i].moved)
            fail_msg("row %zu: %g operations, %g bytes", i, cm_timed_flops(&rows[i].kernel, rows[i].bytes),
                     cm_timed_bytes(&rows[i].kernel, rows[i].bytes));
}

static void test_every_kernel_has_its_operation(void **state)
{
    (void)state;
    for (size_t i = 0; i < cm_timed_kernel_count; i++) {
        const cm_timed_kernel *kernel = &cm_timed_kernels[i];
        const cm_timed_operation *operation = cm_timed_operation_find(kernel->operation);
        assert_non_null(operation);
        assert_int_equal(kernel->kind == CM_TIMED_STREAM, operation->arrays > 0);
        assert_int_equal(kernel->kind == CM_TIMED_STREAM, kernel->count == 0);
        for (size_t k = 0; k < i; k++) /* and none is there twice */
            if (cm_timed_kernels[k].kind == kernel->kind && cm_timed_kernels[k].precision == kernel->precision &&
                strcmp(cm_timed_kernels[k].operation, kernel->operation) == 0 &&
                strcmp(cm_timed_kernels[k].vectors, kernel->vectors) == 0)
                fail_msg("%s %s is there twice", kernel->operation, kernel->vectors);
    }
    assert_null(cm_timed_find(CM_TIMED_RATE, "wish", CM_DOUBLE, "scalar"));
}

/* The numbers that a kernel leaves in its arrays are those of its operation. */
static void test_streams_compute_what_they_say(void **state)
{
    (void)state;
    enum { BYTES = 2 * CM_TIMED_STEP, NUMBERS = BYTES / sizeof(double) };
    const double factor = 0.4231087751;
    cm_arrays arrays = {0};
    assert_int_equal(cm_arrays_map(&arrays, BYTES, NULL), CM_OK);
    for (size_t i = 0; i < cm_timed_kernel_count; i++) {
        const cm_timed_kernel *kernel = &cm_timed_kernels[i];
        if (kernel->kind != CM_TIMED_STREAM || !cm_timed_available(kernel))
            continue;
        const cm_timed_memory memory = cm_arrays_fill(&arrays, BYTES);
        double *a = memory.arrays[0], *b = memory.arrays[1], *c = memory.arrays[2], *d = memory.arrays[3];
        for (size_t k = 0; k < NUMBERS; k++) {
            b[k] = (double)k;
            c[k] = 0.5 * (double)k + 3.0;
            d[k] = 7.0 - (double)k;
        }
        kernel->body(1, &memory);
        for (size_t k = 0; k < NUMBERS; k++) {
            const char *name = kernel->operation;
            double expected = strncmp(name, "load", 4) == 0    ? 1.0
                              : strncmp(name, "store", 5) == 0 ? factor
                              : strncmp(name, "copy", 4) == 0  ? b[k]
                              : strncmp(name, "triad", 5) == 0 ? b[k] + factor * c[k]
                                                               : b[k] + c[k] * d[k];
            if (!(fabs(a[k] - expected) <= 1e-12 * fabs(expected)))
                fail_msg("%s %s: element %zu is %g, expected %g", name, kernel->vectors, k, a[k], expected);
        }
    }
    cm_arrays_unmap(&arrays);
}

/* Nothing is written but to the arrays, and no processor refuses an instruction. */
static void test_every_kernel_runs(void **state)
{
    (void)state;
    cm_arrays arrays = {0};
    size_t run = 0;
    assert_int_equal(cm_arrays_map(&arrays, CM_TIMED_STEP, NULL), CM_OK);
    for (size_t i = 0; i < cm_timed_kernel_count; i++)
        if (cm_timed_available(&cm_timed_kernels[i])) {
            const cm_timed_memory memory = cm_arrays_fill(&arrays, CM_TIMED_STEP);
            cm_timed_kernels[i].body(3, &memory);
            run++;
        }
    cm_arrays_unmap(&arrays);
    assert_true(run > 0 || cm_timed_kernel_count == 0);
}

static void test_sizes(void **state)
{
    (void)state;
    enum { KIB = 1024, MIB = 1024 * 1024 };
    static const struct {
        cm_geometry geometry;
        double bytes[CM_CACHE_LEVELS + 1];
    } rows[] = {
        {{.caches = {32 * KIB, MIB, 32 * MIB}, .sharers = 1}, {16 * KIB, 512 * KIB, 16 * MIB, 128 * MIB}},
        {{.caches = {32 * KIB, MIB, 32 * MIB}, .sharers = 8}, {16 * KIB, 512 * KIB, 2 * MIB, 64 * MIB}},
        /* a share below the cache before it: something more than that one */
        {{.caches = {48 * KIB, 2 * MIB, 32 * MIB}, .sharers = 16}, {24 * KIB, MIB, 3 * MIB, 64 * MIB}},
        {{.caches = {64 * KIB, 8 * MIB, 0}, .sharers = 4}, {32 * KIB, MIB, 0, 64 * MIB}},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t level = 0; level <= CM_CACHE_LEVELS; level++)
            if (cm_level_bytes(&rows[i].geometry, level) != rows[i].bytes[level])
                fail_msg("row %zu, %s: %g bytes, expected %g", i, cm_level_name(level),
                         cm_level_bytes(&rows[i].geometry, level), rows[i].bytes[level]);
}

static void test_readings(void **state)
{
    (void)state;
    double samples[] = {4.0, 1.0, 3.0, 2.0, 100.0};
    cm_reading reading = cm_reading_of(samples, COUNT(samples));
    assert_true(reading.median == 3.0 && reading.lowest == 1.0 && reading.highest == 100.0);
    assert_true(cm_reading_spread(&reading) == 0.5 * 99.0 / 3.0);
    assert_true(isnan(cm_reading_of(samples, 0).median));
}

static cm_roofline *made_up(void)
{
    static const cm_ceiling ceilings[] = {
        {CM_CEILING_FLOPS, "fma", "AVX", CM_DOUBLE, "", 0, 1, 9, {60, 60, 60}, {60, 60, 60}, {1, 1, 1}},
        {CM_CEILING_FLOPS, "fma", "SSE", CM_DOUBLE, "", 0, 1, 9, {30, 30, 30}, {30, 30, 30}, {1, 1, 1}},
        {CM_CEILING_FLOPS, "add", "AVX", CM_DOUBLE, "", 0, 1, 9, {30, 30, 30}, {30, 30, 30}, {1, 1, 1}},
        {CM_CEILING_FLOPS, "add_mul", "AVX", CM_DOUBLE, "", 0, 1, 9, {45, 45, 45}, {45, 45, 45}, {1, 1, 1}},
        {CM_CEILING_FLOPS, "fma", "AVX", CM_SINGLE, "", 0, 1, 9, {120, 120, 120}, {120, 120, 120}, {1, 1, 1}},
        {CM_CEILING_FLOPS, "fma", "AVX", CM_DOUBLE, "", 0, 4, 9, {240, 240, 240}, {240, 240, 240}, {1, 1, 1}},
        {CM_CEILING_BANDWIDTH, "load", "AVX", CM_DOUBLE, "L2", 1, 1, 9, {20, 20, 20}, {20, 20, 20}, {1, 1, 1}},
        {CM_CEILING_BANDWIDTH, "copy", "AVX", CM_DOUBLE, "L2", 1, 1, 9, {25, 25, 25}, {25, 25, 25}, {1, 1, 1}},
        {CM_CEILING_BANDWIDTH, "triad_nt", "AVX", CM_DOUBLE, "L2", 1, 1, 9, {99, 99, 99}, {99, 99, 99}, {1, 1, 1}},
        {CM_CEILING_BANDWIDTH, "triad_nt", "AVX", CM_DOUBLE, "memory", 1, 1, 9, {9, 9, 9}, {9, 9, 9}, {1, 1, 1}},
        {CM_CEILING_BANDWIDTH, "load", "AVX", CM_DOUBLE, "memory", 1, 1, 9, {7, 7, 7}, {7, 7, 7}, {1, 1, 1}},
    };
    cm_roofline *roofline = calloc(1, sizeof *roofline);
    assert_non_null(roofline);
    for (size_t i = 0; i < COUNT(ceilings); i++)
        assert_int_equal(cm_roofline_add_ceiling(roofline, &ceilings[i], NULL), CM_OK);
    return roofline;
}

static void test_highest(void **state)
{
    (void)state;
    cm_roofline *roofline = made_up();
    assert_int_equal(cm_roofline_teams(roofline), 2);
    assert_int_equal(cm_roofline_team(roofline, 0), 1);
    assert_int_equal(cm_roofline_team(roofline, 1), 4);
    assert_true(cm_roofline_peak(roofline, 1, CM_DOUBLE, NULL, true)->rate.median == 60);
    assert_true(cm_roofline_peak(roofline, 1, CM_DOUBLE, "SSE", true)->rate.median == 30);
    assert_true(cm_roofline_peak(roofline, 1, CM_DOUBLE, NULL, false)->rate.median == 45);
    assert_true(cm_roofline_peak(roofline, 4, CM_DOUBLE, NULL, true)->rate.median == 240);
    assert_null(cm_roofline_peak(roofline, 1, CM_HALF, NULL, true));
    assert_true(cm_roofline_bandwidth(roofline, 1, "L2")->rate.median == 25); /* what passes caches is no cache's */
    assert_true(cm_roofline_bandwidth(roofline, 1, "memory")->rate.median == 9);
    assert_true(cm_roofline_stream(roofline, 1, "load", "memory")->rate.median == 7);
    assert_null(cm_roofline_stream(roofline, 4, "load", "memory"));
    cm_roofline_free(roofline);
    cm_roofline_free(NULL);
}

static void see_all(size_t done, size_t all, void *data)
{
    assert_true(done <= all);
    *(size_t *)data = all;
}

/* A few kernels for a moment: figures are there, and in order. How large they are depends on the machine. */
static void test_measured(void **state)
{
    (void)state;
    cm_cores cores = {0};
    cm_error error;
    size_t seen = 0;
    if (cm_timed_clock() == NULL)
        skip();
    assert_int_equal(cm_cores_find("", 1, &cores, &error), CM_OK);
    cm_timing timings[] = {
        {.kernel = cm_timed_clock(), .bytes = CM_TIMED_STEP},
        {.kernel = cm_timed_find(CM_TIMED_RATE, "add", CM_DOUBLE, "scalar"), .bytes = CM_TIMED_STEP},
        {.kernel = cm_timed_find(CM_TIMED_STREAM, "triad", CM_DOUBLE, "scalar"), .bytes = 4096, .turns = 3},
    };
    const cm_timing_options options = {
        .cores = &cores, .rounds = 3, .repetitions = 2, .seconds = 0.0002, .progress = see_all, .data = &seen};
    assert_int_equal(cm_time_kernels(&options, timings, COUNT(timings), &error), CM_OK);
    for (size_t i = 0; i < COUNT(timings); i++) {
        const cm_reading *rate = &timings[i].rate;
        assert_true(rate->lowest > 0.0 && rate->lowest <= rate->median && rate->median <= rate->highest);
        assert_true(timings[i].clock.median > 0.0);
        assert_true(timings[i].turns > 0);
        assert_true(timings[i].undisturbed <= 2);
    }
    assert_int_equal(timings[2].turns, 3);
    assert_int_equal(seen, 3 * COUNT(timings));
    cm_cores_clear(&cores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_of_a_turn),
        cmocka_unit_test(test_every_kernel_has_its_operation),
        cmocka_unit_test(test_streams_compute_what_they_say),
        cmocka_unit_test(test_every_kernel_runs),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_readings),
        cmocka_unit_test(test_highest),
        cmocka_unit_test(test_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
