/* Events of a whole socket: devices below a root, their boxes and events, the processor that counts, models' boxes and
 * background. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counting/counting.h"
#include "counting/uncore/uncore.h"
#include "formulas/events/events.h"
#include "put_file.h"
#include "software_pmu/model/model.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define DEVICES "sys/bus/event_source/devices/"

static char root[] = "/tmp/catmint-uncore-XXXXXX";

static int make_root(void **state)
{
    (void)state;
    strcpy(strrchr(root, '-') + 1, "XXXXXX");
    return mkdtemp(root) != NULL ? 0 : 1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void put_device(const char *name, unsigned type, const char *cpus, const char *events)
{
    char path[256], text[32];
    snprintf(text, sizeof text, "%u\n", type);
    snprintf(path, sizeof path, DEVICES "%s/type", name);
    put_file(root, path, text);
    snprintf(path, sizeof path, DEVICES "%s/cpumask", name);
    put_file(root, path, cpus);
    snprintf(path, sizeof path, DEVICES "%s/format/event", name);
    put_file(root, path, "config:0-7\n");
    snprintf(path, sizeof path, DEVICES "%s/format/umask", name);
    put_file(root, path, "config:8-15\n");
    snprintf(path, sizeof path, DEVICES "%s/events/cas_count_read", name);
    put_file(root, path, events);
    snprintf(path, sizeof path, DEVICES "%s/events/cas_count_read.scale", name);
    put_file(root, path, "6.103515625e-5\n");
}

static void boxes_are_one_device(void **state)
{
    (void)state;
    struct cm_uncore uncore = {0};
    assert_int_equal(cm_uncore_devices_read(root, &uncore, NULL), CM_OK);
    assert_int_equal(uncore.device_count, 0);
    put_device("uncore_imc_0", 20, "0,28\n", "event=0x04,umask=0x03\n");
    put_device("uncore_imc_1", 21, "0,28\n", "event=0x04,umask=0x03\n");
    put_device("uncore_imc_10", 22, "0,28\n", "event=0x04,umask=0x03\n");
    put_device("uncore_imc_free_running_0", 30, "0,28\n", "event=0xff,umask=0x20\n");
    put_device("amd_df", 40, "0\n", "event=0x07\n");
    put_device("power", 50, "0\n", "event=0x02\n");
    put_device("cstate_pkg", 51, "0\n", "event=0x02\n");
    put_device("cpu_atom", 10, "0\n", "event=0x02\n");
    put_file(root, DEVICES "cpu_atom/cpus", "4-7\n");
    put_file(root, DEVICES "software/type", "1\n");
    assert_int_equal(cm_uncore_devices_read(root, &uncore, NULL), CM_OK);
    assert_int_equal(uncore.device_count, 3);
    static const struct {
        const char *name, *first;
        size_t boxes;
    } rows[] = {{"amd_df", "amd_df", 1},
                {"uncore_imc", "uncore_imc_0", 3},
                {"uncore_imc_free_running", "uncore_imc_free_running_0", 1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(uncore.formats[i].name, rows[i].name);
        assert_string_equal(uncore.devices[i].first, rows[i].first);
        assert_int_equal(uncore.devices[i].box_count, rows[i].boxes);
    }
    assert_string_equal(uncore.devices[1].cpus, "0,28");
    assert_int_equal(uncore.devices[1].types[2], 22); /* uncore_imc_10 */
}

/* A device with another format is another one, though its name differs in a number alone. */
static void other_formats_are_other_devices(void **state)
{
    (void)state;
    struct cm_uncore uncore = {0};
    put_device("uncore_cha_0", 20, "0\n", "event=0x04\n");
    put_device("uncore_cha_1", 21, "0\n", "event=0x04\n");
    put_file(root, DEVICES "uncore_cha_1/format/umask", "config:8-15,32-57\n");
    assert_int_equal(cm_uncore_devices_read(root, &uncore, NULL), CM_OK);
    assert_int_equal(uncore.device_count, 2);
}

