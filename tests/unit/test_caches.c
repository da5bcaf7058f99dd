/* The modelled caches against a naive reference, and what accesses count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base.h"
#include "software_pmu/machine/memory.h"

/* Least recently used by time stamps: as slow and plain as can be. */
typedef struct reference {
    struct {
        uint64_t line, time;
    } places[64];
    size_t sets, ways;
    uint64_t now;
} reference;

static bool reference_access(reference *cache, uint64_t line)
{
    size_t first = line % cache->sets * cache->ways, oldest = first;
    cache->now++;
    for (size_t i = first; i < first + cache->ways; i++) {
        if (cache->places[i].time != 0 && cache->places[i].line == line) {
            cache->places[i].time = cache->now;
            return true;
        }
        if (cache->places[i].time < cache->places[oldest].time)
            oldest = i;
    }
    cache->places[oldest].line = line;
    cache->places[oldest].time = cache->now;
    return false;
}

static void a_cache_does_as_the_reference(void **state)
{
    (void)state;
    static const struct {
        size_t sets, ways, lines;
    } rows[] = {{1, 1, 3}, {1, 8, 9}, {1, 8, 8}, {4, 2, 10}, {8, 8, 80}, {3, 5, 20}, {12, 3, 41}, {16, 4, 64}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        reference expected = {.sets = rows[i].sets, .ways = rows[i].ways};
        cm_cache cache;
        assert_int_equal(cm_cache_init(&cache, rows[i].sets, rows[i].ways, false, NULL), CM_OK);
        uint64_t random = 1;
        for (size_t access = 0; access < 20000; access++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            uint64_t line = (random >> 33) % rows[i].lines;
            if (cm_cache_access(&cache, line, NULL) != reference_access(&expected, line))
                fail_msg("row %zu, access %zu: line %llu differs", i, access, (unsigned long long)line);
        }
        cm_cache_clear(&cache);
    }
}

static void an_evicted_line_is_gone_and_its_place_is_the_first_to_be_filled(void **state)
{
    (void)state;
    cm_cache cache;
    assert_int_equal(cm_cache_init(&cache, 2, 4, false, NULL), CM_OK);
    for (uint64_t line = 0; line < 8; line++)
        assert_false(cm_cache_access(&cache, line, NULL));
    cm_cache_drop(&cache, 5);
    assert_false(cm_cache_access(&cache, 5, NULL));
    for (uint64_t line = 0; line < 8; line++)
        assert_true(cm_cache_access(&cache, line, NULL));
    cm_cache_clear(&cache);
}

static const cm_pmu_machine small = {
    .line_size = 64,
    .page_size = 4096,
    .l1d_size = 1024,
    .l1d_ways = 4,
    .l2_size = 4096,
    .l2_ways = 4,
    .l3_size = 6 * 64 * 16,
    .l3_ways = 6,
    .dtlb_entries = 4,
    .predictor = "none",
};

enum { L1H = 1, L1M = 2, L2H = 4, L2M = 8, L3H = 16, L3M = 32, TLB = 64, SPLIT = 128 };

