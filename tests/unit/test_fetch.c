/* Fetches of code, and two levels of TLBs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/modelled.h"

enum { LINE = 64, PAGE = 4096, MANY = 4096 };

/* Caches of 4, 16 and 64 lines, of one set each; TLBs of 2, and of 4 and 3 behind them. */
static const cm_pmu_machine small = {
    .line_size = LINE,
    .page_size = PAGE,
    .l1d_size = 4 * LINE,
    .l1d_ways = 4,
    .l2_size = 16 * LINE,
    .l2_ways = 16,
    .l3_size = 64 * LINE,
    .l3_ways = 64,
    .l1i_size = 4 * LINE,
    .l1i_ways = 4,
    .dtlb_entries = 2,
    .itlb_entries = 2,
    .stlb_entries = 4,
    .stlb_ways = 4,
    .predictor = "none",
};

/* Lines of code one after another, round and round; what all rounds but the first count. */
static void go_round(const cm_pmu_machine *machine, uint64_t lines, uint64_t *facts)
{
    static cm_modelled modelled;
    enum { ROUNDS = 10 };
    uint64_t before[CM_FACT_COUNT];
    assert_int_equal(cm_modelled_init(&modelled, machine, NULL), CM_OK);
    for (size_t round = 0; round <= ROUNDS; round++) {
        if (round == 1)
            memcpy(before, modelled.facts, sizeof before);
        for (uint64_t line = 0; line < lines; line++)
            cm_modelled_fetch(&modelled, (MANY + line) * LINE + 8, 16);
    }
    for (size_t fact = 0; fact < CM_FACT_COUNT; fact++)
        facts[fact] = (modelled.facts[fact] - before[fact]) / ROUNDS;
    cm_modelled_clear(&modelled);
}

static void code_is_fetched_where_it_is(void **state)
{
    (void)state;
    cm_pmu_machine machine = small;
    machine.l1i_size *= 64; /* of 256 lines: what is decoded has 64 */
    machine.l2_size *= 64;
    machine.l3_size *= 64;
    static const struct {
        uint64_t lines, first, second, third, memory; /* who has them */
    } rows[] = {
        {1, 0, 0, 0, 0},     {64, 0, 0, 0, 0},      {128, 128, 0, 0, 0},   {256, 256, 0, 0, 0},
        {512, 0, 512, 0, 0}, {1024, 0, 1024, 0, 0}, {4096, 0, 0, 4096, 0}, {8192, 0, 0, 0, 8192},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t facts[CM_FACT_COUNT];
        go_round(&machine, rows[i].lines, facts);
        assert_int_equal(facts[CM_FACT_L1I_FETCH_HIT], rows[i].first);
        assert_int_equal(facts[CM_FACT_L2_FETCH_HIT], rows[i].second);
        assert_int_equal(facts[CM_FACT_L3_FETCH_HIT], rows[i].third);
        assert_int_equal(facts[CM_FACT_L3_FETCH_MISS], rows[i].memory);
        assert_int_equal(facts[CM_FACT_L2_FETCH_MISS], rows[i].third + rows[i].memory);
        assert_int_equal(facts[CM_FACT_L1I_FETCH_MISS], rows[i].second + rows[i].third + rows[i].memory);
    }
    machine.l1i_size = 0;
    uint64_t facts[CM_FACT_COUNT], nothing[CM_FACT_COUNT] = {0};
    go_round(&machine, MANY, facts);
    assert_memory_equal(facts, nothing, sizeof facts);
}

/* The second level holds code and data: either drives the other out. */
static void code_and_data_share_the_second_level(void **state)
{
    (void)state;
    cm_memory memory;
    uint64_t facts[CM_FACT_COUNT] = {0};
    assert_int_equal(cm_memory_init(&memory, &small, NULL), CM_OK);
    cm_memory_access(&memory, 0, 8, false, facts);
    cm_memory_fetch(&memory, 0, facts);
    assert_int_equal(facts[CM_FACT_L2_FETCH_HIT], 1);
    for (uint64_t line = 1; line <= 16; line++)
        cm_memory_fetch(&memory, line, facts);
    cm_memory_access(&memory, 0, 8, false, facts);
    assert_int_equal(facts[CM_FACT_L1D_LOAD_HIT], 1); /* not inclusive: it stays */
    for (uint64_t line = 1; line <= 4; line++)
        cm_memory_access(&memory, line * LINE, 8, true, facts);
    cm_memory_access(&memory, 0, 8, false, facts);
    assert_int_equal(facts[CM_FACT_L3_LOAD_HIT], 1);
    cm_memory_clear(&memory);
}

