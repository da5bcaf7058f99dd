/* Types of cores: found in made-up files of /sys and in models, chosen, kept in files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/sweep.h>

#include "core/system.h"
#include "counting/counting.h"
#include "put_file.h"

#define DEVICES "sys/bus/event_source/devices/"
#define HYBRID CM_TEST_SOURCE_DIR "/tests/data/pmu/hybrid"

static char root[64];

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/tmp/catmint-cores-XXXXXX");
    return mkdtemp(root) != NULL ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static void put_device(const char *name, const char *cpus)
{
    static const struct {
        const char *leaf, *text;
    } files[] = {{"type", "8\n"}, {"format/event", "config:0-7\n"}, {"format/umask", "config:8-15\n"}};
    char path[256];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, DEVICES "%s/%s", name, files[i].leaf);
        put_file(root, path, files[i].text);
    }
    snprintf(path, sizeof path, DEVICES "%s/cpus", name);
    if (cpus != NULL)
        put_file(root, path, cpus);
}

static void lists_of_processors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int count; /* 0: it is none */
    } rows[] = {{"0", 1},      {"0-3,8", 5},   {"4-4", 1}, {"1023", 1}, {"", 0},    {"3-1", 0},
                {"1024", 0},   {"0,", 0},      {",1", 0},  {"0-", 0},   {"a", 0},   {"0 1", 0},
                {"0-3,-8", 0}, {"0-1,1-2", 3}, {"-1", 0},  {"0--1", 0}, {"0-3x", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cpu_set_t cpus;
        bool read = cm_cpu_list_parse(rows[i].text, &cpus);
        if (read != (rows[i].count != 0) || (read && CPU_COUNT(&cpus) != rows[i].count))
            fail_msg("'%s': %d, %d processors", rows[i].text, (int)read, CPU_COUNT(&cpus));
    }
}

static size_t find(cm_pmu_choice choice, cm_core_type types[CM_CORE_TYPES])
{
    size_t count = 99;
    choice.root = root;
    assert_int_equal(cm_core_types_find(&choice, types, &count, NULL), CM_OK);
    return count;
}

static void types_of_a_system(void **state)
{
    (void)state;
    cm_core_type types[CM_CORE_TYPES];
    const cm_pmu_choice hardware = {.kind = CM_PMU_HARDWARE};
    assert_int_equal(find(hardware, types), 0);
    put_device("cpu", NULL);
    put_device("cpu_core", "0-15\n");
    assert_int_equal(find(hardware, types), 0); /* one type is no hybrid processor */
    put_device("cpu_atom", "16-23\n");
    assert_int_equal(find(hardware, types), 2);
    static const cm_core_type expected[] = {{"cpu_atom", "16-23", "adl_grt"}, {"cpu_core", "0-15", "adl_glc"}};
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(types[i].name, expected[i].name);
        assert_string_equal(types[i].cpus, expected[i].cpus);
        assert_string_equal(types[i].pmu, expected[i].pmu);
    }
    put_device("armv8_cortex_a53", "24\n");
    put_device("armv8_of_tomorrow", "25\n");
    assert_int_equal(find(hardware, types), 4);
    assert_string_equal(types[0].pmu, "arm_ac53");
    assert_string_equal(types[1].pmu, ""); /* nobody knows what libpfm4 calls it */
}

static void types_of_a_model(void **state)
{
    (void)state;
    cm_core_type types[CM_CORE_TYPES];
    const cm_pmu_choice model = {.kind = CM_PMU_SOFTWARE, .model = HYBRID "-coded@3"};
    put_device("cpu_little", "1\n");
    put_device("cpu_other", "2\n");
    assert_int_equal(find(model, types), 2);
    assert_string_equal(types[0].name, "cpu_big");
    assert_string_equal(types[0].cpus, ""); /* the root does not say */
    assert_string_equal(types[1].cpus, "1");
    assert_int_equal(find((cm_pmu_choice){.kind = CM_PMU_SOFTWARE}, types), 0);
    size_t count = 0;
    const cm_pmu_choice unknown = {.kind = CM_PMU_SOFTWARE, .model = "golden-cow"};
    assert_int_equal(cm_core_types_find(&unknown, types, &count, NULL), CM_BAD_ARGUMENT);
}

