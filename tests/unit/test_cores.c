/* Which processing units work: one a core, its siblings stay idle. On machines that hwloc makes up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <hwloc.h>

#include "sweep/plan/benchmark.h"

static hwloc_topology_t make_up(const char *machine)
{
    hwloc_topology_t topology = NULL;
    assert_int_equal(hwloc_topology_init(&topology), 0);
    assert_int_equal(hwloc_topology_set_synthetic(topology, machine), 0);
    assert_int_equal(hwloc_topology_load(topology), 0);
    return topology;
}

static hwloc_obj_t core_of(const cm_cores *cores, size_t index)
{
    hwloc_obj_t unit = hwloc_get_pu_obj_by_os_index(cores->topology, cores->units[index]);
    assert_non_null(unit);
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(cores->topology, HWLOC_OBJ_CORE, unit);
    return core != NULL ? core : unit;
}

static void one_unit_a_core(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        size_t wanted;
        size_t available, sharing, count; /* count 0: refused */
    } rows[] = {
        {"pack:1 core:4 pu:2", 4, 4, 0, 4},      {"pack:1 l3:1 core:4 pu:2", 0, 4, 4, 4},
        {"pack:1 l3:1 core:4 pu:2", 5, 4, 4, 0}, /* though there are 8 processing units */
        {"pack:2 l3:1 core:3 pu:2", 0, 6, 3, 3}, {"pack:2 l3:1 core:3 pu:2", 6, 6, 3, 6},
        {"pack:1 l3:1 core:2 pu:4", 2, 2, 2, 2}, {"pack:1 l3:1 core:4 pu:1", 4, 4, 4, 4},
        {"pack:1 l3:2 core:1 pu:1", 2, 2, 1, 2},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_cores cores;
        cm_error error = {0};
        cm_status status = cm_cores_choose(make_up(rows[r].machine), "", rows[r].wanted, &cores, &error);
        bool refused = rows[r].count == 0;
        if (status != (refused ? CM_BAD_ARGUMENT : CM_OK))
            fail_msg("row %zu: %s", r, error.text);
        if (cores.available != rows[r].available || (rows[r].sharing != 0 && cores.sharing != rows[r].sharing))
            fail_msg("row %zu: %zu cores, %zu share a cache", r, cores.available, cores.sharing);
        if (!refused)
            assert_int_equal(cores.count, rows[r].count);
        for (size_t i = 0; i < cores.available; i++)
            for (size_t k = 0; k < i; k++)
                if (core_of(&cores, i) == core_of(&cores, k))
                    fail_msg("row %zu: units %u and %u are siblings", r, cores.units[k], cores.units[i]);
        cm_cores_clear(&cores);
        cm_cores_clear(&cores);
    }
}

static void who_shares_the_cache_comes_first(void **state)
{
    (void)state;
    cm_cores cores;
    assert_int_equal(cm_cores_choose(make_up("pack:2 l3:2 core:2 pu:2"), "", 8, &cores, NULL), CM_OK);
    assert_int_equal(cores.sharing, 2);
    for (size_t i = 0; i < cores.count; i++) {
        hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(cores.topology, HWLOC_OBJ_L3CACHE, core_of(&cores, i));
        hwloc_obj_t first = hwloc_get_ancestor_obj_by_type(cores.topology, HWLOC_OBJ_L3CACHE, core_of(&cores, 0));
        assert_true((cache == first) == (i < cores.sharing));
    }
    cm_cores_clear(&cores);
}

/* Of a hybrid processor those of one type alone, one a core. */
static void cores_of_one_type(void **state)
{
    (void)state;
    static const struct {
        const char *machine, *cpus;
        size_t wanted, available;
        unsigned first, last;
    } rows[] = {
        {"pack:1 l3:1 core:8 pu:2", "0-7", 0, 4, 0, 7},      {"pack:1 l3:1 core:8 pu:2", "8-15", 2, 4, 8, 15},
        {"pack:1 l3:1 core:8 pu:2", "3,12-13", 0, 2, 3, 13}, {"pack:1 l3:1 core:8 pu:2", "40-41", 0, 0, 0, 0},
        {"pack:1 l3:1 core:8 pu:2", "8-15", 5, 0, 0, 0}, /* more than there are */
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_cores cores;
        cm_status status = cm_cores_choose(make_up(rows[r].machine), rows[r].cpus, rows[r].wanted, &cores, NULL);
        if ((status == CM_OK) != (rows[r].available != 0))
            fail_msg("row %zu: status %d", r, (int)status);
        if (status == CM_OK)
            assert_int_equal(cores.available, rows[r].available);
        for (size_t i = 0; status == CM_OK && i < cores.available; i++)
            if (cores.units[i] < rows[r].first || cores.units[i] > rows[r].last)
                fail_msg("row %zu: unit %u", r, cores.units[i]);
        cm_cores_clear(&cores);
    }
}

/* Lists that name what is not there say which. */
static void processors_that_are_not_there(void **state)
{
    (void)state;
    static const struct {
        const char *cpus, *says;
    } rows[] = {
        {"99", "processor 99: not there, or not for this program to use, expected some of 0-15"},
        {"40-41,99", "processors 40-41,99: not there, or not for this program to use, expected some of 0-15"},
        {"16-", "processors 16-: not there, or not for this program to use, expected some of 0-15"},
        {"3-x", "'3-x' is no list of processors, as in '0-3,8'"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_cores cores;
        cm_error error = {0};
        assert_int_equal(cm_cores_choose(make_up("pack:1 l3:1 core:8 pu:2"), rows[r].cpus, 0, &cores, &error),
                         CM_BAD_ARGUMENT);
        assert_string_equal(error.text, rows[r].says);
        cm_cores_clear(&cores);
    }
}

/* Some of those named are not enough; those of a list without an end are all that there are. */
static void all_that_are_named(void **state)
{
    (void)state;
    cm_cores cores;
    cm_error error = {0};
    assert_int_equal(cm_cores_find("0-4095", 0, &cores, &error), CM_OK);
    cm_cores_clear(&cores);
    assert_int_equal(cm_cores_find_all("0-4095", &cores, &error), CM_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "-4095: not there, or not for this program to use"));
    cm_cores_clear(&cores);
    assert_int_equal(cm_cores_find_all("0-", &cores, &error), CM_OK);
    cm_cores_clear(&cores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unit_a_core),    cmocka_unit_test(who_shares_the_cache_comes_first),
        cmocka_unit_test(cores_of_one_type),  cmocka_unit_test(processors_that_are_not_there),
        cmocka_unit_test(all_that_are_named),
    };
    return cmocka_run_group_tests_name("cores", tests, NULL, NULL);
}