/* Pages in turn, loaded from, stored to or fetched from, again and again. */
static void pages_are_found_where_they_are(void **state)
{
    (void)state;
    enum { ROUNDS = 10 };
    static const cm_fact misses[] = {CM_FACT_DTLB_LOAD_MISS, CM_FACT_DTLB_STORE_MISS, CM_FACT_ITLB_MISS};
    static const cm_fact walks[] = {CM_FACT_LOAD_WALKS, CM_FACT_STORE_WALKS, CM_FACT_FETCH_WALKS};
    static const struct {
        unsigned second, second_code;
        uint64_t pages;
        bool missed, walked, walked_code;
    } rows[] = {
        {4, 0, 2, false, false, false}, {4, 0, 4, true, false, false}, {4, 0, 5, true, true, true},
        {0, 0, 3, true, true, true},    {4, 3, 3, true, false, false}, {4, 3, 4, true, false, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned use = CM_TLB_LOAD; use <= CM_TLB_FETCH; use++) {
            cm_pmu_machine machine = small;
            machine.stlb_entries = machine.stlb_ways = rows[i].second;
            machine.istlb_entries = machine.istlb_ways = rows[i].second_code;
            cm_tlbs tlbs;
            uint64_t facts[CM_FACT_COUNT] = {0}, all = ROUNDS * rows[i].pages, cold = rows[i].pages;
            assert_int_equal(cm_tlbs_init(&tlbs, &machine, NULL), CM_OK);
            for (uint64_t at = 0; at < all; at++) {
                uint64_t address = (1 + at % rows[i].pages) * PAGE;
                cm_tlbs_access(&tlbs, (cm_tlb_use)use, address, address + 7, facts);
            }
            bool walked = use == CM_TLB_FETCH ? rows[i].walked_code : rows[i].walked;
            assert_int_equal(facts[misses[use]], rows[i].missed ? all : cold);
            assert_int_equal(facts[walks[use]], walked ? all : cold);
            cm_tlbs_clear(&tlbs);
        }
}

/* An access into the next page looks both up, and is one miss. */
static void what_lies_on_two_pages_misses_once(void **state)
{
    (void)state;
    cm_tlbs tlbs;
    uint64_t facts[CM_FACT_COUNT] = {0};
    assert_int_equal(cm_tlbs_init(&tlbs, &small, NULL), CM_OK);
    cm_tlbs_access(&tlbs, CM_TLB_LOAD, PAGE - 4, PAGE + 3, facts);
    assert_int_equal(facts[CM_FACT_DTLB_LOAD_MISS], 1);
    assert_int_equal(facts[CM_FACT_LOAD_WALKS], 1);
    cm_tlbs_forget(&tlbs, PAGE, false);
    cm_tlbs_access(&tlbs, CM_TLB_STORE, PAGE - 4, PAGE + 3, facts);
    assert_int_equal(facts[CM_FACT_DTLB_STORE_MISS], 1);
    assert_int_equal(facts[CM_FACT_STORE_WALKS], 0);
    cm_tlbs_forget(&tlbs, PAGE, true);
    cm_tlbs_access(&tlbs, CM_TLB_STORE, PAGE, PAGE, facts);
    assert_int_equal(facts[CM_FACT_STORE_WALKS], 1);
    cm_tlbs_clear(&tlbs);
}

/* Huge pages in turn beside one small page: they take entries of their own, or share those of small ones. */
static void huge_pages_are_told_from_small_ones(void **state)
{
    (void)state;
    enum { ROUNDS = 10, HUGE = 16 * PAGE };
    static const struct {
        unsigned entries; /* for huge pages alone */
        uint64_t pages;
        bool missed, walked, small_missed;
    } rows[] = {
        {0, 1, false, false, false}, {0, 2, true, false, true},   {1, 1, false, false, false},
        {1, 2, true, false, false},  {3, 3, false, false, false}, {1, 5, true, true, false},
    };
    cm_error error;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_pmu_machine machine = small;
        machine.huge_page_size = HUGE;
        machine.dtlb_huge_entries = rows[i].entries;
        cm_tlbs tlbs;
        uint64_t facts[CM_FACT_COUNT] = {0}, all = ROUNDS * rows[i].pages;
        assert_int_equal(cm_tlbs_init(&tlbs, &machine, NULL), CM_OK);
        assert_int_equal(cm_tlbs_set_huge(&tlbs, HUGE, rows[i].pages * HUGE, NULL), CM_OK);
        for (uint64_t at = 0; at < all; at++) {
            uint64_t address = (1 + at % rows[i].pages) * HUGE + at * PAGE % HUGE;
            cm_tlbs_access(&tlbs, CM_TLB_LOAD, address, address + 7, facts);
            if (at % rows[i].pages == 0)
                cm_tlbs_access(&tlbs, CM_TLB_STORE, PAGE, PAGE, facts);
        }
        assert_int_equal(facts[CM_FACT_DTLB_LOAD_MISS], rows[i].missed ? all : rows[i].pages);
        assert_int_equal(facts[CM_FACT_DTLB_LOAD_MISS_HUGE], facts[CM_FACT_DTLB_LOAD_MISS]);
        assert_int_equal(facts[CM_FACT_LOAD_WALKS], rows[i].walked ? all : rows[i].pages);
        assert_int_equal(facts[CM_FACT_LOAD_WALKS_HUGE], facts[CM_FACT_LOAD_WALKS]);
        assert_int_equal(facts[CM_FACT_DTLB_STORE_MISS], rows[i].small_missed ? ROUNDS : 1);
        assert_int_equal(facts[CM_FACT_DTLB_STORE_MISS_HUGE] + facts[CM_FACT_STORE_WALKS_HUGE], 0);
        assert_int_equal(cm_tlbs_set_huge(&tlbs, PAGE, HUGE, &error), CM_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "expected whole huge pages"));
        cm_tlbs_clear(&tlbs);
    }
    cm_tlbs tlbs;
    assert_int_equal(cm_tlbs_init(&tlbs, &small, NULL), CM_OK);
    assert_int_equal(cm_tlbs_set_huge(&tlbs, 0, 0, NULL), CM_OK);
    assert_int_equal(cm_tlbs_set_huge(&tlbs, 0, HUGE, &error), CM_UNSUPPORTED);
    cm_tlbs_clear(&tlbs);
}

