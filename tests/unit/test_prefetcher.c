/* Hardware prefetchers and fill buffers: which lines come in, who uses them, and which loads find a line on its way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/memory.h"

enum { LINE = 64, PAGE_LINES = 64, FAR = 1 << 20 };

/* Of one set of 128, 256 and 512 lines: a page is never given up. */
static const cm_pmu_machine small = {
    .line_size = LINE,
    .page_size = PAGE_LINES * LINE,
    .l1d_size = 128 * LINE,
    .l1d_ways = 128,
    .l2_size = 256 * LINE,
    .l2_ways = 256,
    .l3_size = 512 * LINE,
    .l3_ways = 512,
    .predictor = "none",
};

/* Loads `count` lines from `first` on, `step` lines apart. */
static void load(const cm_pmu_machine *machine, uint64_t first, int64_t step, size_t count, uint64_t *facts)
{
    cm_memory memory;
    memset(facts, 0, CM_FACT_COUNT * sizeof *facts);
    assert_int_equal(cm_memory_init(&memory, machine, NULL), CM_OK);
    for (size_t i = 0; i < count; i++)
        cm_memory_access(&memory, (first + (uint64_t)(step * (int64_t)i)) * LINE, 8, false, facts);
    cm_memory_clear(&memory);
}

static void a_stream_is_followed_to_the_end_of_its_page(void **state)
{
    (void)state;
    static const struct {
        uint64_t first;
        int64_t step;
        size_t count;
        uint64_t misses, prefetched, used;
    } rows[] = {
        {FAR, 1, 64, 3, 61, 61},               /* three lines show it; the rest of the page comes before its loads */
        {FAR + 63, -1, 64, 3, 61, 61},         /* downwards */
        {FAR, 4, 16, 3, 13, 13},               /* wider steps */
        {FAR, 1, 3, 3, 2, 0},                  /* it ends: two lines in vain */
        {FAR, 1, 2, 2, 0, 0},                  /* two loads are no stream */
        {FAR + 61, 1, 6, 6, 2, 0},             /* over the border of a page: each page has a stream of its own */
        {FAR, 65, 8, 8, 0, 0},                 /* each in its own page */
        {FAR + PAGE_LINES / 2, 0, 9, 1, 0, 0}, /* the same line again and again */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t facts[CM_FACT_COUNT];
        cm_pmu_machine machine = small;
        machine.l1d_prefetch_ahead = 2;
        load(&machine, rows[i].first, rows[i].step, rows[i].count, facts);
        assert_int_equal(facts[CM_FACT_L1D_LOAD_MISS], rows[i].misses);
        assert_int_equal(facts[CM_FACT_L1D_LOAD_HIT], rows[i].count - rows[i].misses);
        assert_int_equal(facts[CM_FACT_L1D_PREFETCH_MISS], rows[i].prefetched);
        assert_int_equal(facts[CM_FACT_L2_PREFETCH_MISS] + facts[CM_FACT_L2_PREFETCH_HIT], rows[i].prefetched);
        assert_int_equal(facts[CM_FACT_L3_PREFETCH_MISS], rows[i].prefetched);
        assert_int_equal(facts[CM_FACT_L1D_PREFETCH_USED], rows[i].used);
        assert_int_equal(facts[CM_FACT_L2_LOAD_MISS], rows[i].misses); /* of loads alone */
    }
}

static void a_prefetcher_of_l2_leaves_the_first_level_alone(void **state)
{
    (void)state;
    uint64_t facts[CM_FACT_COUNT];
    cm_pmu_machine machine = small;
    machine.l2_prefetch_ahead = 4;
    load(&machine, FAR, 1, 64, facts);
    assert_int_equal(facts[CM_FACT_L1D_LOAD_MISS], 64);
    assert_int_equal(facts[CM_FACT_L1D_PREFETCH_MISS], 0);
    assert_int_equal(facts[CM_FACT_L2_LOAD_HIT], 61);
    assert_int_equal(facts[CM_FACT_L2_PREFETCH_MISS], 61);
    assert_int_equal(facts[CM_FACT_L2_PREFETCH_HIT], 0); /* it asks for nothing that L2 has */
    assert_int_equal(facts[CM_FACT_L2_PREFETCH_USED], 61);
}

/* Lines that nobody asks for: the next one after each that misses. */
static void the_next_line_is_fetched_in_vain(void **state)
{
    (void)state;
    uint64_t facts[CM_FACT_COUNT];
    cm_pmu_machine machine = small;
    machine.l2_prefetch_next = 1;
    load(&machine, FAR, 10, 6, facts);
    assert_int_equal(facts[CM_FACT_L2_LOAD_MISS], 6);
    assert_int_equal(facts[CM_FACT_L2_PREFETCH_MISS], 6);
    assert_int_equal(facts[CM_FACT_L2_PREFETCH_USED], 0);
}

static void an_interleaved_stream_is_followed_too(void **state)
{
    (void)state;
    uint64_t facts[CM_FACT_COUNT] = {0};
    cm_memory memory;
    cm_pmu_machine machine = small;
    machine.l1d_prefetch_ahead = 1;
    assert_int_equal(cm_memory_init(&memory, &machine, NULL), CM_OK);
    for (uint64_t i = 0; i < 20; i++)
        for (uint64_t stream = 0; stream < 4; stream++)
            cm_memory_access(&memory, (FAR + stream * PAGE_LINES + i) * LINE, 8, i % 2 == 0, facts);
    cm_memory_clear(&memory);
    assert_int_equal(facts[CM_FACT_L1D_LOAD_MISS] + facts[CM_FACT_L1D_STORE_MISS], 4 * 3);
}

/* A line is on its way for so many accesses; loads of it meanwhile are fill hits, which are hits. */
static void loads_of_a_line_on_its_way_are_fill_hits(void **state)
{
    (void)state;
    for (unsigned accesses = 0; accesses < 9; accesses++) {
        uint64_t facts[CM_FACT_COUNT];
        cm_pmu_machine machine = small;
        machine.fill_accesses = accesses;
        load(&machine, FAR, 0, 6, facts);
        assert_int_equal(facts[CM_FACT_L1D_LOAD_MISS], 1);
        assert_int_equal(facts[CM_FACT_L1D_LOAD_HIT], 5);
        assert_int_equal(facts[CM_FACT_L1D_LOAD_FILL_HIT], accesses < 5 ? accesses : 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_is_followed_to_the_end_of_its_page),
        cmocka_unit_test(a_prefetcher_of_l2_leaves_the_first_level_alone),
        cmocka_unit_test(the_next_line_is_fetched_in_vain),
        cmocka_unit_test(an_interleaved_stream_is_followed_too),
        cmocka_unit_test(loads_of_a_line_on_its_way_are_fill_hits),
    };
    return cmocka_run_group_tests_name("prefetcher", tests, NULL, NULL);
}