/* Accesses one after another, and what each counts. */
static void accesses_count_once_a_level(void **state)
{
    (void)state;
    static const struct {
        uint64_t address;
        size_t bytes;
        unsigned expected;
    } rows[] = {
        {0x10000, 8, L1M | L2M | L3M | TLB},
        {0x10038, 8, L1H},
        {0x10040, 1, L1M | L2M | L3M},
        {0x1003c, 8, L1H | SPLIT},
        {0x1007f, 2, L1M | L2M | L3M | SPLIT}, /* the second line is new: the load is as slow as that */
        {0x10000, 0, 0},
        {0x10000, 64, L1H},
        {0x10ffc, 8, L1M | L2M | L3M | TLB | SPLIT}, /* and into a new page */
        {0x10100, 4, L1M | L2M | L3M},               /* four more lines of set 0, which has four ways */
        {0x10200, 4, L1M | L2M | L3M},
        {0x10300, 4, L1M | L2M | L3M},
        {0x10400, 4, L1M | L2M | L3M},
        {0x10000, 4, L1M | L2H}, /* pushed out of the first level only */
    };
    for (int store = 0; store < 2; store++) {
        cm_memory memory;
        uint64_t facts[CM_FACT_COUNT] = {0}, before[CM_FACT_COUNT];
        assert_int_equal(cm_memory_init(&memory, &small, NULL), CM_OK);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            memcpy(before, facts, sizeof facts);
            cm_memory_access(&memory, rows[i].address, rows[i].bytes, store, facts);
            unsigned shift = store ? 2 : 0, seen = 0;
            const cm_fact watched[] = {
                CM_FACT_L1D_LOAD_HIT + shift,   CM_FACT_L1D_LOAD_MISS + shift, CM_FACT_L2_LOAD_HIT + shift,
                CM_FACT_L2_LOAD_MISS + shift,   CM_FACT_L3_LOAD_HIT + shift,   CM_FACT_L3_LOAD_MISS + shift,
                CM_FACT_DTLB_LOAD_MISS + store, CM_FACT_SPLIT_LOADS + store,
            };
            uint64_t sum = 0;
            for (unsigned bit = 0; bit < 8; bit++)
                seen |= (unsigned)(facts[watched[bit]] - before[watched[bit]]) << bit;
            for (size_t fact = 0; fact < CM_FACT_L1D_WRITTEN_BACK; fact++)
                sum += facts[fact] - before[fact];
            if (seen != rows[i].expected || sum != (uint64_t)__builtin_popcount(seen))
                fail_msg("row %zu%s: counts %#x, expected %#x", i, store ? " as a store" : "", seen, rows[i].expected);
        }
        cm_memory_clear(&memory);
    }
}

/* Each access hits one level, or memory answers it, and each line that is written back arrives, on every machine. */
static void facts_add_up_whatever_level_is_missing(void **state)
{
    (void)state;
    enum { ACCESSES = 4000, LINES = 8 * 64 };
    for (size_t levels = 0; levels <= 3; levels++) {
        cm_pmu_machine machine = small;
        cm_memory memory;
        uint64_t facts[CM_FACT_COUNT] = {0}, kinds[3] = {0}, random = 1;
        machine.l3_size = levels < 3 ? 0 : machine.l3_size;
        machine.l2_size = levels < 2 ? 0 : machine.l2_size;
        machine.l1d_size = levels < 1 ? 0 : machine.l1d_size;
        machine.l1i_size = 16 * 64;
        machine.l1i_ways = 4;
        machine.dtlb_entries = levels < 3 ? 0 : machine.dtlb_entries;
        assert_int_equal(cm_memory_init(&memory, &machine, NULL), CM_OK);
        for (size_t i = 0; i < ACCESSES; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            size_t kind = random >> 40 & 3, of = kind < 3 ? kind : 0;
            uint64_t line = (random >> 44) % LINES;
            if (of == 2)
                cm_memory_fetch(&memory, line, facts);
            else
                cm_memory_access(&memory, 64 * line, 8, of == 1, facts);
            kinds[of]++;
        }
        static const cm_fact first[] = {CM_FACT_L1D_LOAD_HIT, CM_FACT_L1D_STORE_HIT, CM_FACT_L1I_FETCH_HIT};
        for (size_t of = 0; of < 3; of++) {
            size_t step = of < 2 ? 4 : 2;
            uint64_t left = kinds[of];
            for (size_t level = 0; level < 3; level++, left = facts[first[of] + 1 + step * (level - 1)]) {
                const uint64_t *hits = &facts[first[of] + step * level];
                if (hits[0] + hits[1] != left || (level >= levels && (of < 2 || level > 0) && hits[0] != 0))
                    fail_msg("%zu levels: of %u, level %zu has %u hits, %u misses", levels, (unsigned)left, level + 1,
                             (unsigned)hits[0], (unsigned)hits[1]);
            }
        }
        for (size_t level = levels; level > 0 && level < 3; level++)
            assert_int_equal(facts[CM_FACT_L1D_WRITTEN_BACK + level], facts[CM_FACT_L1D_WRITTEN_BACK + level - 1]);
        assert_int_equal(facts[CM_FACT_DTLB_LOAD_MISS] > 0, levels == 3);
        assert_true(levels == 0 || facts[CM_FACT_L1D_WRITTEN_BACK + 2] > 0);
        cm_memory_clear(&memory);
    }
}

