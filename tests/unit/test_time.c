/* Slots and cycles of small programs by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/modelled.h"

enum { TURNS = 1000, WIDTH = 4 };

static const cm_pmu_machine machine = {.line_size = 64,
                                       .reorder_window = 64,
                                       .dispatch_width = WIDTH,
                                       .macro_fusion = 1,
                                       .latency_load = 5,
                                       .latency_add = 3,
                                       .latency_divide = 12,
                                       .latency_l2 = 15,
                                       .latency_l3 = 50,
                                       .latency_memory = 200,
                                       .latency_walk = 30,
                                       .latency_forward = 4,
                                       .misprediction_penalty = 20,
                                       .memory_interval = 10,
                                       .fill_buffers = 8,
                                       .store_buffer = 16,
                                       .units_integer = 4,
                                       .units_adder = 1,
                                       .units_load = 2,
                                       .units_store = 1};

static cm_flow step(cm_flow_unit unit, uint8_t from, uint8_t to)
{
    return (cm_flow){.kind = CM_FLOW_SIMPLE,
                     .unit = (uint8_t)unit,
                     .read_count = 1,
                     .write_count = 1,
                     .reads = {from},
                     .writes = {to}};
}

static cm_flow load_to(uint8_t from, uint8_t to)
{
    cm_flow flow = step(CM_FLOW_NO_UNIT, from, to);
    flow.kind = CM_FLOW_MOVE;
    flow.address_count = 1;
    return flow;
}

/* One that misses so many levels, and perhaps all TLBs. */
typedef struct access {
    uint64_t address;
    bool store, walks;
    unsigned misses;
    uint16_t bytes;
} access;

/* A loop, in each turn of which the first instruction may have an access. */
typedef struct loop {
    const cm_flow *flows;
    size_t count;
    bool mispredicted;
    access first;
    uint64_t stride;
} loop;

static void run(const cm_pmu_machine *of, const loop *body, uint64_t facts[CM_FACT_COUNT])
{
    static cm_time time;
    static const cm_memory memory;
    memset(facts, 0, CM_FACT_COUNT * sizeof *facts);
    cm_time_init(&time, of);
    for (size_t turn = 0; turn < TURNS; turn++) {
        const bool store = body->first.store;
        cm_time_begin(&time, body->flows, body->count, body->mispredicted && turn != 0, facts);
        if (body->first.address == 0)
            continue;
        cm_time_before(&time, facts);
        for (size_t i = 0; i < body->first.misses; i++)
            facts[(store ? CM_FACT_L1D_STORE_MISS : CM_FACT_L1D_LOAD_MISS) + 4 * i]++;
        facts[CM_FACT_LOAD_WALKS] += body->first.walks;
        const cm_timed_access timed = {
            .address = body->first.address + turn * body->stride, .store = store, .bytes = body->first.bytes};
        cm_time_accessed(&time, timed, &memory, facts);
    }
    cm_time_begin(&time, NULL, 0, false, facts);
    assert_int_equal(facts[CM_FACT_SLOTS], facts[CM_FACT_SLOTS_RETIRED] + facts[CM_FACT_SLOTS_BAD_SPECULATION] +
                                               facts[CM_FACT_SLOTS_FRONTEND] + facts[CM_FACT_SLOTS_BACKEND]);
    assert_in_range(facts[CM_FACT_SLOTS], facts[CM_FACT_CYCLES] * of->dispatch_width,
                    (facts[CM_FACT_CYCLES] + 1) * of->dispatch_width);
    uint64_t commits = facts[CM_FACT_COMMITS_0] - facts[CM_FACT_COMMITS_OF_PARTS];
    assert_int_equal(commits, facts[CM_FACT_WAITS_EMPTY] + facts[CM_FACT_WAITS_BRANCH] + facts[CM_FACT_WAITS_ACCESS] +
                                  facts[CM_FACT_WAITS_EXECUTION]);
    for (size_t i = 0; i < 4; i++)
        commits += facts[CM_FACT_COMMITS_1 + i];
    assert_in_range(commits, facts[CM_FACT_CYCLES], facts[CM_FACT_CYCLES] + 64 * 250); /* as long as the window waits */
    assert_int_equal(facts[CM_FACT_STALL_CYCLES], facts[CM_FACT_STALL_BAD_SPECULATION] + facts[CM_FACT_STALL_FRONTEND] +
                                                      facts[CM_FACT_STALL_MEMORY] + facts[CM_FACT_STALL_CORE]);
}

