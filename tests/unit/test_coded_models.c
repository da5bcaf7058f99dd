/* Codes beyond counting them: what models answer, classes of codes that count the same, codes in names of events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formulas/events/events.h"
#include "put_file.h"
#include "software_pmu/model/model.h"
#include "sweep/plan/plan.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void codes_of_models(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t parts;
        uint64_t code;
    } rows[] = {
        {"0xc7:0x10", 2, 0x10c7},
        {"0x1c7:0x00", 2, 0x1000000c7},
        {"0x8014", 1, 0x8014},
        {"0x10000", 0, 0},
        {"0x1000:0x0", 0, 0},
        {"0xc7:0x100", 0, 0},
        {"0xc7:", 0, 0},
        {"c7:10", 0, 0},
        {"0xc7:0x10:0x1", 0, 0},
        {"0xc0:0x01:cmask=1:inv=1", 2, 0x18001c0},
        {"0xc0:0x01:inv=1:cmask=0x1", 2, 0x18001c0},
        {"0xc4:0x00:edge=1:cmask=255", 2, 0xff0400c4},
        {"0xc0:0x01:", 0, 0},
        {"0xc0:0x01:cmask", 0, 0},
        {"0xc0:0x01:cmask=", 0, 0},
        {"0xc0:0x01:cmask=-1", 0, 0},
        {"0xc0:0x01:cmask=0", 0, 0},
        {"0xc0:0x01:cmask=256", 0, 0},
        {"0xc0:0x01:cmask=1:cmask=2", 0, 0},
        {"0xc0:0x01:inv=2", 0, 0},
        {"0xc0:0x01:any=1", 0, 0},
        {"0xc0:cmask=1", 0, 0},
        {"", 0, 0},
        {"0x", 0, 0},
        {"LOADS", 0, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t code = 0;
        assert_int_equal(cm_model_code_parse(rows[i].text, &code), rows[i].parts);
        if (rows[i].parts != 0)
            assert_int_equal(code, rows[i].code);
    }
}

/* Known codes count what they are, whatever the seed; of the others some are refused, garbage or noise, as it says. */
static void models_answer_to_codes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        cm_pmu_model *model = NULL;
        size_t refused = 0, silent = 0, single = 0, several = 0, noisy = 0;
        assert_int_equal(cm_pmu_model_load(CM_TEST_SOURCE_DIR "/data/pmu/golden-cove", &model, NULL), CM_OK);
        assert_null(cm_pmu_model_codes(model));
        assert_int_equal(cm_pmu_model_answer_codes(model, "mine", seed, NULL), CM_OK);
        assert_string_equal(cm_pmu_model_name(model), "mine");
        const cm_model_codes *codes = cm_pmu_model_codes(model);
        for (uint64_t code = 0; code < 65536; code++) {
            cm_code_answer answer;
            size_t event = cm_model_codes_event(codes, code);
            if (!cm_model_codes_find(codes, code, &answer)) {
                refused++;
                continue;
            }
            if (event != SIZE_MAX) {
                assert_int_equal(answer.terms, 1);
                assert_int_equal(answer.events[0], event);
                assert_true(answer.weights[0] == 1.0 && !answer.noisy);
            }
            silent += answer.terms == 0;
            single += answer.terms == 1 && !answer.noisy;
            several += answer.terms > 1;
            noisy += answer.noisy;
        }
        assert_in_range(refused, seed == 0 ? 0 : 500, seed == 0 ? 0 : 800);
        assert_in_range(noisy, seed == 0 ? 0 : 800, seed == 0 ? 0 : 1200);
        assert_in_range(several, seed == 0 ? 0 : 500, seed == 0 ? 0 : 800);
        assert_in_range(single, seed == 0 ? 90 : 2500, seed == 0 ? 200 : 3500);
        assert_int_equal(refused + silent + single + several + noisy, 65536);
        cm_pmu_model_free(model);
    }
}

