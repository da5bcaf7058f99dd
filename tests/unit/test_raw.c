/* Codes: devices, names, specs, what is unsafe, sets that the kernel counts. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "counting/raw/raw.h"
#include "put_file.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define DEVICES "sys/bus/event_source/devices/"

static void devices_below_a_root(void **state)
{
    (void)state;
    char root[] = "/tmp/catmint-raw-XXXXXX", command[128];
    cm_raw_device devices[CM_RAW_DEVICES];
    size_t count = 99;
    assert_non_null(mkdtemp(root));
    assert_int_equal(cm_raw_devices_read(root, devices, &count, NULL), CM_OK);
    assert_int_equal(count, 0);
    put_file(root, DEVICES "cpu_core/type", "4\n");
    put_file(root, DEVICES "cpu_core/cpus", "0-3\n");
    put_file(root, DEVICES "cpu_core/format/umask", "config:8-15\n");
    put_file(root, DEVICES "cpu_core/format/event", "config:0-7\n");
    put_file(root, DEVICES "cpu_core/format/cmask", "config:24-31\n");
    put_file(root, DEVICES "cpu_core/format/strange", "nonsense\n");
    put_file(root, DEVICES "cpu_atom/type", "10\n");
    put_file(root, DEVICES "cpu_atom/cpus", "4-7\n");
    put_file(root, DEVICES "cpu_atom/format/event", "config:0-7\n");
    put_file(root, DEVICES "uncore_imc_0/type", "20\n");
    put_file(root, DEVICES "uncore_imc_0/cpumask", "0\n");
    put_file(root, DEVICES "uncore_imc_0/format/event", "config:0-7\n");
    put_file(root, DEVICES "software/type", "1\n");
    assert_int_equal(cm_raw_devices_read(root, devices, &count, NULL), CM_OK);
    assert_int_equal(count, 2);
    assert_string_equal(devices[0].name, "cpu_atom");
    assert_int_equal(devices[0].type, 10);
    assert_string_equal(devices[0].cpus, "4-7");
    assert_string_equal(devices[1].name, "cpu_core");
    assert_int_equal(devices[1].field_count, 3);
    assert_string_equal(devices[1].fields[0].name, "event");
    assert_string_equal(devices[1].fields[1].name, "umask");
    assert_string_equal(devices[1].fields[2].name, "cmask");
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

static void names_lead_back(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name; /* NULL: no code */
    } rows[] = {
        {"cpu:event=0xc7,umask=0x10", "cpu:event=0xc7,umask=0x10"},
        {"cpu:umask=0x10,event=199", "cpu:event=0xc7,umask=0x10"},
        {"cpu:event=0x1c7", "cpu:event=0x1c7,umask=0x00"},
        {"cpu:event=0xc0,umask=0x01,cmask=0x1,inv=1", "cpu:event=0xc0,umask=0x01,cmask=0x01,inv=0x1"},
        {"armv8_pmuv3_0:event=0x8014", "armv8_pmuv3_0:event=0x8014"},
        {"armv8_pmuv3_0:event=0x8", "armv8_pmuv3_0:event=0x0008"},
        {"armv8_pmuv3_0:event=0x8014,umask=0x1", NULL},
        {"cpu:event=0x1000", NULL},
        {"cpu:event=", NULL},
        {"cpu:event=0xc7,", NULL},
        {"cpu:", NULL},
        {"cpu", NULL},
        {"gpu:event=0xc7", NULL},
        {"cpu:event=0xc7 ", NULL},
    };
    const cm_raw_device devices[] = {cm_raw_model_device(2), cm_raw_model_device(1)};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_raw_code code;
        char name[CM_RAW_CODE_TEXT];
        if (cm_raw_name_parse(devices, COUNT(devices), rows[i].text, &code) != (rows[i].name != NULL))
            fail_msg("%s", rows[i].text);
        if (rows[i].name != NULL)
            assert_string_equal(cm_raw_name(devices, &code, name), rows[i].name);
    }
}

