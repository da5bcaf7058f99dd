/* The software GPU's memory: sectors and lines of random accesses against plain lists, banks against known conflicts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/system.h"
#include "software_pmu/gpu/device.h"

static uint64_t facts[CM_FACT_COUNT];

static uint64_t fact(cm_gpu_access_fact which)
{
    return facts[CM_FACT_GPU_ACCESSES + which];
}

static cm_hierarchy *create(unsigned sector)
{
    /* L1: 2 sets of 2 lines, L2: 4 sets of 4 */
    const cm_pmu_machine machine = {
        .line_size = 128, .l1d_size = 512, .l1d_ways = 2, .l2_size = 2048, .l2_ways = 4, .gpu_sector = sector};
    cm_hierarchy *created = cm_hierarchy_create(&machine);
    assert_non_null(created);
    memset(facts, 0, sizeof facts);
    return created;
}

/* Lanes at `stride` bytes from one to the next, from `first` on. */
static void access_by(cm_hierarchy *hierarchy, cm_hierarchy_way way, unsigned bytes, uint64_t first, unsigned stride,
                      unsigned lanes)
{
    uint64_t addresses[CM_HIERARCHY_LANES];
    unsigned numbers[CM_HIERARCHY_LANES];
    for (unsigned i = 0; i < lanes; i++) {
        addresses[i] = first + (uint64_t)i * stride;
        numbers[i] = i;
    }
    cm_hierarchy_access(hierarchy, way, bytes, addresses, numbers, lanes, facts);
}

/* NVIDIA's documents: 32 banks of 4 bytes; words of a bank one after another, the same word once; 8 bytes a thread take
 * half of a warp at a time, 16 bytes a quarter. */