/* Lines of set 0 of the first level, which has four ways; where there is another level, all stay there. */
static void dirty_lines_are_written_back_once(void **state)
{
    (void)state;
    enum { LOAD, STORE, PAST };
    static const struct {
        uint64_t line;
        int access;
        unsigned first, last; /* lines written back by the first level, and by the last */
    } rows[] = {
        {0, STORE, 0, 0}, {0, STORE, 0, 0}, {1, LOAD, 0, 0},
        {2, LOAD, 0, 0},  {3, LOAD, 0, 0},  {4, LOAD, 1, 0}, /* 0 goes, and is dirty further out */
        {5, LOAD, 0, 0},  {0, LOAD, 0, 0},  {6, LOAD, 0, 0},
        {7, LOAD, 0, 0},  {8, LOAD, 0, 0},  {9, LOAD, 0, 0}, /* 0 goes again, and was not stored to since */
        {9, STORE, 0, 0}, {9, PAST, 1, 1},                   /* it goes all the way, as 0 does next */
        {0, PAST, 0, 1},  {0, LOAD, 0, 0},
    };
    cm_memory memory;
    uint64_t facts[CM_FACT_COUNT] = {0};
    assert_int_equal(cm_memory_init(&memory, &small, NULL), CM_OK);
    size_t line = small.l1d_size / small.l1d_ways;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t first = facts[CM_FACT_L1D_WRITTEN_BACK], last = facts[CM_FACT_L3_WRITTEN_BACK];
        if (rows[i].access == PAST)
            cm_memory_store_past(&memory, rows[i].line * line, 8, facts);
        else
            cm_memory_access(&memory, rows[i].line * line, 8, rows[i].access == STORE, facts);
        first = facts[CM_FACT_L1D_WRITTEN_BACK] - first;
        last = facts[CM_FACT_L3_WRITTEN_BACK] - last;
        if (first != rows[i].first || last != rows[i].last)
            fail_msg("row %zu: %d and %d", i, (int)first, (int)last);
    }
    cm_memory_clear(&memory);
}

enum { ACCESSES = 4000000, LINES = 16 };

static uint64_t misses_with(double interference, uint64_t seed, size_t accesses)
{
    cm_pmu_machine machine = small;
    machine.interference = interference;
    cm_memory memory;
    uint64_t facts[CM_FACT_COUNT] = {0};
    assert_int_equal(cm_memory_init(&memory, &machine, NULL), CM_OK);
    cm_memory_seed(&memory, seed);
    for (size_t access = 0; access < accesses; access++)
        cm_memory_access(&memory, 64 * (access % LINES), 8, false, facts);
    cm_memory_clear(&memory);
    return facts[CM_FACT_L1D_LOAD_MISS];
}

/* The buffer fits in the first level, so every line that the neighbour takes is one miss. A thousand spells, an eighth
 * of them visited: 125 +- 10.5, of lengths that vary, too; 40 percent is four standard deviations. */
static void interference_evicts_by_its_rate_and_seed(void **state)
{
    (void)state;
    static const double rates[] = {0.001, 0.004, 0.05, 0.3, 0.7};
    assert_int_equal(misses_with(0.0, 1, ACCESSES), LINES);
    assert_int_equal(misses_with(1.0, 1, ACCESSES), ACCESSES);
    assert_int_equal(misses_with(0.1, 1, ACCESSES), misses_with(0.1, 1, ACCESSES));
    assert_int_not_equal(misses_with(0.1, 1, ACCESSES), misses_with(0.1, 2, ACCESSES));
    assert_int_not_equal(misses_with(0.1, 0, ACCESSES), misses_with(0.1, UINT64_MAX, ACCESSES));
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        double share = (double)misses_with(rates[i], 7, ACCESSES) / ACCESSES / rates[i];
        if (share < 0.6 || share > 1.4)
            fail_msg("interference %g evicts %g of its rate", rates[i], share);
    }
}

/* Most runs of a kernel see nothing of it, some see it at eight times its rate. */
static void interference_comes_in_bursts(void **state)
{
    (void)state;
    enum { RUNS = 400, RUN = 2048 };
    size_t quiet = 0, loud = 0;
    for (size_t run = 0; run < RUNS; run++) {
        double share = (double)(misses_with(0.01, run, RUN) - LINES) / RUN;
        quiet += share < 0.001;
        loud += share > 0.04;
    }
    assert_in_range(quiet, RUNS / 2, RUNS - RUNS / 20);
    assert_in_range(loud, RUNS / 20, RUNS / 4);
}

