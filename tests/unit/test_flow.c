/* Cycles of straight code by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "software_pmu/machine/flow.h"

enum { INSTRUCTIONS = 1000 };

static const cm_pmu_machine machine = {.latency_add = 3,
                                       .latency_multiply = 5,
                                       .latency_multiply_add = 4,
                                       .latency_divide = 13,
                                       .latency_square_root = 21,
                                       .latency_load = 6};

/* Reads `from` and writes `to`. */
static cm_flow step(cm_flow_kind kind, uint8_t from, uint8_t to)
{
    return (cm_flow){.kind = (uint8_t)kind, .read_count = 1, .write_count = 1, .reads = {from}, .writes = {to}};
}

/* All cycles of as many turns of a loop of two instructions. */
static uint64_t cycles_of(const cm_pmu_machine *of, const cm_flow loop[2], size_t turns)
{
    cm_flows flows;
    uint64_t cycles = 0;
    cm_flows_init(&flows, of);
    for (size_t i = 0; i < turns; i++)
        cycles += cm_flows_add(&flows, loop, 2);
    assert_int_equal(cycles, flows.done);
    return cycles;
}

static void what_waits_takes_its_latency(void **state)
{
    (void)state;
    static const uint64_t latencies[CM_FLOW_KINDS] = {
        [CM_FLOW_SIMPLE] = 1,       [CM_FLOW_INT_MULTIPLY] = 3, [CM_FLOW_ADD] = 3,
        [CM_FLOW_MULTIPLY] = 5,     [CM_FLOW_MULTIPLY_ADD] = 4, [CM_FLOW_DIVIDE] = 13,
        [CM_FLOW_SQUARE_ROOT] = 21, [CM_FLOW_SHORT_DIVIDE] = 8, [CM_FLOW_SHORT_SQUARE_ROOT] = 11};
    for (int kind = 0; kind < CM_FLOW_KINDS; kind++) {
        const cm_flow loop[2] = {step((cm_flow_kind)kind, 1, 1), step(CM_FLOW_MOVE, 1, 1)};
        assert_int_equal(cycles_of(&machine, loop, INSTRUCTIONS), INSTRUCTIONS * latencies[kind]);
    }
}

static void the_longest_chain_counts(void **state)
{
    (void)state;
    const cm_flow loop[2] = {step(CM_FLOW_ADD, 1, 1), step(CM_FLOW_MULTIPLY, 2, 2)};
    assert_int_equal(cycles_of(&machine, loop, INSTRUCTIONS), INSTRUCTIONS * 5);
}

/* What a load answers is there later, and what it only adds to is not waited for before it begins. */
static void loads_wait_for_addresses(void **state)
{
    (void)state;
    cm_flow loop[2] = {step(CM_FLOW_MOVE, 1, 1), step(CM_FLOW_MOVE, 1, 2)};
    loop[0].loads = true;
    loop[0].address_count = 1;
    assert_int_equal(cycles_of(&machine, loop, INSTRUCTIONS), INSTRUCTIONS * 6);
    /* A sum of what is loaded from the address in register 5. */
    loop[0] = (cm_flow){.kind = CM_FLOW_ADD,
                        .loads = true,
                        .address_count = 1,
                        .read_count = 2,
                        .write_count = 1,
                        .reads = {5, 1},
                        .writes = {1}};
    assert_int_equal(cycles_of(&machine, loop, INSTRUCTIONS), 6 + INSTRUCTIONS * 3);
}

/* Nothing waits for anything: 2 of 4 instructions are in the window at a time, each as long as the other. */
static void a_window_holds_up(void **state)
{
    (void)state;
    cm_pmu_machine narrow = machine;
    cm_flow loop[2] = {step(CM_FLOW_MULTIPLY, 1, 2), step(CM_FLOW_MULTIPLY, 1, 3)};
    assert_int_equal(cycles_of(&narrow, loop, INSTRUCTIONS), 5 * ((2 * INSTRUCTIONS + 1023) / 1024));
    narrow.reorder_window = 2;
    assert_int_equal(cycles_of(&narrow, loop, INSTRUCTIONS), 5 * INSTRUCTIONS);
    narrow.reorder_window = 1;
    assert_int_equal(cycles_of(&narrow, loop, INSTRUCTIONS), 10 * INSTRUCTIONS);
    loop[1].fused = true; /* it needs no room */
    assert_int_equal(cycles_of(&narrow, loop, INSTRUCTIONS), 5 * INSTRUCTIONS);
}

static void a_width_holds_up(void **state)
{
    (void)state;
    cm_pmu_machine narrow = machine;
    cm_flow loop[2] = {step(CM_FLOW_SIMPLE, 1, 2), step(CM_FLOW_SIMPLE, 1, 3)};
    narrow.dispatch_width = 4;
    assert_int_equal(cycles_of(&narrow, loop, INSTRUCTIONS), INSTRUCTIONS / 2);
    narrow.dispatch_width = 1;
    assert_int_equal(cycles_of(&narrow, loop, INSTRUCTIONS), 2 * INSTRUCTIONS);
    loop[1].fused = true;
    assert_int_equal(cycles_of(&narrow, loop, INSTRUCTIONS), INSTRUCTIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_takes_its_latency),
        cmocka_unit_test(the_longest_chain_counts),
        cmocka_unit_test(loads_wait_for_addresses),
        cmocka_unit_test(a_window_holds_up),
        cmocka_unit_test(a_width_holds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