static void sessions_count_on_one_type(void **state)
{
    (void)state;
    cm_counting *counting = NULL;
    cm_error error = {0};
    cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = HYBRID};
    assert_int_equal(cm_counting_open(&choice, &counting, &error), CM_BAD_ARGUMENT);
    choice.core = "cpu_odd";
    assert_int_equal(cm_counting_open(&choice, &counting, &error), CM_BAD_ARGUMENT);
    assert_string_equal(error.text, "there are no cores of the type 'cpu_odd' here, expected one such as cpu_big");
    choice.core = "cpu_little";
    assert_int_equal(cm_counting_open(&choice, &counting, &error), CM_OK);
    size_t event = 0;
    assert_string_equal(cm_counting_core(counting)->pmu, "paper_l");
    assert_int_equal(cm_counting_find_event(counting, "paper_l::BR_RETIRED:OTHER", &event, NULL), CM_OK);
    assert_int_equal(cm_counting_find_event(counting, "paper_b::BR_RETIRED:OTHER", &event, NULL), CM_BAD_ARGUMENT);
    cm_counting_close(counting);
    choice = (cm_pmu_choice){.kind = CM_PMU_SOFTWARE, .model = "golden-cove", .core = "cpu_big"};
    assert_int_equal(cm_counting_open(&choice, &counting, &error), CM_BAD_ARGUMENT);
    assert_string_equal(error.text, "there are no cores of the type 'cpu_big' here, the cores are all alike");
}

/* By the PMU that stands before their names. */
static void events_of_other_types_are_not_counted(void **state)
{
    (void)state;
    put_device("cpu_core", "0\n");
    put_device("cpu_atom", "1\n");
    cm_event_record events[] = {{.name = "INST_RETIRED:ANY", .countable = true},
                                {.name = "adl_glc::INST_RETIRED:ANY", .countable = true},
                                {.name = "adl_grt::INST_RETIRED:ANY", .countable = true},
                                {.name = "perf::TASK-CLOCK", .countable = true},
                                {.name = "adl_grtx::X", .countable = true}};
    enum { COUNT = sizeof events / sizeof events[0] };
    cm_component_record component = {.name = "perf_event"};
    cm_counting counting = {.component_count = 1,
                            .components = &component,
                            .event_count = COUNT,
                            .events = events,
                            .core = {.name = "cpu_core"}};
    const cm_pmu_choice choice = {.kind = CM_PMU_HARDWARE, .root = root};
    assert_int_equal(cm_core_set_others_aside(&counting, &choice, NULL), CM_OK);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(events[i].countable, i != 2);
    assert_string_equal(events[2].reason, "it counts on the cores of the type cpu_atom");
    cm_text_store_clear(&counting.texts);
}

static void lists_in_a_directory(void **state)
{
    (void)state;
    static const cm_core_type written[] = {{"cpu_core", "0-7", "adl_glc"}, {"cpu_atom", "", ""}};
    static const char *const wrong[] = {
        "{}",
        "{\"schema\": \"catmint.cores/1\", \"cores\": []}",
        "{\"schema\": \"catmint.cores/2\", \"cores\": [{\"core\": \"a\", \"cpus\": \"\", \"pmu\": \"\"}]}",
        "{\"schema\": \"catmint.cores/1\", \"cores\": [{\"core\": \"../a\", \"cpus\": \"\", \"pmu\": \"\"}]}",
        "{\"schema\": \"catmint.cores/1\", \"cores\": [{\"core\": \"a\", \"pmu\": \"\"}]}",
        "{\"schema\": \"catmint.cores/1\", \"cores\": [{\"core\": \"a\", \"cpus\": \"\", \"pmu\": \"\"},"
        "{\"core\": \"a\", \"cpus\": \"\", \"pmu\": \"\"}]}",
        "[",
    };
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 99;
    assert_int_equal(cm_sweep_cores_read(root, types, &count, NULL), CM_OK);
    assert_int_equal(count, 0);
    assert_int_equal(cm_sweep_cores_write(root, written, 2, NULL), CM_OK);
    assert_true(cm_sweep_has_cores(root));
    assert_int_equal(cm_sweep_cores_read(root, types, &count, NULL), CM_OK);
    assert_int_equal(count, 2);
    assert_string_equal(types[0].cpus, "0-7");
    assert_string_equal(types[1].name, "cpu_atom");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        put_file(root, "cores.json", wrong[i]);
        if (cm_sweep_cores_read(root, types, &count, NULL) != CM_BAD_INPUT)
            fail_msg("accepted: %s", wrong[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_processors),
        cmocka_unit_test_setup_teardown(types_of_a_system, make_root, remove_root),
        cmocka_unit_test_setup_teardown(types_of_a_model, make_root, remove_root),
        cmocka_unit_test(sessions_count_on_one_type),
        cmocka_unit_test_setup_teardown(events_of_other_types_are_not_counted, make_root, remove_root),
        cmocka_unit_test_setup_teardown(lists_in_a_directory, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
