/* Habits of processors: prefetches by instruction, accesses and code of wrong paths, and the store buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/modelled.h"

enum { LINE = 64, PAGE = 4096, FAR = 1 << 26, CODE = 1 << 20 };

static const cm_pmu_machine small = {
    .line_size = LINE,
    .page_size = PAGE,
    .l1d_size = 16 * LINE,
    .l1d_ways = 16,
    .l2_size = 64 * LINE,
    .l2_ways = 64,
    .l3_size = 256 * LINE,
    .l3_ways = 256,
    .l1i_size = 16 * LINE,
    .l1i_ways = 16,
    .dtlb_entries = 4,
    .itlb_entries = 4,
    .stlb_entries = 16,
    .stlb_ways = 16,
    .predictor = "none",
    .prefetch_instructions = 1,
    .wrong_path_accesses = 1,
    .wrong_path_fetches = 1,
    .store_forwarding = 4,
};

static cm_modelled *create(const cm_pmu_machine *machine)
{
    static cm_modelled modelled;
    assert_int_equal(cm_modelled_init(&modelled, machine, NULL), CM_OK);
    return &modelled;
}

static void a_prefetch_by_instruction_brings_its_line(void **state)
{
    (void)state;
    static const struct {
        cm_hint hint;
        unsigned on;
        uint64_t missed_l1, missed_l2, loads_hit_l1, loads_hit_l2;
    } rows[] = {{CM_HINT_L1D, 1, 1, 1, 2, 0}, {CM_HINT_L2, 1, 2, 1, 1, 1}, {CM_HINT_L1D, 0, 0, 0, 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_pmu_machine machine = small;
        machine.prefetch_instructions = rows[i].on;
        cm_modelled *modelled = create(&machine);
        const uint64_t *facts = modelled->facts;
        cm_modelled_hint(modelled, rows[i].hint, FAR);
        cm_modelled_hint(modelled, rows[i].hint, FAR + LINE - 1); /* the same line */
        assert_int_equal(facts[CM_FACT_L1D_HINT_HIT] + facts[CM_FACT_L1D_HINT_MISS], 2 * rows[i].on);
        assert_int_equal(facts[CM_FACT_L1D_HINT_MISS], rows[i].missed_l1);
        assert_int_equal(facts[CM_FACT_L2_HINT_MISS], rows[i].missed_l2);
        assert_int_equal(facts[CM_FACT_L2_HINT_HIT], rows[i].missed_l1 - rows[i].missed_l2);
        assert_int_equal(facts[CM_FACT_L3_HINT_MISS], rows[i].missed_l2);
        assert_int_equal(facts[CM_FACT_DTLB_HINT_MISS], rows[i].on);
        assert_int_equal(facts[CM_FACT_HINT_WALKS], rows[i].on);
        cm_modelled_load(modelled, FAR, 8, false);
        cm_modelled_load(modelled, FAR, 8, false);
        assert_int_equal(facts[CM_FACT_LOADS], 2); /* a prefetch is none */
        assert_int_equal(facts[CM_FACT_L1D_LOAD_HIT], rows[i].loads_hit_l1);
        assert_int_equal(facts[CM_FACT_L2_LOAD_HIT], rows[i].loads_hit_l2);
        assert_int_equal(facts[CM_FACT_DTLB_LOAD_MISS], 1 - rows[i].on);
        cm_modelled_clear(modelled);
    }
}

static void pass(cm_modelled *modelled, bool loads, bool stores)
{
    const cm_passed passed = {.address = CODE, .length = 4, .loads = loads, .stores = stores};
    cm_modelled_pass(modelled, &passed);
}

/* The instruction at CODE walks through lines; on a wrong path it walks on, and the load behind finds the line. */
static void a_wrong_path_loads_what_comes_next(void **state)
{
    (void)state;
    for (unsigned on = 0; on < 2; on++) {
        cm_pmu_machine machine = small;
        machine.wrong_path_accesses = on;
        cm_modelled *modelled = create(&machine);
        const uint64_t *facts = modelled->facts;
        modelled->instruction = CODE;
        for (uint64_t line = 0; line < 3; line++)
            cm_modelled_load(modelled, FAR + line * LINE, 8, false);
        for (unsigned path = 0; path < 2; path++) {
            if (on)
                modelled->expected->path++;
            pass(modelled, true, false);
            pass(modelled, true, false);
        }
        assert_int_equal(facts[CM_FACT_WRONG_PATH_INSTRUCTIONS], 4);
        assert_int_equal(facts[CM_FACT_WRONG_PATH_LOADS], 4);
        assert_int_equal(facts[CM_FACT_L1D_WRONG_LOAD_MISS], 2 * on); /* the second path comes to the same two lines */
        assert_int_equal(facts[CM_FACT_L1D_WRONG_LOAD_HIT], 2 * on);
        assert_int_equal(facts[CM_FACT_L3_WRONG_LOAD_MISS], 2 * on);
        cm_modelled_load(modelled, FAR + 3 * LINE, 8, false);
        assert_int_equal(facts[CM_FACT_LOADS], 4); /* retired ones alone */
        assert_int_equal(facts[CM_FACT_L1D_LOAD_HIT], on);
        cm_modelled_clear(modelled);
    }
}

