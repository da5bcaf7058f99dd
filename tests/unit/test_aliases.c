/* Names of codes, by libpfm4's table of a processor that need not be this one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "counting/raw/raw.h"
#include "formulas/events/events.h"

static void processors_by_their_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *identity, *pmu;
    } rows[] = {{"GenuineIntel-6-8F-8", "spr"},
                {"GenuineIntel-6-55-4", "skx"},
                {"GenuineIntel-6-55-7", "clx"},
                {"GenuineIntel-6-97-2", "adl_glc"},
                {"AuthenticAMD-25-1-1", "amd64_fam19h_zen3"},
                {"AuthenticAMD-25-11-1", "amd64_fam19h_zen4"},
                {"GenuineIntel-6-FF-0", ""},
                {"", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char pmu[64];
        assert_int_equal(cm_processor_pmu(rows[i].identity, pmu, sizeof pmu, NULL), CM_OK);
        if (strcmp(pmu, rows[i].pmu) != 0)
            fail_msg("%s: '%s'", rows[i].identity, pmu);
    }
}

/* Without libpfm4, or one that does not know the processor, no code has a name. */
static void codes_by_their_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *vendor;
        unsigned family, model, stepping;
        const char *core_pmu, *code, *name; /* "": none */
    } rows[] = {
        {"GenuineIntel", 6, 0x8f, 8, "", "cpu:event=0xc7,umask=0x01", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"GenuineIntel", 6, 0x8f, 8, "", "cpu:event=0xc7,umask=0x01,cmask=0x01", ""},
        {"GenuineIntel", 6, 0x8f, 8, "", "cpu:event=0xee,umask=0xee", ""},
        {"GenuineIntel", 6, 0x55, 4, "", "cpu:event=0xc4,umask=0x20", "BR_INST_RETIRED:NEAR_TAKEN"},
        {"GenuineIntel", 6, 0x97, 2, "skx", "cpu:event=0xc4,umask=0x20", "BR_INST_RETIRED:NEAR_TAKEN"},
        {"GenuineIntel", 6, 0x8f, 8, "of_tomorrow", "cpu:event=0xc7,umask=0x01", ""},
        {"AuthenticAMD", 25, 0x1, 1, "", "cpu:event=0xc2,umask=0x00", "RETIRED_BRANCH_INSTRUCTIONS"},
        {"GenuineIntel", 6, 0xff, 0, "", "cpu:event=0xc7,umask=0x01", ""},
        {"", 0, 0, 0, "", "cpu:event=0xc7,umask=0x01", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cm_raw_device device = cm_raw_model_device(2);
        cm_machine machine = {.family = rows[i].family, .model = rows[i].model, .stepping = rows[i].stepping};
        strcpy(machine.vendor, rows[i].vendor);
        cm_libpfm_list *list = NULL;
        cm_raw_code code;
        assert_true(cm_raw_name_parse(&device, 1, rows[i].code, &code));
        assert_int_equal(cm_code_aliases_create(&machine, rows[i].core_pmu, &list, NULL), CM_OK);
        bool found = false;
        const char *name = NULL;
        for (size_t at = 0; (name = cm_code_alias_next(list, &device, &code, &at)) != NULL;) {
            found = found || strcmp(name, rows[i].name) == 0;
            if (rows[i].name[0] == '\0')
                fail_msg("row %zu: '%s'", i, name);
        }
        if (list != NULL && rows[i].name[0] != '\0' && !found)
            fail_msg("row %zu: %s is not there", i, rows[i].name);
        cm_libpfm_list_free(list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_by_their_numbers),
        cmocka_unit_test(codes_by_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