static void the_processor_of_this_socket_counts(void **state)
{
    (void)state;
    static const struct {
        const char *cpus;
        int here, there, found; /* sockets of all processors, of processor 500, and what is found */
    } rows[] = {{"0,500", 0, 1, 0}, {"500", 0, 1, -1}, {"500", 0, 0, 500}, {"nonsense", 0, 1, -1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[128], text[16];
        for (int cpu = 0; cpu < 256; cpu++) {
            snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
            snprintf(text, sizeof text, "%d\n", rows[i].here);
            put_file(root, path, text);
        }
        snprintf(text, sizeof text, "%d\n", rows[i].there);
        put_file(root, "sys/devices/system/cpu/cpu500/topology/physical_package_id", text);
        assert_int_equal(cm_uncore_cpu_of_socket(root, rows[i].cpus), rows[i].found);
        assert_true(cm_uncore_is_one_socket(root, (unsigned[]){0, 255, 500}, 3) == (rows[i].here == rows[i].there));
        assert_true(cm_uncore_is_one_socket(root, (unsigned[]){0, 255, 500}, 2));
    }
}

/* Devices that are the kernel's own clock in truth: where it may be counted for all, two boxes count twice as much;
 * else the reason says what is missing. */
static void this_machines_devices(void **state)
{
    (void)state;
    cm_counting *counting = NULL;
    cm_error error = {0};
    const cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE};
    put_device("uncore_imc_0", 1, "0-255\n", "event=0x00,umask=0x00\n");
    put_device("uncore_imc_1", 1, "0-255\n", "event=0x00,umask=0x00\n");
    put_device("uncore_m2m_0", 1, "0-255\n", "event=0x00,umask=0x00\n");
    assert_int_equal(cm_counting_open(&choice, &counting, &error), CM_OK);
    cm_pmu_model *model = counting->model; /* as if hardware counted */
    counting->model = NULL;
    cm_status status = cm_uncore_open(counting, root, &error);
    if (status != CM_OK) {
        assert_int_equal(status, CM_UNSUPPORTED);
        assert_non_null(
            strstr(error.text, "events of the socket cannot be counted here: uncore_imc:event=0x00,umask=0x00: "));
    } else {
        long long counts[2] = {0, 0};
        cm_uncore_set *set = NULL;
        const cm_event_record *one = &counting->events[counting->event_count - 1], *two = one - 1;
        assert_string_equal(two->name, "uncore_imc:event=0x00,umask=0x00");
        assert_string_equal(two->description, "cas_count_read");
        assert_string_equal(one->name, "uncore_m2m:event=0x00,umask=0x00");
        assert_int_equal(cm_uncore_set_create(counting, &set), 0);
        assert_int_equal(cm_uncore_set_add(set, two), 0);
        assert_int_equal(cm_uncore_set_add(set, one), 0);
        bool twice = false; /* measured again while other programs disturb it */
        for (unsigned tries = 0; tries < 10 && !twice; tries++) {
            assert_int_equal(cm_uncore_set_start(set), 0);
            for (volatile unsigned i = 0; i < 3000000; i = i + 1)
                ;
            assert_int_equal(cm_uncore_set_stop(set, counts), 0);
            assert_true(counts[1] > 0);
            twice = counts[0] * 10 / counts[1] >= 15 && counts[0] * 10 / counts[1] <= 25;
        }
        cm_uncore_set_free(set);
        assert_true(twice);
    }
    counting->model = model;
    cm_counting_close(counting);
}

static void machines_without_devices(void **state)
{
    (void)state;
    cm_counting *counting = NULL;
    cm_error error = {0};
    const cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE};
    assert_int_equal(cm_counting_open(&choice, &counting, &error), CM_OK);
    cm_pmu_model *model = counting->model;
    counting->model = NULL;
    assert_int_equal(cm_uncore_open(counting, root, &error), CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "no device here counts for a socket"));
    counting->model = model;
    cm_counting_close(counting);
}

static void what_to_do_about_it(void **state)
{
    (void)state;
    char hint[CM_HINT_SIZE];
    const cm_machine machine = {.paranoid = 2};
    static const char *const reasons[] = {"Permission denied", "Operation not permitted"};
    for (size_t i = 0; i < COUNT(reasons); i++)
        assert_non_null(
            strstr(cm_counting_hint(&machine, "uncore", reasons[i], hint, sizeof hint),
                   "run as root or with CAP_PERFMON, or `sudo sysctl kernel.perf_event_paranoid=0` (it is 2)"));
    assert_non_null(strstr(cm_counting_hint(&machine, "uncore", "No such device", hint, sizeof hint), "cpumask"));
}