/* A store of a wrong path needs a translation, and writes nothing. */
static void a_wrong_path_walks_for_its_stores(void **state)
{
    (void)state;
    cm_modelled *modelled = create(&small);
    const uint64_t *facts = modelled->facts;
    modelled->instruction = CODE;
    for (uint64_t page = 0; page < 3; page++)
        cm_modelled_store(modelled, FAR + page * PAGE, 8);
    modelled->expected->path++;
    pass(modelled, true, true); /* it never loaded: that load reaches nothing */
    assert_int_equal(facts[CM_FACT_WRONG_PATH_STORES], 1);
    assert_int_equal(facts[CM_FACT_DTLB_WRONG_STORE_MISS], 1);
    assert_int_equal(facts[CM_FACT_WRONG_STORE_WALKS], 1);
    assert_int_equal(facts[CM_FACT_L1D_WRONG_LOAD_HIT] + facts[CM_FACT_L1D_WRONG_LOAD_MISS], 0);
    cm_modelled_store(modelled, FAR + 3 * PAGE, 8);
    assert_int_equal(facts[CM_FACT_DTLB_STORE_MISS], 3);
    assert_int_equal(facts[CM_FACT_L1D_STORE_MISS], 4);
    cm_modelled_clear(modelled);
}

static void a_wrong_path_fetches_its_code(void **state)
{
    (void)state;
    for (unsigned on = 0; on < 2; on++) {
        cm_pmu_machine machine = small;
        machine.wrong_path_fetches = on;
        cm_modelled *modelled = create(&machine);
        const uint64_t *facts = modelled->facts;
        pass(modelled, false, false);
        pass(modelled, false, false); /* decoded already */
        assert_int_equal(facts[CM_FACT_L1I_WRONG_FETCH_MISS], on);
        assert_int_equal(facts[CM_FACT_L3_WRONG_FETCH_MISS], on);
        assert_int_equal(facts[CM_FACT_ITLB_WRONG_FETCH_MISS], on);
        assert_int_equal(facts[CM_FACT_WRONG_FETCH_WALKS], on);
        cm_modelled_fetch(modelled, CODE, 4);
        assert_int_equal(facts[CM_FACT_L1I_FETCH_MISS], 1 - on);
        cm_modelled_clear(modelled);
    }
}

static void loads_find_the_store_buffer(void **state)
{
    (void)state;
    static const struct {
        uint64_t stored, loaded;
        size_t store_bytes, load_bytes, stores_between;
        uint64_t forwarded, blocked, aliased;
    } rows[] = {
        {FAR, FAR, 8, 8, 0, 1, 0, 0},
        {FAR, FAR + 4, 8, 4, 0, 1, 0, 0},                   /* a part of the value */
        {FAR, FAR + 4, 8, 8, 0, 0, 1, 0},                   /* beyond its end */
        {FAR + 4, FAR, 4, 8, 0, 0, 1, 0},                   /* before its begin */
        {FAR, FAR + 8, 8, 8, 0, 0, 0, 0},                   /* beside it */
        {FAR, FAR + PAGE, 8, 8, 0, 0, 0, 1},                /* the same last 12 bits */
        {FAR + 4, FAR + PAGE, 8, 8, 0, 0, 0, 1},            /* they overlap */
        {FAR, FAR + PAGE + 8, 8, 8, 0, 0, 0, 0},            /* they do not */
        {FAR + PAGE - 4, FAR + 3 * PAGE, 8, 8, 0, 0, 0, 1}, /* across the end of a page */
        {FAR, FAR, 8, 8, 3, 1, 0, 0},                       /* the oldest of four */
        {FAR, FAR, 8, 8, 4, 0, 0, 0},                       /* it has left the buffer */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_modelled *modelled = create(&small);
        const uint64_t *facts = modelled->facts;
        cm_modelled_store(modelled, rows[i].stored, rows[i].store_bytes);
        for (size_t other = 0; other < rows[i].stores_between; other++)
            cm_modelled_store(modelled, 2 * FAR + 512 + 8 * other, 8);
        cm_modelled_load(modelled, rows[i].loaded, rows[i].load_bytes, false);
        if (facts[CM_FACT_LOADS_FORWARDED] != rows[i].forwarded || facts[CM_FACT_LOADS_BLOCKED] != rows[i].blocked ||
            facts[CM_FACT_LOADS_ALIASED] != rows[i].aliased)
            fail_msg("row %zu: %d, %d, %d", i, (int)facts[CM_FACT_LOADS_FORWARDED], (int)facts[CM_FACT_LOADS_BLOCKED],
                     (int)facts[CM_FACT_LOADS_ALIASED]);
        cm_modelled_clear(modelled);
    }
}