/* As many cycles a turn, but for those at begin and end: as long as a window waits. */
static void takes(const cm_pmu_machine *of, const loop *body, double cycles)
{
    uint64_t facts[CM_FACT_COUNT];
    run(of, body, facts);
    assert_true((double)facts[CM_FACT_CYCLES] <= cycles * TURNS);
    assert_true((double)facts[CM_FACT_CYCLES] >= cycles * (TURNS - of->reorder_window) - 1);
}

static void what_waits_takes_its_latency(void **state)
{
    (void)state;
    const cm_flow chain[] = {step(CM_FLOW_INTEGER, 1, 1), step(CM_FLOW_INTEGER, 1, 1)};
    takes(&machine, &(loop){.flows = chain, .count = 2}, 2);
    cm_flow sum = step(CM_FLOW_ADDER, 1, 1);
    sum.kind = CM_FLOW_ADD;
    takes(&machine, &(loop){.flows = &sum, .count = 1}, 3);
    sum.extra = 2;
    takes(&machine, &(loop){.flows = &sum, .count = 1}, 5);
    const cm_flow pointer = load_to(1, 1);
    for (unsigned misses = 0; misses <= 3; misses++) {
        static const double latencies[] = {5, 15, 50, 200};
        const loop body = {&pointer, 1, false, {.address = 4096, .misses = misses}, 4096};
        takes(&machine, &body, latencies[misses]);
    }
    takes(&machine, &(loop){&pointer, 1, false, {.address = 4096, .walks = true}, 4096}, 35);
}

static void what_does_not_wait_takes_places(void **state)
{
    (void)state;
    const cm_flow free[] = {step(CM_FLOW_INTEGER, 1, 2), step(CM_FLOW_INTEGER, 1, 3)};
    takes(&machine, &(loop){.flows = free, .count = 2}, 2.0 / WIDTH);
    const cm_flow sums[] = {step(CM_FLOW_ADDER, 1, 2), step(CM_FLOW_ADDER, 1, 3)}; /* there is one adder */
    takes(&machine, &(loop){.flows = sums, .count = 2}, 2);
    cm_flow quotient = step(CM_FLOW_MULTIPLIER, 1, 2);
    quotient.kind = CM_FLOW_DIVIDE;
    quotient.busy = 2;
    takes(&machine, &(loop){.flows = &quotient, .count = 1}, 4);
    cm_flow slow_sum = step(CM_FLOW_ADDER, 1, 3); /* takes as long as a quotient, but no divider */
    cm_pmu_machine slow_adder = machine;
    slow_adder.latency_add = 12;
    slow_sum.kind = CM_FLOW_ADD;
    takes(&slow_adder, &(loop){.flows = (const cm_flow[]){quotient, slow_sum, slow_sum}, .count = 3}, 4);
    cm_flow fused[] = {step(CM_FLOW_INTEGER, 1, 2), step(CM_FLOW_INTEGER, 2, 3), step(CM_FLOW_INTEGER, 1, 4),
                       step(CM_FLOW_INTEGER, 1, 5), step(CM_FLOW_INTEGER, 1, 6)};
    takes(&machine, &(loop){.flows = fused, .count = 5}, 5.0 / WIDTH);
    fused[0].fusible.first = CM_FUSES_COMPARE;
    fused[1].fusible.condition = CM_CONDITION_ZERO;
    fused[4].unit = CM_FLOW_NO_UNIT;
    takes(&machine, &(loop){.flows = fused, .count = 5}, 1);
    cm_pmu_machine in_order = machine;
    in_order.in_order = 1;
    const cm_flow pair[] = {load_to(1, 1), step(CM_FLOW_INTEGER, 2, 2)};
    takes(&in_order, &(loop){pair, 2, false, {.address = 64}, 0}, 5);
}

static void memory_gives_as_much_as_it_can(void **state)
{
    (void)state;
    const cm_flow one = load_to(2, 1);
    takes(&machine, &(loop){&one, 1, false, {.address = 4096, .misses = 3}, 4096}, 195.0 / 8); /* fill buffers */
    takes(&machine, &(loop){&one, 1, false, {.address = 4096, .misses = 2}, 4096}, 45.0 / 8);
    cm_pmu_machine slow = machine;
    slow.memory_interval = 40;
    takes(&slow, &(loop){&one, 1, false, {.address = 4096, .misses = 3}, 4096}, 40);
    const cm_flow store = {.kind = CM_FLOW_SIMPLE, .read_count = 2, .address_count = 1, .reads = {2, 3}};
    takes(&slow, &(loop){&store, 1, false, {.address = 4096, .store = true, .misses = 3}, 4096}, 40);
}

