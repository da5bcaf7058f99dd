/* Fields of codes as the system's formats have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "counting/raw/raw.h"
#include "put_file.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void formats_of_the_system(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value, words[CM_RAW_WORDS]; /* what the value sets; all 0: the text is no format */
    } rows[] = {
        {"config:0-7", 0xc7, {0xc7}},
        {"config:0-7,32-35", 0x1c7, {0x1000000c7}},
        {"config:21", 1, {0x200000}},
        {"config1:0-63", 0x3f803c0001, {0, 0x3f803c0001}},
        {"config:8-15,40-47", 0x1234, {0x120000003400}},     /* unit masks of later Intel processors */
        {"config:24-31", 0x02, {0x2000000}},                 /* cmask */
        {"config:0-15", 0x8014, {0x8014}},                   /* Arm's event */
        {"config:0-59", 0x35d0000000040, {0x35d0000000040}}, /* POWER10's */
        {"config:0-55", 0x3001, {0x3001}},                   /* RISC-V's */
        {"config:62-63", 3, {0xc000000000000000}},           /* RISC-V's firmware */
        {"config2:4-7", 0xf, {0, 0, 0xf0}},
        {"config3:0", 1, {0}},
        {"config:", 1, {0}},
        {"config:7-0", 1, {0}},
        {"config:0-64", 1, {0}},
        {"config:0-7 ", 1, {0}},
        {"config:0-63,0-3", 1, {0}},
        {"configuration:0", 1, {0}},
        {"", 1, {0}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_raw_field field;
        cm_raw_code code = {0};
        bool good = (rows[i].words[0] | rows[i].words[1] | rows[i].words[2]) != 0;
        if (cm_raw_field_parse("f", rows[i].text, &field) != good)
            fail_msg("'%s'", rows[i].text);
        if (!good)
            continue;
        cm_raw_field_set(&field, rows[i].value, &code);
        assert_memory_equal(code.words, rows[i].words, sizeof code.words);
        assert_int_equal(cm_raw_field_get(&field, &code), rows[i].value);
    }
}

#define DEVICES "sys/bus/event_source/devices/"

/* Devices as the kernel describes them, drivers of POWER10, of RISC-V's SBI, of Arm's PMUv3 and of a recent Intel core:
 * what a code of theirs is called, and which word that is. */
static void formats_of_architectures(void **state)
{
    (void)state;
    static const char
        power[] = "event config:0-59|pmcxsel config:0-7|mark config:8|combine config:10-11|unit config:12-15|pmc "
                  "config:16-19|cache_sel config:20-21|thresh_cmp config1:0-17",
        riscv[] = "event config:0-55|firmware config:62-63",
        arm[] = "event config:0-15|long config1:0|rdpmc config1:1|threshold config1:5-16",
        intel[] = "event config:0-7|umask config:8-15,40-47|edge config:18|inv config:23|cmask config:24-31|frontend "
                  "config1:0-23|ldlat config1:0-15|offcore_rsp config1:0-63";
    static const struct {
        const char *device, *format, *spec, *first, *last;
        uint64_t count, words[CM_RAW_WORDS]; /* of the last */
    } rows[] = {
        {"cpu",
         power,
         "event=0x100f8|0x35d0000000040",
         "cpu:event=0x100f8",
         "cpu:event=0x35d0000000040",
         2,
         {0x35d0000000040}},
        {"cpu", power, "pmc=1-2,pmcxsel=0x00-0xff", "cpu:event=0x10000", "cpu:event=0x200ff", 512, {0x200ff}},
        {"cpu",
         power,
         "event=0x401e0,thresh_cmp=5",
         "cpu:event=0x401e0,thresh_cmp=0x0005",
         "cpu:event=0x401e0,thresh_cmp=0x0005",
         1,
         {0x401e0, 5}},
        {"cpu", riscv, "event=0x0001-0xffff", "cpu:event=0x0001", "cpu:event=0xffff", 65535, {0xffff}},
        {"cpu",
         riscv,
         "event=5,firmware=2",
         "cpu:event=0x0005,firmware=0x2",
         "cpu:event=0x0005,firmware=0x2",
         1,
         {0x8000000000000005}},
        {"armv8_pmuv3_0",
         arm,
         "event=0x0000-0xffff",
         "armv8_pmuv3_0:event=0x0000",
         "armv8_pmuv3_0:event=0xffff",
         65536,
         {0xffff}},
        {"cpu_core",
         intel,
         "event=0xd1,umask=0x00-0xffff",
         "cpu_core:event=0xd1,umask=0x0000",
         "cpu_core:event=0xd1,umask=0xffff",
         65536,
         {0xff000000ffd1}},
        {"cpu_core",
         intel,
         "event=0x2a,umask=1,offcore_rsp=0x10001",
         "cpu_core:event=0x2a,umask=0x0001,frontend=0x10001",
         "cpu_core:event=0x2a,umask=0x0001,frontend=0x10001",
         1,
         {0x12a, 0x10001}},
        {"cpu_core",
         intel,
         "event=0xc0,umask=1,cmask=0|10,inv=0|1,edge=0|1",
         "cpu_core:event=0xc0,umask=0x0001",
         "cpu_core:event=0xc0,umask=0x0001,cmask=0x0a,edge=0x1,inv=0x1",
         8,
         {0xa8401c0}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char root[] = "/tmp/catmint-raw-XXXXXX", command[128], path[160], format[512], name[CM_RAW_CODE_TEXT],
             *rest = NULL;
        cm_raw_device devices[CM_RAW_DEVICES];
        cm_raw_spec spec;
        cm_error error = {0};
        size_t count = 0;
        assert_non_null(mkdtemp(root));
        snprintf(path, sizeof path, DEVICES "%s/type", rows[i].device);
        put_file(root, path, "4\n");
        snprintf(path, sizeof path, DEVICES "%s/cpus", rows[i].device);
        put_file(root, path, "0\n");
        snprintf(format, sizeof format, "%s", rows[i].format);
        for (char *field = strtok_r(format, "|", &rest); field != NULL; field = strtok_r(NULL, "|", &rest)) {
            char *bits = strchr(field, ' ');
            *bits++ = '\0';
            snprintf(path, sizeof path, DEVICES "%s/format/%s", rows[i].device, field);
            put_file(root, path, bits);
        }
        assert_int_equal(cm_raw_devices_read(root, devices, &count, NULL), CM_OK);
        assert_int_equal(count, 1);
        if (cm_raw_spec_parse(rows[i].spec, devices, count, &spec, &error) != CM_OK)
            fail_msg("%s: %s", rows[i].spec, error.text);
        assert_int_equal(spec.count, rows[i].count);
        cm_raw_code code = cm_raw_spec_code(&spec, 0), back;
        assert_string_equal(cm_raw_name(devices, &code, name), rows[i].first);
        code = cm_raw_spec_code(&spec, spec.count - 1);
        assert_string_equal(cm_raw_name(devices, &code, name), rows[i].last);
        assert_memory_equal(code.words, rows[i].words, sizeof code.words);
        assert_true(cm_raw_name_parse(devices, count, name, &back));
        assert_memory_equal(&back, &code, sizeof code);
        snprintf(command, sizeof command, "rm -r %s", root);
        assert_int_equal(system(command), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_of_the_system),
        cmocka_unit_test(formats_of_architectures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
