/* Interrupts of the modelled machine: when they are taken, what their handler does, and what the program then finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/modelled.h"

enum { LINE = 64, EVERY = 100, HANDLER = 320, PARTS = HANDLER / 16, FAR = 1 << 26 };

static const cm_pmu_machine small = {
    .line_size = LINE,
    .page_size = 4096,
    .l1d_size = 16 * LINE,
    .l1d_ways = 16,
    .l2_size = 256 * LINE,
    .l2_ways = 256,
    .l1i_size = 16 * LINE,
    .l1i_ways = 16,
    .dtlb_entries = 4,
    .itlb_entries = 4,
    .predictor = "none",
    .store_forwarding = 4,
    .combining_buffers = 4,
    .interrupt_every = EVERY,
    .interrupt_instructions = HANDLER,
};

static cm_modelled *create(const cm_pmu_machine *machine)
{
    static cm_modelled modelled;
    assert_int_equal(cm_modelled_init(&modelled, machine, NULL), CM_OK);
    return &modelled;
}

/* So many instructions, and a branch. */
static void run(cm_modelled *modelled, uint64_t instructions)
{
    modelled->facts[CM_FACT_INSTRUCTIONS] += instructions;
    cm_modelled_go_on(modelled);
}

static void facts_of_the_kernel_are_named_after_the_program_s(void **state)
{
    (void)state;
    size_t next = CM_FACT_KERNEL;
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        char name[64];
        if (cm_fact_of_kernel(fact) == CM_FACT_COUNT)
            continue;
        snprintf(name, sizeof name, "kernel_%s", cm_fact_name(fact));
        assert_string_equal(cm_fact_name(cm_fact_of_kernel(fact)), name);
        assert_int_equal(cm_fact_of_kernel(fact), next++);
    }
    assert_int_equal(next, CM_FACT_KERNEL_END + 1);
    assert_true(cm_fact_is_known_of_kernel(CM_FACT_LOADS) && cm_fact_is_known_of_kernel(CM_FACT_CALLS));
    assert_false(cm_fact_is_known_of_kernel(CM_FACT_MISPREDICTED_COND) || cm_fact_is_known_of_kernel(CM_FACT_LOADS_1));
}

static void one_is_taken_behind_the_branch_after_it_is_due(void **state)
{
    (void)state;
    static const struct {
        uint64_t step, steps, interrupts, skid;
    } rows[] = {{100, 10, 10, 0},         {1, 99, 0, 0},           {1, 100, 1, 0},
                {30, 10, 3, 20 + 10 + 0}, {1000, 2, 2, 900 + 900}, {250, 2, 2, 150 + 200}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_modelled *modelled = create(&small);
        for (uint64_t step = 0; step < rows[i].steps; step++)
            run(modelled, rows[i].step);
        const uint64_t *facts = modelled->facts;
        if (facts[CM_FACT_INTERRUPTS] != rows[i].interrupts || facts[CM_FACT_INTERRUPT_SKID] != rows[i].skid)
            fail_msg("row %zu: %d interrupts with a skid of %d", i, (int)facts[CM_FACT_INTERRUPTS],
                     (int)facts[CM_FACT_INTERRUPT_SKID]);
        assert_int_equal(facts[CM_FACT_INSTRUCTIONS], rows[i].step * rows[i].steps);
        assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_INSTRUCTIONS)], rows[i].interrupts * HANDLER);
        assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_LOADS)], rows[i].interrupts * PARTS * 4);
        assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_STORES)], rows[i].interrupts * PARTS * 2);
        assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_BRANCHES_COND)], rows[i].interrupts * PARTS);
        assert_int_equal(facts[CM_FACT_LOADS] + facts[CM_FACT_STORES] + facts[CM_FACT_BRANCHES_COND], 0);
        cm_modelled_clear(modelled);
    }
}