/* Shares of what is lost. */
static void slots_are_lost_to_their_cause(void **state)
{
    (void)state;
    uint64_t facts[CM_FACT_COUNT], again[CM_FACT_COUNT];
    const cm_flow pointer = load_to(1, 1);
    run(&machine, &(loop){&pointer, 1, false, {.address = 4096, .misses = 3}, 4096}, facts);
    assert_true((double)facts[CM_FACT_SLOTS_BACKEND_MEMORY] > 0.95 * (double)facts[CM_FACT_SLOTS]);
    run(&machine, &(loop){&pointer, 1, false, {.address = 4096, .misses = 3}, 4096}, again);
    assert_memory_equal(facts, again, sizeof facts);
    const cm_flow chain = step(CM_FLOW_INTEGER, 1, 1);
    run(&machine, &(loop){.flows = &chain, .count = 1}, facts);
    assert_int_equal(facts[CM_FACT_SLOTS_BACKEND_MEMORY], 0);
    assert_true((double)facts[CM_FACT_SLOTS_BACKEND] > 0.7 * (double)facts[CM_FACT_SLOTS]);
    run(&machine, &(loop){.flows = &chain, .count = 1, .mispredicted = true}, facts);
    assert_int_equal(facts[CM_FACT_SLOTS_BACKEND], 0);
    assert_int_equal(facts[CM_FACT_SLOTS_RETIRED], TURNS);
    assert_int_equal(facts[CM_FACT_SLOTS_WRONG_PATH], (TURNS - 1) * (WIDTH - 1)); /* the rest of the branch's cycle */
    assert_int_equal(facts[CM_FACT_SLOTS_BAD_SPECULATION], (TURNS - 1) * (WIDTH - 1 + 20 * WIDTH));
    assert_int_equal(facts[CM_FACT_STALL_BAD_SPECULATION], (TURNS - 1) * 20);
}

/* What the oldest operation waits for, of TURNS turns. */
static void cycles_without_a_commit_have_a_cause(void **state)
{
    (void)state;
    uint64_t facts[CM_FACT_COUNT];
    const cm_flow one = step(CM_FLOW_INTEGER, 2, 1);
    run(&machine, &(loop){.flows = &one, .count = 1}, facts);
    assert_in_range(facts[CM_FACT_COMMITS_4], TURNS / WIDTH - 1, TURNS / WIDTH); /* four in each cycle */
    cm_flow sum = step(CM_FLOW_ADDER, 1, 1);
    sum.kind = CM_FLOW_ADD;
    sum.vectors = true;
    run(&machine, &(loop){.flows = &sum, .count = 1}, facts);
    assert_int_equal(facts[CM_FACT_COMMITS_1], TURNS); /* one in three cycles */
    assert_in_range(facts[CM_FACT_WAITS_EXECUTION_VECTOR], 2 * (TURNS - 1), 2 * TURNS + 1);
    cm_flow pointer = load_to(1, 1);
    run(&machine, &(loop){&pointer, 1, false, {.address = 4096, .misses = 3}, 4096}, facts);
    assert_in_range(facts[CM_FACT_WAITS_ACCESS_GENERAL], 199 * (TURNS - 1),
                    200 * TURNS); /* 5 and 10 of 200 before memory */
    assert_in_range(facts[CM_FACT_WAITS_L1_MISS_GENERAL], 10 * (TURNS - 1), 10 * TURNS);
    assert_in_range(facts[CM_FACT_WAITS_L2_MISS], 185 * (TURNS - 1), 185 * TURNS);
    pointer.vectors = true;
    run(&machine, &(loop){&pointer, 1, false, {.address = 4096, .misses = 1}, 4096}, facts);
    assert_in_range(facts[CM_FACT_WAITS_L1_MISS], 10 * (TURNS - 1), 10 * TURNS);
    assert_int_equal(facts[CM_FACT_WAITS_L2_MISS] + facts[CM_FACT_WAITS_ACCESS_GENERAL], 0);
    cm_flow branch = step(CM_FLOW_INTEGER, 1, 2);
    branch.branches = true;
    run(&machine, &(loop){.flows = &branch, .count = 1, .mispredicted = true}, facts);
    assert_in_range(facts[CM_FACT_WAITS_EMPTY], (TURNS - 1) * 19, TURNS * 19); /* the branch leaves in one of 20 */
    const cm_flow behind[] = {sum, {.kind = CM_FLOW_SIMPLE, .read_count = 1, .reads = {1}, .branches = true}};
    run(&machine, &(loop){.flows = behind, .count = 2}, facts);
    assert_in_range(facts[CM_FACT_WAITS_BRANCH], 0, 1); /* it is done a cycle behind the sum, as the next sum waits */
    cm_pmu_machine splits = machine;
    splits.split_accesses = 1;
    cm_flow moves = load_to(2, 1);
    moves.parts = 1;
    run(&splits, &(loop){&moves, 1, false, {.address = 4096}, 0}, facts);
    assert_int_equal(facts[CM_FACT_SLOTS_RETIRED], 2 * TURNS);
    assert_in_range(facts[CM_FACT_COMMITS_2], TURNS / 2 - 2, TURNS / 2);
}