static void banks_conflict_as_documents_say(void **state)
{
    (void)state;
    static const struct {
        unsigned bytes, stride, lanes, transactions, conflicts;
    } rows[] = {{4, 4, 32, 1, 0},   {4, 8, 32, 2, 1},     {4, 12, 32, 1, 0}, {4, 16, 32, 4, 3},  {4, 128, 32, 32, 31},
                {4, 132, 32, 1, 0}, {4, 0, 32, 1, 0},     {8, 8, 32, 2, 0},  {16, 16, 32, 4, 0}, {8, 16, 32, 4, 2},
                {4, 4, 64, 2, 0},   {4, 128, 64, 64, 62}, {4, 4, 1, 1, 0},   {4, 4, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned stores = 0; stores < 2; stores++) {
            cm_hierarchy *hierarchy = create(32);
            access_by(hierarchy, CM_WAY_SHARED_LOAD + stores, rows[i].bytes, 0, rows[i].stride, rows[i].lanes);
            if (fact(CM_GPU_SHARED_LOAD_TRANSACTIONS + stores) != rows[i].transactions ||
                fact(CM_GPU_SHARED_LOAD_CONFLICTS + stores) != rows[i].conflicts ||
                fact(CM_GPU_SHARED_LOAD_REQUESTS + stores) != (rows[i].lanes != 0))
                fail_msg("row %zu", i);
            cm_hierarchy_free(hierarchy);
        }
}

static void sectors_are_of_lines(void **state)
{
    (void)state;
    cm_hierarchy *hierarchy = create(32);
    access_by(hierarchy, CM_WAY_LOAD, 4, 64, 4, 1); /* one sector of a line, from memory */
    assert_int_equal(fact(CM_GPU_L2_LOAD_MISS_BYTES), 32);
    access_by(hierarchy, CM_WAY_LOAD, 4, 0, 4, 32); /* all four: one is there */
    assert_int_equal(fact(CM_GPU_L1_LOAD_HIT_BYTES), 32);
    assert_int_equal(fact(CM_GPU_L2_LOAD_MISS_BYTES), 128);
    access_by(hierarchy, CM_WAY_LOAD_FAR, 16, 0, 16, 8); /* past L1, from L2 */
    assert_int_equal(fact(CM_GPU_L2_LOAD_HIT_BYTES), 128);
    cm_hierarchy_begin_block(hierarchy);
    access_by(hierarchy, CM_WAY_LOAD, 4, 0, 4, 32); /* another block has an L1 of its own */
    assert_int_equal(fact(CM_GPU_L2_LOAD_HIT_BYTES), 256);
    cm_hierarchy_begin_launch(hierarchy);
    access_by(hierarchy, CM_WAY_LOAD, 4, 0, 4, 32);
    assert_int_equal(fact(CM_GPU_L2_LOAD_MISS_BYTES), 256);
    access_by(hierarchy, CM_WAY_STORE, 4, 30, 128, 2);     /* each across two sectors */
    assert_int_equal(fact(CM_GPU_L2_STORE_HIT_BYTES), 64); /* the line is there, and the one behind it not */
    assert_int_equal(fact(CM_GPU_L2_STORE_MISS_BYTES), 64);
    assert_int_equal(fact(CM_GPU_ASKED_STORE_BYTES), 8);
    access_by(hierarchy, CM_WAY_REDUCE, 4, 0, 0, 32);
    assert_int_equal(fact(CM_GPU_L2_ATOMIC_BYTES), 32);
    assert_int_equal(fact(CM_GPU_LOAD_REQUESTS), 5);
    cm_hierarchy_free(hierarchy);
}

static void the_oldest_line_leaves(void **state)
{
    (void)state;
    cm_hierarchy *hierarchy = create(0);      /* a sector is the line */
    for (uint64_t line = 0; line < 3; line++) /* of one set, which has two */
        access_by(hierarchy, CM_WAY_LOAD, 4, 256 * line, 4, 1);
    assert_int_equal(fact(CM_GPU_L2_LOAD_MISS_BYTES), 3 * 128);
    access_by(hierarchy, CM_WAY_LOAD, 4, 256, 4, 1);
    assert_int_equal(fact(CM_GPU_L1_LOAD_HIT_BYTES), 128);
    access_by(hierarchy, CM_WAY_LOAD, 4, 0, 4, 1); /* in L2, which has four */
    assert_int_equal(fact(CM_GPU_L2_LOAD_HIT_BYTES), 128);
    access_by(hierarchy, CM_WAY_LOAD, 4, 512, 4, 1); /* 512 was used before 256 */
    assert_int_equal(fact(CM_GPU_L2_LOAD_HIT_BYTES), 256);
    cm_hierarchy_free(hierarchy);
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Distinct sectors, by sorting. */
static uint64_t sectors_of(const uint64_t *addresses, unsigned count, unsigned bytes, unsigned sector)
{
    uint64_t sectors[2 * CM_HIERARCHY_LANES], different = 0;
    unsigned ends = 0;
    for (unsigned i = 0; i < count; i++) {
        sectors[ends++] = addresses[i] / sector;
        sectors[ends++] = (addresses[i] + bytes - 1) / sector;
    }
    qsort(sectors, ends, sizeof *sectors, compare);
    for (unsigned i = 0; i < ends; i++)
        different += i == 0 || sectors[i] != sectors[i - 1];
    return different;
}

static void random_lanes_coalesce(void **state)
{
    (void)state;
    uint64_t seed = 41, addresses[CM_HIERARCHY_LANES];
    unsigned lanes[CM_HIERARCHY_LANES];
    for (unsigned i = 0; i < 2000; i++) {
        const unsigned sector = 32u << cm_random_below(&seed, 3), bytes = 4u << cm_random_below(&seed, 3);
        const unsigned count = 1 + (unsigned)cm_random_below(&seed, CM_HIERARCHY_LANES);
        cm_hierarchy *hierarchy = create(sector);
        for (unsigned lane = 0; lane < count; lane++) {
            lanes[lane] = lane;
            addresses[lane] = cm_random_below(&seed, 1024) * 4;
        }
        cm_hierarchy_access(hierarchy, CM_WAY_LOAD_FAR, bytes, addresses, lanes, count, facts);
        assert_int_equal(fact(CM_GPU_L2_LOAD_MISS_BYTES), sectors_of(addresses, count, bytes, sector) * sector);
        cm_hierarchy_access(hierarchy, CM_WAY_STORE, bytes, addresses, lanes, count, facts);
        const unsigned stored = sector < 64 ? sector : 64;
        assert_int_equal(fact(CM_GPU_L2_STORE_HIT_BYTES) + fact(CM_GPU_L2_STORE_MISS_BYTES),
                         sectors_of(addresses, count, bytes, stored) * stored);
        cm_hierarchy_free(hierarchy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banks_conflict_as_documents_say),
        cmocka_unit_test(sectors_are_of_lines),
        cmocka_unit_test(the_oldest_line_leaves),
        cmocka_unit_test(random_lanes_coalesce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