/* Two pages of 4 have a walk: accesses to them find it until it is done, and none begins again. */
static void accesses_to_a_page_share_its_walk(void **state)
{
    (void)state;
    static const struct {
        unsigned on_its_way;
        uint64_t others; /* accesses to another page between */
        uint64_t loads, stores;
    } rows[] = {{0, 0, 0, 0}, {1, 0, 1, 0}, {2, 0, 1, 1}, {8, 0, 1, 1}, {8, 8, 0, 0}, {8, 7, 1, 0}, {8, 6, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_pmu_machine machine = small;
        machine.walk_accesses = rows[i].on_its_way;
        cm_modelled *modelled = create(&machine);
        const uint64_t *facts = modelled->facts;
        cm_modelled_load(modelled, FAR + PAGE, 8, false);
        for (unsigned access = 0; access <= rows[i].on_its_way; access++)
            cm_modelled_load(modelled, FAR + PAGE, 8, false); /* until its walk is done */
        const uint64_t before = facts[CM_FACT_LOAD_WALKS_MERGED];
        assert_int_equal(before, rows[i].on_its_way);
        cm_modelled_load(modelled, FAR, 8, false);
        for (uint64_t other = 0; other < rows[i].others; other++)
            cm_modelled_load(modelled, FAR + PAGE, 8, false);
        cm_modelled_load(modelled, FAR + LINE, 8, false);
        cm_modelled_store(modelled, FAR + 2 * LINE, 8);
        if (facts[CM_FACT_LOAD_WALKS_MERGED] - before != rows[i].loads ||
            facts[CM_FACT_STORE_WALKS_MERGED] != rows[i].stores)
            fail_msg("row %zu: %d loads, %d stores", i, (int)(facts[CM_FACT_LOAD_WALKS_MERGED] - before),
                     (int)facts[CM_FACT_STORE_WALKS_MERGED]);
        assert_int_equal(facts[CM_FACT_LOAD_WALKS] + facts[CM_FACT_STORE_WALKS], 2);
        assert_int_equal(facts[CM_FACT_DTLB_LOAD_MISS], 2);
        cm_modelled_clear(modelled);
    }
}

/* A prefetch by instruction begins a walk, too. */
static void a_load_shares_the_walk_of_a_prefetch(void **state)
{
    (void)state;
    cm_pmu_machine machine = small;
    machine.walk_accesses = 4;
    cm_modelled *modelled = create(&machine);
    cm_modelled_hint(modelled, CM_HINT_L1D, FAR);
    cm_modelled_load(modelled, FAR, 8, false);
    assert_int_equal(modelled->facts[CM_FACT_HINT_WALKS], 1);
    assert_int_equal(modelled->facts[CM_FACT_LOAD_WALKS], 0);
    assert_int_equal(modelled->facts[CM_FACT_LOAD_WALKS_MERGED], 1);
    cm_modelled_clear(modelled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prefetch_by_instruction_brings_its_line),
        cmocka_unit_test(a_wrong_path_loads_what_comes_next),
        cmocka_unit_test(a_wrong_path_walks_for_its_stores),
        cmocka_unit_test(a_wrong_path_fetches_its_code),
        cmocka_unit_test(loads_find_the_store_buffer),
        cmocka_unit_test(accesses_to_a_page_share_its_walk),
        cmocka_unit_test(a_load_shares_the_walk_of_a_prefetch),
    };
    return cmocka_run_group_tests_name("habits", tests, NULL, NULL);
}