static void code_on_its_way_is_the_front_ends(void **state)
{
    (void)state;
    static cm_time time;
    uint64_t facts[CM_FACT_COUNT] = {0};
    const cm_flow one = step(CM_FLOW_INTEGER, 1, 2);
    cm_time_init(&time, &machine);
    for (int i = 0; i < TURNS; i++) {
        cm_time_begin(&time, &one, 1, false, facts);
        cm_time_before(&time, facts);
        facts[CM_FACT_L1I_FETCH_MISS]++;
        cm_time_fetched(&time, facts);
    }
    cm_time_begin(&time, NULL, 0, false, facts);
    assert_int_equal(facts[CM_FACT_CYCLES], TURNS * 15);
    assert_int_equal(facts[CM_FACT_SLOTS_FRONTEND], facts[CM_FACT_SLOTS] - TURNS);
}

/* A load behind a store to its place waits for the value, not for its line. */
static void stores_are_forwarded(void **state)
{
    (void)state;
    static cm_time time;
    static const cm_memory memory;
    uint64_t facts[CM_FACT_COUNT] = {0};
    const cm_flow pair[] = {load_to(2, 1),
                            {.kind = CM_FLOW_SIMPLE, .read_count = 2, .address_count = 1, .reads = {2, 1}}};
    cm_time_init(&time, &machine);
    for (int i = 0; i < TURNS; i++) {
        cm_time_begin(&time, pair, 2, false, facts);
        cm_time_before(&time, facts);
        cm_time_accessed(&time, (cm_timed_access){.address = 64}, &memory, facts);
        cm_time_accessed(&time, (cm_timed_access){.address = 64, .place = 1, .store = true}, &memory, facts);
    }
    cm_time_begin(&time, NULL, 0, false, facts);
    assert_in_range(facts[CM_FACT_CYCLES], 5 * (TURNS - 64), 5 * TURNS); /* 1 and 4 */
}

/* What keys of a machine add, which are off without them. */
static void machines_have_their_own_ways(void **state)
{
    (void)state;
    cm_pmu_machine own = machine;
    const cm_flow wall = {.role = CM_FLOW_WALL};
    own.latency_fence = 14;
    takes(&own, &(loop){.flows = &wall, .count = 1}, 14);
    const cm_flow pause = {.role = CM_FLOW_PAUSE};
    own.latency_pause = 90;
    takes(&own, &(loop){.flows = &pause, .count = 1}, 90);
    cm_flow sum = step(CM_FLOW_ADDER, 1, 1);
    sum.kind = CM_FLOW_ADD;
    own.latency_add_again = 2;
    takes(&own, &(loop){.flows = &sum, .count = 1}, 2);
    const cm_flow both[] = {sum, step(CM_FLOW_INTEGER, 1, 1)};
    takes(&own, &(loop){.flows = both, .count = 2}, 4); /* what takes a sum otherwise waits for all of it */
    cm_flow product = step(CM_FLOW_VECTOR, 1, 1);
    product.multiplies = true;
    takes(&own, &(loop){.flows = &product, .count = 1}, 5);
    own.latency_vector_multiply = 3;
    takes(&own, &(loop){.flows = &product, .count = 1}, 3);
    cm_flow quotient = step(CM_FLOW_VECTOR, 2, 3);
    quotient.of_x87 = true;
    takes(&own, &(loop){.flows = &quotient, .count = 1}, 1.0 / WIDTH);
    own.latency_x87 = 6;
    takes(&own, &(loop){.flows = &quotient, .count = 1}, 6);
    const cm_flow one = load_to(2, 1);
    takes(&own, &(loop){&one, 1, false, {.address = 124, .bytes = 4}, 0}, 0.5); /* there are two units */
    takes(&own, &(loop){&one, 1, false, {.address = 124, .bytes = 8}, 0}, 1);   /* it crosses a line */
}