static void boxes_of_a_model_count_all_of_it(void **state)
{
    (void)state;
    cm_pmu_model *model = NULL;
    assert_int_equal(cm_pmu_model_load(CM_TEST_SOURCE_DIR "/data/pmu/zen4", &model, NULL), CM_OK);
    uint64_t *facts = calloc(cm_fact_count(), sizeof *facts);
    size_t boxes = cm_pmu_model_uncore_boxes(model);
    assert_int_equal(boxes, 12);
    assert_string_equal(cm_pmu_model_uncore_event(model, 0).name, "amd_umc::UMC_CAS_CMD:RD");
    for (uint64_t lines = 0; lines < 40; lines++) {
        int64_t sum = 0;
        facts[cm_fact_find("l3_load_miss")] = lines;
        for (size_t box = 0; box < boxes; box++)
            sum += cm_pmu_model_uncore_evaluate(model, 0, box, facts, 1, 0);
        assert_int_equal(sum, lines);
    }
    free(facts);
    cm_pmu_model_free(model);
}

static void backgrounds(void **state)
{
    (void)state;
    cm_pmu_machine machine = {0};
    assert_true(cm_background_of(&machine, 40.0, 1, 2000, 5000) == 80.0);
    machine.background_noise = 0.5;
    double first = cm_background_of(&machine, 40.0, 1, 2000, 5000), least = 80.0, most = 80.0;
    assert_true(cm_background_of(&machine, 40.0, 1, 2000, 5000) == first); /* a run's own */
    machine.background_seed = 1;
    assert_true(cm_background_of(&machine, 40.0, 1, 2000, 5000) != first);
    for (uint64_t run = 0; run < 200; run++) {
        double value = cm_background_of(&machine, 40.0, run, 2000, 5000);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    assert_true(least >= 40.0 && least < 45.0 && most <= 120.0 && most > 115.0);
    machine = (cm_pmu_machine){.background_drift = 0.3};
    assert_true(fabs(cm_background_of(&machine, 1.0, 1, 0, 2500000)) == 0.0);
    assert_true(fabs(cm_background_of(&machine, 1.0, 1, 1000, 2500500) - 1.3) < 1e-6);
    assert_true(fabs(cm_background_of(&machine, 1.0, 1, 1000, 7500500) - 0.7) < 1e-6);
}

static void faults_of_models(void **state)
{
    (void)state;
    static const struct {
        const char *events, *text; /* a part of the message */
    } rows[] = {
        {"event,description,expression\nA,,loads\n", "expected"},
        {"event,description,expression,background\nA,,loads,-1\n", "the background of 'A' is -1, expected 0 to 1e+06"},
        {"event,description,expression,background\nA,,loads,much\n", "much"},
        {"event,description,expression,background\nA,,lods,1\n", "unknown fact 'lods'"},
        {"event,description,expression,background\n", "no events"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char command[256];
        cm_pmu_model *model = NULL;
        cm_error error = {0};
        snprintf(command, sizeof command, "cp '%s'/tests/data/pmu/tiny/*.csv %s", CM_TEST_SOURCE_DIR, root);
        assert_int_equal(system(command), 0);
        put_file(root, "uncore.csv", rows[i].events);
        assert_int_equal(cm_pmu_model_load(root, &model, &error), CM_BAD_INPUT);
        if (strstr(error.text, rows[i].text) == NULL || strstr(error.file, "uncore.csv") == NULL)
            fail_msg("row %zu: %s: %s", i, error.file, error.text);
    }
}

static void names_of_events(void **state)
{
    (void)state;
    static const struct {
        const char *event;
        bool socket;
    } rows[] = {
        {"uncore_imc::UNC_M_CAS_COUNT:RD", true},
        {"uncore:::uncore_imc:event=0x04,umask=0x03", true},
        {"skx_unc_imc0::UNC_M_CAS_COUNT:RD", true},
        {"amd_umc:event=0x0a,rdwrmask=0x01", true},
        {"nest_mcs01_imc:event=0x1", true},
        {"BR_INST_RETIRED:COND", false},
        {"cpu:event=0xc4,umask=0x11", false},
        {"perf::CYCLES", false},
        {"UNC_M_CAS_COUNT", false},
        {"", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (cm_is_socket_event(rows[i].event) != rows[i].socket)
            fail_msg("%s", rows[i].event);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(boxes_are_one_device, make_root, remove_root),
        cmocka_unit_test_setup_teardown(other_formats_are_other_devices, make_root, remove_root),
        cmocka_unit_test_setup_teardown(the_processor_of_this_socket_counts, make_root, remove_root),
        cmocka_unit_test_setup_teardown(this_machines_devices, make_root, remove_root),
        cmocka_unit_test_setup_teardown(machines_without_devices, make_root, remove_root),
        cmocka_unit_test(what_to_do_about_it),
        cmocka_unit_test(boxes_of_a_model_count_all_of_it),
        cmocka_unit_test(backgrounds),
        cmocka_unit_test_setup_teardown(faults_of_models, make_root, remove_root),
        cmocka_unit_test(names_of_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
