/* Write-allocate evasion: which lines that stores miss are read from memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/memory.h"

enum { LINE = 64, MANY = 1000 };

/* Of one set of 32 lines each. */
static const cm_pmu_machine small = {
    .line_size = LINE,
    .page_size = 4096,
    .l1d_size = 32 * LINE,
    .l1d_ways = 32,
    .l2_size = 64 * LINE,
    .l2_ways = 64,
    .l3_size = 128 * LINE,
    .l3_ways = 128,
    .predictor = "none",
};

typedef struct counts {
    uint64_t stored, reads, written; /* stores that hit or miss the first level; misses and lines of the last */
} counts;

static void init(cm_memory *memory, const cm_pmu_machine *machine, unsigned evasion)
{
    cm_pmu_machine evading = *machine;
    evading.write_allocate_evasion = evasion;
    assert_int_equal(cm_memory_init(memory, &evading, NULL), CM_OK);
}

/* Stores of `width` bytes to lines one after another, beginning at `first` in each and `step` apart, `each` a line;
 * then all leave the caches. */
static counts store_lines(unsigned evasion, size_t width, uint64_t first, int64_t step, size_t each)
{
    cm_memory memory;
    uint64_t facts[CM_FACT_COUNT] = {0};
    init(&memory, &small, evasion);
    for (uint64_t line = MANY; line < 2 * MANY; line++)
        for (size_t i = 0; i < each; i++)
            cm_memory_access(&memory, line * LINE + first + (uint64_t)(step * (int64_t)i), width, true, facts);
    cm_memory_settle(&memory, facts);
    for (uint64_t line = 0; line < 128; line++)
        cm_memory_access(&memory, line * LINE, 8, false, facts);
    cm_memory_clear(&memory);
    return (counts){facts[CM_FACT_L1D_STORE_HIT] + facts[CM_FACT_L1D_STORE_MISS], facts[CM_FACT_L3_STORE_MISS],
                    facts[CM_FACT_L3_WRITTEN_BACK]};
}

static void whole_lines_are_not_read_and_parts_are(void **state)
{
    (void)state;
    static const struct {
        size_t width;
        uint64_t first;
        int64_t step;
        size_t each;
        uint64_t reads; /* with evasion */
    } rows[] = {
        {64, 0, 0, 1, 0},     {8, 0, 8, 8, 0},    {32, 0, 32, 2, 0},  {1, 0, 1, 64, 0},   {8, 56, -8, 8, 0},
        {16, 0, 12, 5, 0},    {8, 0, 8, 7, MANY}, {8, 0, 0, 8, MANY}, {8, 8, 8, 7, MANY}, {8, 0, 16, 4, MANY},
        {32, 32, 0, 1, MANY}, {4, 0, 8, 8, MANY}, {64, 32, 64, 1, 1}, {48, 0, 16, 2, 0},  {8, 24, -8, 4, MANY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned evasion = 0; evasion < 2; evasion++) {
            counts got = store_lines(evasion, rows[i].width, rows[i].first, rows[i].step, rows[i].each);
            uint64_t lines = MANY + (rows[i].first == 32 && rows[i].width == 64); /* from half a line to half a line */
            uint64_t reads = evasion == 0 ? MANY : rows[i].reads + (lines > MANY);
            if (got.stored != MANY * rows[i].each || got.reads != reads || got.written != lines)
                fail_msg("row %zu, %u: %d stores, %d lines read, %d written", i, evasion, (int)got.stored,
                         (int)got.reads, (int)got.written);
        }
}

/* Half of line 0 is written, then something happens, then the other half. */
static void a_line_that_is_touched_or_lost_before_is_read(void **state)
{
    (void)state;
    enum { NOTHING, LOAD, LOAD_BESIDE, FETCH, PAST, OTHER_STORES, TOO_MANY, EVICT, SETTLE };
    static const struct {
        int happens;
        uint64_t reads; /* of line 0 and others */
    } rows[] = {{NOTHING, 0}, {LOAD, 1},   {LOAD_BESIDE, 0},   {FETCH, 1},    {PAST, 2},
                {EVICT, 1},   {SETTLE, 1}, {OTHER_STORES, 15}, {TOO_MANY, 17}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_memory memory;
        uint64_t facts[CM_FACT_COUNT] = {0};
        cm_pmu_machine machine = small;
        machine.l1i_size = machine.l1d_size;
        machine.l1i_ways = machine.l1d_ways;
        init(&memory, &machine, 1);
        cm_memory_access(&memory, 0, 32, true, facts);
        switch (rows[i].happens) {
        case LOAD: cm_memory_access(&memory, 8, 8, false, facts); break;
        case LOAD_BESIDE: cm_memory_access(&memory, LINE, 8, false, facts); break;
        case FETCH: cm_memory_fetch(&memory, 0, facts); break;
        case PAST: cm_memory_store_past(&memory, 32, 8, facts); break;
        case SETTLE: cm_memory_settle(&memory, facts); break;
        default: break;
        }
        size_t others = rows[i].happens == OTHER_STORES ? CM_EVASION_LINES - 1
                        : rows[i].happens == TOO_MANY   ? CM_EVASION_LINES
                                                        : 0;
        for (uint64_t line = 1; line <= others; line++)
            cm_memory_access(&memory, line * LINE, 8, true, facts);
        for (uint64_t line = 1; rows[i].happens == EVICT && line <= 32; line++)
            cm_memory_access(&memory, line * LINE, 8, false, facts);
        cm_memory_access(&memory, 32, 32, true, facts);
        cm_memory_settle(&memory, facts);
        if (facts[CM_FACT_L3_STORE_MISS] != rows[i].reads)
            fail_msg("row %zu: %d lines read", i, (int)facts[CM_FACT_L3_STORE_MISS]);
        cm_memory_clear(&memory);
    }
}

/* Of the levels that there are, and with it those behind it; without any, no line is kept, and each is read at once. */
static void the_last_level_counts_what_is_read(void **state)
{
    (void)state;
    for (size_t levels = 0; levels <= 3; levels++) {
        cm_pmu_machine machine = small;
        cm_memory memory;
        uint64_t facts[CM_FACT_COUNT] = {0};
        machine.l3_size = levels < 3 ? 0 : machine.l3_size;
        machine.l2_size = levels < 2 ? 0 : machine.l2_size;
        machine.l1d_size = levels < 1 ? 0 : machine.l1d_size;
        init(&memory, &machine, 1);
        cm_memory_access(&memory, 0, LINE, true, facts);
        cm_memory_access(&memory, 2 * LINE, 8, true, facts);
        cm_memory_settle(&memory, facts);
        for (size_t i = 0; i < 3; i++) {
            uint64_t expected = levels > 0 && i + 1 >= levels ? 1 : 2;
            assert_int_equal(facts[CM_FACT_L1D_STORE_MISS + 4 * i], expected);
        }
        cm_memory_clear(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_lines_are_not_read_and_parts_are),
        cmocka_unit_test(a_line_that_is_touched_or_lost_before_is_read),
        cmocka_unit_test(the_last_level_counts_what_is_read),
    };
    return cmocka_run_group_tests_name("evasion", tests, NULL, NULL);
}