static void vectors_have_loads_of_their_own(void **state)
{
    (void)state;
    cm_pmu_machine own = machine;
    own.units_load = 4;
    own.units_load_vector = 1;
    cm_flow load = load_to(2, 1);
    takes(&own, &(loop){&load, 1, false, {.address = 64, .bytes = 8}, 0}, 0.25);
    load.vectors = true;
    takes(&own, &(loop){&load, 1, false, {.address = 64, .bytes = 8}, 0}, 1);
}

/* Locked instructions, of which none takes what another one has. */
static void locks_wait_for_all_before(void **state)
{
    (void)state;
    cm_pmu_machine own = machine;
    cm_flow flows[] = {step(CM_FLOW_INTEGER, 2, 3), step(CM_FLOW_INTEGER, 1, 1)};
    flows[0].locked = true;
    takes(&own, &(loop){.flows = flows, .count = 1}, 18.0 / own.reorder_window);
    own.latency_locked = 20;
    takes(&own, &(loop){.flows = flows, .count = 1}, 20);
    takes(&own, &(loop){.flows = flows, .count = 2}, 20); /* additions go on meanwhile */
}

/* Sums in memory: a load, an addition and a store in each turn, of general registers and of a vector's. */
static uint64_t sum_in_memory(const cm_pmu_machine *of, bool vectors, cm_time_end how)
{
    static cm_time time;
    static const cm_memory memory;
    uint64_t facts[CM_FACT_COUNT] = {0};
    cm_flow sum[] = {load_to(2, 1),
                     step(CM_FLOW_INTEGER, 1, 1),
                     {.kind = CM_FLOW_SIMPLE, .read_count = 2, .address_count = 1, .reads = {2, 1}}};
    sum[0].vectors = sum[2].vectors = vectors;
    cm_time_init(&time, of);
    for (int i = 0; i < TURNS; i++) {
        cm_time_begin(&time, sum, 3, how, facts);
        cm_time_before(&time, facts);
        cm_time_accessed(&time, (cm_timed_access){.address = 64, .bytes = 8}, &memory, facts);
        cm_time_accessed(&time, (cm_timed_access){.address = 64, .bytes = 8, .place = 2, .store = true}, &memory,
                         facts);
    }
    cm_time_begin(&time, NULL, 0, CM_TIME_GOES_ON, facts);
    return facts[CM_FACT_CYCLES];
}

static void stores_are_renamed(void **state)
{
    (void)state;
    cm_pmu_machine renames = machine;
    renames.memory_renaming = 1;
    const uint64_t waits = sum_in_memory(&machine, false, CM_TIME_GOES_ON);
    assert_in_range(waits, 6 * (TURNS - 64), 6 * TURNS); /* 1, 1 and 4 */
    assert_int_equal(sum_in_memory(&renames, true, CM_TIME_GOES_ON), waits);
    assert_in_range(sum_in_memory(&renames, false, CM_TIME_GOES_ON), TURNS - 64, TURNS);
}

/* Of turns of one operation four enter in a cycle, or one if each ends in a taken branch; not so of three in turn. */
static void taken_branches_end_a_cycle(void **state)
{
    (void)state;
    static cm_time time;
    cm_pmu_machine turns = machine;
    turns.taken_branches = 1;
    const cm_flow one[] = {step(CM_FLOW_INTEGER, 1, 2), step(CM_FLOW_INTEGER, 1, 3), step(CM_FLOW_INTEGER, 1, 4),
                           step(CM_FLOW_INTEGER, 1, 5), step(CM_FLOW_INTEGER, 1, 6)};
    for (size_t count = 1; count <= 5; count += 4) {
        uint64_t facts[CM_FACT_COUNT] = {0};
        cm_time_init(&time, &turns);
        for (int i = 0; i < TURNS; i++)
            cm_time_begin(&time, one, count, CM_TIME_TAKEN, facts);
        assert_in_range(facts[CM_FACT_CYCLES], TURNS - 4, count == 1 ? TURNS : TURNS * 5 / WIDTH + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_takes_its_latency),
        cmocka_unit_test(what_does_not_wait_takes_places),
        cmocka_unit_test(memory_gives_as_much_as_it_can),
        cmocka_unit_test(slots_are_lost_to_their_cause),
        cmocka_unit_test(cycles_without_a_commit_have_a_cause),
        cmocka_unit_test(code_on_its_way_is_the_front_ends),
        cmocka_unit_test(stores_are_forwarded),
        cmocka_unit_test(machines_have_their_own_ways),
        cmocka_unit_test(vectors_have_loads_of_their_own),
        cmocka_unit_test(locks_wait_for_all_before),
        cmocka_unit_test(stores_are_renamed),
        cmocka_unit_test(taken_branches_end_a_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