static void specs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t count;   /* 0: it is wrong */
        const char *what; /* the first and the last code, or a part of the message */
        const char *last;
    } rows[] = {
        {"event=0x00-0xff,umask=0x00-0xff", 65536, "cpu:event=0x00,umask=0x00", "cpu:event=0xff,umask=0xff"},
        {"event=0xc7,umask=0x01|0x10-0x12", 4, "cpu:event=0xc7,umask=0x01", "cpu:event=0xc7,umask=0x12"},
        {"umask=1,event=5-6,cmask=1", 2, "cpu:event=0x05,umask=0x01,cmask=0x01",
         "cpu:event=0x06,umask=0x01,cmask=0x01"},
        {"armv8_pmuv3_0:event=0x0000-0xffff", 65536, "armv8_pmuv3_0:event=0x0000", "armv8_pmuv3_0:event=0xffff"},
        {"gpu:event=1", 0, "unknown device 'gpu' of codes, expected one of cpu, armv8_pmuv3_0", NULL},
        {"evnt=1", 0, "codes of cpu have no field 'evnt', expected one of event, umask, cmask, edge, inv", NULL},
        {"event=0x1000", 0, "event=0x1000: the field has 12 bits", NULL},
        {"event=9-1", 0, "numbers and ranges", NULL},
        {"event", 0, "'=' behind each field", NULL},
        {"event=1,event=2", 0, "each field once", NULL},
        {"event=1,", 0, "codes of cpu have no field ''", NULL},
        {"event=1;umask=2", 0, "fields joined by commas", NULL},
        {"event=0-0xfff,umask=0-0xff,cmask=0-0xff", 0, "at most 16,777,216 codes", NULL},
    };
    const cm_raw_device devices[] = {cm_raw_model_device(2), cm_raw_model_device(1)};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_raw_spec spec;
        cm_error error = {0};
        char name[CM_RAW_CODE_TEXT];
        cm_status status = cm_raw_spec_parse(rows[i].text, devices, COUNT(devices), &spec, &error);
        assert_int_equal(status, rows[i].count != 0 ? CM_OK : CM_BAD_ARGUMENT);
        if (status != CM_OK) {
            if (strstr(error.text, rows[i].what) == NULL)
                fail_msg("%s: %s", rows[i].text, error.text);
            continue;
        }
        assert_int_equal(spec.count, rows[i].count);
        cm_raw_code first = cm_raw_spec_code(&spec, 0), last = cm_raw_spec_code(&spec, spec.count - 1);
        assert_string_equal(cm_raw_name(devices, &first, name), rows[i].what);
        assert_string_equal(cm_raw_name(devices, &last, name), rows[i].last);
    }
}

static void unsafe_codes_by_processor(void **state)
{
    (void)state;
    static const struct {
        const char *vendor;
        unsigned family, model;
        const char *code, *source;
    } rows[] = {
        {"GenuineIntel", 6, 45, "cpu:event=0xd1,umask=0x20", "Intel, erratum BJ122"},
        {"GenuineIntel", 6, 60, "cpu:event=0xd3,umask=0x01", "Intel, erratum HSD29"},
        {"GenuineIntel", 6, 60, "cpu:event=0xd4,umask=0x01", NULL},
        {"GenuineIntel", 6, 143, "cpu:event=0xd1,umask=0x20", NULL},
        {"AuthenticAMD", 6, 45, "cpu:event=0xd1,umask=0x20", NULL},
        {"AuthenticAMD", 25, 1, "cpu:event=0xfff,umask=0x00",
         "AMD, Processor Programming Reference, Large Increment per Cycle Events"},
        {"AuthenticAMD", 25, 1, "cpu:event=0xff,umask=0x00", NULL},
        {"AuthenticAMD", 16, 4, "cpu:event=0xfff,umask=0x00", NULL},
        {"ARM", 25, 1, "cpu:event=0xfff,umask=0x00", NULL},
    };
    const cm_raw_device device = cm_raw_model_device(2);
    cm_raw_device narrow = device; /* its events have 8 bits */
    narrow.fields[0].range_count = 1;
    cm_unsafe_codes none;
    assert_int_equal(cm_unsafe_codes_read(CM_TEST_SOURCE_DIR "/data/unsafe-codes.csv",
                                          &(cm_machine){.vendor = "AuthenticAMD", .family = 25}, &narrow, &none, NULL),
                     CM_OK);
    assert_int_equal(none.count, 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_machine machine = {.family = rows[i].family, .model = rows[i].model};
        cm_unsafe_codes *codes = malloc(sizeof *codes);
        cm_raw_code code;
        assert_non_null(codes);
        strcpy(machine.vendor, rows[i].vendor);
        assert_int_equal(
            cm_unsafe_codes_read(CM_TEST_SOURCE_DIR "/data/unsafe-codes.csv", &machine, &device, codes, NULL), CM_OK);
        assert_true(cm_raw_name_parse(&device, 1, rows[i].code, &code));
        const char *source = cm_unsafe_codes_source(codes, &code);
        assert_int_equal(source != NULL, rows[i].source != NULL);
        if (source != NULL)
            assert_string_equal(source, rows[i].source);
        free(codes);
    }
}