static void faults_of_coded_models(void **state)
{
    (void)state;
    static const struct {
        const char *events, *text; /* a part of the message */
    } rows[] = {
        {"event,description,expression\nLOADS,,loads\n", "no codes"},
        {"event,description,expression,code\nA,,loads,0x1:0x1\nB,,stores,0x1:0x1\n", "'A' and 'B' have the same code"},
        {"event,description,expression,code\nA,,loads,0x1:0x1\nB,,stores,0x2\n", "has 1 part, expected 2"},
        {"event,description,expression,code\nA,,loads,d0\n", "'d0' is no code"},
        {"event,description,expression\n0x1:0x1,,loads\nB,,stores\n", "'B' is a name, expected codes throughout"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char directory[] = "/tmp/catmint-raw-XXXXXX", command[160];
        cm_pmu_model *model = NULL;
        cm_error error = {0};
        assert_non_null(mkdtemp(directory));
        put_file(directory, "events.csv", rows[i].events);
        snprintf(command, sizeof command, "cp '%s/tests/data/pmu/tiny/machine.csv' %s", CM_TEST_SOURCE_DIR, directory);
        assert_int_equal(system(command), 0);
        cm_status status = cm_pmu_model_load(directory, &model, &error);
        if (status == CM_OK)
            status = cm_pmu_model_answer_codes(model, "mine", 0, &error);
        assert_int_equal(status, CM_BAD_INPUT);
        if (strstr(error.text, rows[i].text) == NULL)
            fail_msg("row %zu: %s", i, error.text);
        cm_pmu_model_free(model);
        snprintf(command, sizeof command, "rm -r %s", directory);
        assert_int_equal(system(command), 0);
    }
}

static void the_simplest_code_stands_for_a_class(void **state)
{
    (void)state;
    static const struct {
        uint64_t sum, code;
    } rows[] = {{7, 0xff03}, {8, 0x0104}, {7, 0x1000003}, {7, 0x0203}, {7, 0x0103}, {7, 0x0403}};
    cm_code_classes classes = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint64_t sums[2] = {rows[i].sum, rows[i].sum};
        const cm_raw_code code = {.words = {rows[i].code}};
        assert_int_equal(cm_code_classes_add(&classes, sums, &code, NULL), CM_OK);
    }
    assert_int_equal(classes.count, 2);
    assert_int_equal(classes.classes[0].count, 5);
    assert_int_equal(classes.classes[0].codes[0].words[0], 0x0103);
    for (uint64_t i = 0; i < 5000; i++) { /* more than there were slots */
        const uint64_t sums[2] = {i, i + 1};
        assert_int_equal(cm_code_classes_add(&classes, sums, &(cm_raw_code){.words = {i}}, NULL), CM_OK);
    }
    assert_int_equal(classes.count, 5002);
    cm_code_classes_clear(&classes);
}

static void names_of_codes_elsewhere(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good, packable, plain;
        uint64_t config;
    } rows[] = {
        {"cpu:event=0xc7,umask=0x10", true, true, true, 0x10c7},
        {"cpu:event=0x1c7,umask=0x00", true, true, true, 0x1000000c7},
        {"cpu:event=0xc0,umask=0x01,cmask=0x01,inv=0x1", true, true, false, 0x18001c0},
        {"cpu:event=0xcd,umask=0x01,ldlat=0x03", true, false, false, 0},
        {"armv8_pmuv3_0:event=0x8014", true, true, true, 0x8014},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", false, false, false, 0},
        {"cpu::CYCLES:umask=0x1", false, false, false, 0},
        {":event=0x1", false, false, false, 0},
        {"cpu:event=", false, false, false, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_event_code code;
        if (cm_event_code_parse(rows[i].text, &code) != rows[i].good)
            fail_msg("%s", rows[i].text);
        if (!rows[i].good)
            continue;
        assert_int_equal(code.packable, rows[i].packable);
        assert_int_equal(code.plain, rows[i].plain);
        if (code.packable)
            assert_int_equal(code.config, rows[i].config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_of_models),          cmocka_unit_test(models_answer_to_codes),
        cmocka_unit_test(faults_of_coded_models),   cmocka_unit_test(the_simplest_code_stands_for_a_class),
        cmocka_unit_test(names_of_codes_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