/* Two pages in turn, or three, so far apart that two tables of a level are kept, or one too few. */
static void walks_read_what_is_not_kept(void **state)
{
    (void)state;
    enum { ROUNDS = 10, BITS = 9, PAGES = 4096 };
    static const struct {
        unsigned apart; /* bits of the distance, in pages */
        uint64_t pages, cold, steps;
        bool misses, huge;
    } rows[] = {
        {0, 2, 5, 1, false, false},        {BITS, 2, 6, 1, false, false},     {BITS, 3, 8, 2, true, false},
        {2 * BITS, 3, 10, 3, true, false}, {3 * BITS, 3, 12, 4, true, false}, {BITS, 2, 4, 1, false, true},
        {2 * BITS, 3, 7, 2, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned kept = 0; kept <= 2; kept += 2) {
            const cm_pmu_machine machine = {.line_size = 64,
                                            .page_size = PAGES,
                                            .dtlb_entries = 1,
                                            .huge_page_size = (uint64_t)PAGES << BITS,
                                            .walk_cache_entries = kept};
            cm_tlbs tlbs;
            uint64_t facts[CM_FACT_COUNT] = {0};
            assert_int_equal(cm_tlbs_init(&tlbs, &machine, NULL), CM_OK);
            if (rows[i].huge)
                assert_int_equal(cm_tlbs_set_huge(&tlbs, 0, UINT64_C(1) << 46, NULL), CM_OK);
            for (uint64_t at = 0; at < ROUNDS * rows[i].pages; at++) {
                const uint64_t address = (at % rows[i].pages * PAGES) << rows[i].apart;
                cm_tlbs_access(&tlbs, CM_TLB_STORE, address, address, facts);
            }
            const uint64_t again = (ROUNDS - 1) * rows[i].pages;
            assert_int_equal(facts[CM_FACT_STORE_WALKS], ROUNDS * rows[i].pages);
            assert_int_equal(facts[CM_FACT_STORE_WALK_STEPS], kept != 0 ? rows[i].cold + again * rows[i].steps : 0);
            assert_true(kept != 0 || facts[CM_FACT_STORE_WALK_MISSES] == 0);
            assert_true(kept == 0 || (facts[CM_FACT_STORE_WALK_MISSES] >= again) == rows[i].misses);
            cm_tlbs_clear(&tlbs);
        }
}

static void impossible_tlbs_are_refused(void **state)
{
    (void)state;
    cm_pmu_machine machine = small;
    cm_memory memory;
    cm_error error;
    machine.stlb_ways = 3;
    assert_int_equal(cm_memory_init(&memory, &machine, &error), CM_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "4 entries cannot have 3 ways"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_fetched_where_it_is),         cmocka_unit_test(code_and_data_share_the_second_level),
        cmocka_unit_test(pages_are_found_where_they_are),      cmocka_unit_test(what_lies_on_two_pages_misses_once),
        cmocka_unit_test(huge_pages_are_told_from_small_ones), cmocka_unit_test(impossible_tlbs_are_refused),
        cmocka_unit_test(walks_read_what_is_not_kept),
    };
    return cmocka_run_group_tests_name("fetch", tests, NULL, NULL);
}