static void none_comes_without_the_key(void **state)
{
    (void)state;
    cm_pmu_machine machine = small;
    machine.interrupt_every = 0;
    cm_modelled *modelled = create(&machine);
    run(modelled, UINT64_C(1) << 60);
    assert_int_equal(modelled->facts[CM_FACT_INTERRUPTS], 0);
    cm_modelled_clear(modelled);
}

/* The first handler misses all of its 20 lines of data and of code, the next ones find those that L1 can hold. */
static void handlers_use_caches_and_the_program_loses_its_lines(void **state)
{
    (void)state;
    cm_modelled *modelled = create(&small);
    const uint64_t *facts = modelled->facts;
    cm_modelled_load(modelled, FAR, 8, false);
    run(modelled, EVERY);
    assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_L1D_LOAD_MISS)], PARTS);
    assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_L1D_LOAD_HIT)], 3 * PARTS);
    assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_L1D_STORE_HIT)], 2 * PARTS);
    assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_L2_LOAD_MISS)], PARTS);
    assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_L1I_FETCH_MISS)], PARTS);
    assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_DTLB_LOAD_MISS)], 1);
    assert_int_equal(facts[cm_fact_of_kernel(CM_FACT_ITLB_MISS)], 1);
    assert_int_equal(facts[CM_FACT_L1D_LOAD_MISS] + facts[CM_FACT_L2_LOAD_MISS], 2);
    cm_modelled_load(modelled, FAR, 8, false);
    assert_int_equal(facts[CM_FACT_L1D_LOAD_MISS], 2);
    assert_int_equal(facts[CM_FACT_L2_LOAD_HIT], 1);
    cm_modelled_clear(modelled);
}

static void stores_leave_their_buffers(void **state)
{
    (void)state;
    cm_modelled *modelled = create(&small);
    const uint64_t *facts = modelled->facts;
    cm_modelled_nt_store(modelled, FAR, 8);
    cm_modelled_store(modelled, FAR + 4096, 8);
    cm_modelled_load(modelled, FAR + 4096, 8, false);
    assert_int_equal(facts[CM_FACT_LOADS_FORWARDED], 1);
    run(modelled, EVERY);
    assert_int_equal(facts[CM_FACT_NT_LINES_PARTIAL], 1);
    cm_modelled_load(modelled, FAR + 4096, 8, false);
    assert_int_equal(facts[CM_FACT_LOADS_FORWARDED], 1);
    cm_modelled_clear(modelled);
}

/* A thread that goes on with the facts of another one is not interrupted sooner. */
static void facts_that_are_taken_over_move_what_is_due(void **state)
{
    (void)state;
    const uint64_t before[CM_FACT_COUNT] = {[CM_FACT_INSTRUCTIONS] = 12345, [CM_FACT_INTERRUPTS] = 7};
    cm_modelled *modelled = create(&small);
    run(modelled, 40);
    cm_modelled_take_facts(modelled, before);
    run(modelled, 59);
    assert_int_equal(modelled->facts[CM_FACT_INTERRUPTS], 7);
    run(modelled, 1);
    assert_int_equal(modelled->facts[CM_FACT_INTERRUPTS], 8);
    assert_int_equal(modelled->facts[CM_FACT_INTERRUPT_SKID], 0);
    cm_modelled_clear(modelled);
}

/* Code comes again when all operations are done, a misprediction's penalty later. */
static void the_window_is_flushed(void **state)
{
    (void)state;
    static cm_time time;
    time = (cm_time){.machine = {.misprediction_penalty = 17}, .done = 1000, .fetched = 900};
    cm_time_interrupted(&time);
    assert_int_equal(time.fetched, 1017);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_the_kernel_are_named_after_the_program_s),
        cmocka_unit_test(one_is_taken_behind_the_branch_after_it_is_due),
        cmocka_unit_test(none_comes_without_the_key),
        cmocka_unit_test(handlers_use_caches_and_the_program_loses_its_lines),
        cmocka_unit_test(stores_leave_their_buffers),
        cmocka_unit_test(facts_that_are_taken_over_move_what_is_due),
        cmocka_unit_test(the_window_is_flushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