/* The kernel's own events stand for a device's: codes are those of PERF_TYPE_SOFTWARE. */
static void codes_are_counted_by_the_kernel(void **state)
{
    (void)state;
    enum { SOFTWARE = 1, PAGE_FAULTS = 2, NONE = 0xfff };
    struct cm_raw *raw = calloc(1, sizeof *raw);
    assert_non_null(raw);
    raw->devices[0] = cm_raw_model_device(2);
    raw->devices[0].type = SOFTWARE;
    raw->device_count = 1;
    const cm_counting counting = {.raw = raw};
    const cm_raw_code faults = {.words = {PAGE_FAULTS}}, none = {.words = {NONE}};
    cm_raw_set *set = NULL;
    long long counts[2] = {-1, -1};
    assert_int_equal(cm_raw_set_create(&counting, &set), 0);
    assert_int_not_equal(cm_raw_set_add(set, &none), 0);
    int code = cm_raw_set_add(set, &faults);
    if (code == 0) { /* where the system lets anybody count */
        assert_int_equal(cm_raw_set_add(set, &faults), 0);
        assert_int_equal(cm_raw_set_start(set), 0);
        enum { PAGES = 64, PAGE = 4096 };
        char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_ptr_not_equal(memory, MAP_FAILED);
        for (size_t i = 0; i < PAGES; i++)
            ((volatile char *)memory)[i * PAGE] = 1;
        code = cm_raw_set_stop(set, counts);
        munmap(memory, PAGES * PAGE);
        assert_true(code == 0 || code == EBUSY);
        if (code == 0) {
            assert_true(counts[0] >= 1);
            assert_int_equal(counts[0], counts[1]);
        }
    }
    cm_raw_set_free(set);
    free(raw);
}

/* On some processor that this test may use, on none, and where the device does not say. */
static void codes_are_counted_where_their_device_counts(void **state)
{
    (void)state;
    cpu_set_t before, now;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    int unit = 0;
    while (!CPU_ISSET(unit, &before))
        unit++;
    cm_raw_device device = {.name = "cpu_some"};
    cm_device_cores cores;
    assert_int_equal(cm_device_cores_bind(device.name, device.cpus, &cores, NULL), CM_OK);
    assert_false(cores.bound);
    snprintf(device.cpus, sizeof device.cpus, "%d,1000-1020", unit);
    assert_int_equal(cm_device_cores_bind(device.name, device.cpus, &cores, NULL), CM_OK);
    assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
    assert_true(CPU_COUNT(&now) >= 1 && CPU_ISSET(unit, &now));
    assert_true(CPU_COUNT(&now) == 1 || CPU_COUNT(&before) > 1000);
    cm_device_cores_release(&cores);
    assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
    assert_true(CPU_EQUAL(&now, &before));
    cm_error error = {0};
    strcpy(device.cpus, "1023");
    if (!CPU_ISSET(1023, &before)) {
        assert_int_equal(cm_device_cores_bind(device.name, device.cpus, &cores, &error), CM_UNSUPPORTED);
        assert_string_equal(error.text, "cpu_some counts on the processors 1023, none of which catmint may use here");
    }
    strcpy(device.cpus, "nonsense");
    assert_int_equal(cm_device_cores_bind(device.name, device.cpus, &cores, &error), CM_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_below_a_root),
        cmocka_unit_test(names_lead_back),
        cmocka_unit_test(specs),
        cmocka_unit_test(unsafe_codes_by_processor),
        cmocka_unit_test(codes_are_counted_by_the_kernel),
        cmocka_unit_test(codes_are_counted_where_their_device_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