/* A cycle one line longer than a set never hits under true LRU; one bit a line keeps some of it. Both keep a set. */
static void replacement_is_true_or_by_a_bit(void **state)
{
    (void)state;
    for (int pseudo = 0; pseudo < 2; pseudo++)
        for (uint64_t length = 4; length <= 16; length++) {
            cm_cache cache;
            size_t hits = 0;
            assert_int_equal(cm_cache_init(&cache, 1, 8, pseudo, NULL), CM_OK);
            for (uint64_t access = 0; access < 100 * length; access++)
                hits += cm_cache_access(&cache, access % length, NULL);
            if (length <= 8)
                assert_int_equal(hits, 99 * length);
            else if (!pseudo || length == 16)
                assert_int_equal(hits, 0);
            cm_cache_clear(&cache);
        }
    cm_cache cache;
    uint64_t replaced = 0;
    assert_int_equal(cm_cache_init(&cache, 1, 4, true, NULL), CM_OK);
    for (uint64_t line = 0; line < 4; line++) {
        assert_false(cm_cache_access(&cache, line, &replaced));
        assert_true(replaced == CM_NO_LINE);
    }
    assert_false(cm_cache_access(&cache, 4, &replaced)); /* 3 was the last to be marked, and took the others' marks */
    assert_int_equal(replaced, 0);
    assert_true(cm_cache_access(&cache, 1, NULL)); /* 2 is the only one without a mark */
    assert_false(cm_cache_access(&cache, 5, &replaced));
    assert_int_equal(replaced, 2);
    cm_cache_clear(&cache);
}

/* Line 0 stays in the first level while others push it out of the outer ones. */
static void an_inclusive_hierarchy_takes_lines_from_the_inner_levels(void **state)
{
    (void)state;
    for (unsigned inclusive = 0; inclusive < 2; inclusive++) {
        cm_pmu_machine machine = small;
        machine.inclusive = inclusive;
        machine.l1d_ways = 16; /* one set */
        cm_memory memory;
        uint64_t facts[CM_FACT_COUNT] = {0};
        assert_int_equal(cm_memory_init(&memory, &machine, NULL), CM_OK);
        for (uint64_t other = 1; other <= 8; other++) { /* 16 sets of 4 and 6 ways outside */
            cm_memory_access(&memory, 0, 8, false, facts);
            cm_memory_access(&memory, other * 64 * 16, 8, false, facts);
        }
        assert_int_equal(facts[CM_FACT_L1D_LOAD_MISS], 9 + inclusive);
        cm_memory_clear(&memory);
    }
}

static void impossible_geometry_is_refused(void **state)
{
    (void)state;
    cm_pmu_machine rows[9];
    for (size_t i = 0; i < 9; i++)
        rows[i] = small;
    rows[0].line_size = 0;
    rows[1].line_size = 48;
    rows[2].page_size = 1000;
    rows[3].l1d_ways = 0;
    rows[4].l1d_size = 1000;
    rows[5].l2_ways = 5;
    rows[6].interference = -0.1;
    rows[7].interference = 1.5;
    rows[8].l3_size = 64; /* fewer lines than ways */
    for (size_t i = 0; i < 9; i++) {
        cm_memory memory;
        cm_error error;
        if (cm_memory_init(&memory, &rows[i], &error) != CM_BAD_ARGUMENT)
            fail_msg("row %zu is taken", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cache_does_as_the_reference),
        cmocka_unit_test(an_evicted_line_is_gone_and_its_place_is_the_first_to_be_filled),
        cmocka_unit_test(accesses_count_once_a_level),
        cmocka_unit_test(facts_add_up_whatever_level_is_missing),
        cmocka_unit_test(dirty_lines_are_written_back_once),
        cmocka_unit_test(interference_evicts_by_its_rate_and_seed),
        cmocka_unit_test(interference_comes_in_bursts),
        cmocka_unit_test(replacement_is_true_or_by_a_bit),
        cmocka_unit_test(an_inclusive_hierarchy_takes_lines_from_the_inner_levels),
        cmocka_unit_test(impossible_geometry_is_refused),
    };
    return cmocka_run_group_tests_name("caches", tests, NULL, NULL);
}
