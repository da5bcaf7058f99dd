/* Coefficients of exported definitions as sums, and the formats there are. The formats are proved in
 * tests/cli/export*.py. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <catmint/export_definitions.h>

#include "formats/format.h"

static void test_sums(void **state)
{
    (void)state;
    const struct {
        double coefficients[3];
        size_t order[3];
        bool blanks;
        const char *text;
    } rows[] = {
        {{1, 2, -1}, {0, 1, 2}, true, "A + 2 * B - C"},
        {{-1, 1, 0.25}, {1, 2, 0}, false, "B+0.25*C-A"},
        {{-2.0 / 3.0, -1, -7}, {0, 1, 2}, true, "(0 - 2 * A - 3 * B - 21 * C) / 3"},
        {{2.0 / 3.0, 1.0 / 6.0, -1.5}, {0, 1, 2}, false, "(4*A+B-9*C)/6"},
        {{2.0 / 3.0, 1.0 / 997, 1}, {0, 1, 2}, false, "0.6666666666666666*A+0.0010030090270812437*B+C"},
        {{-1, -0.5, -1}, {0, 1, 2}, false, "0-A-0.5*B-C"},
        {{1e-7, 1e22, 0.49831273}, {0, 1, 2}, true, "0.0000001 * A + 10000000000000000000000 * B + 0.49831273 * C"},
        {{7.25e-12, 123456.5, 1.25e21}, {0, 1, 2}, false, "0.00000000000725*A+123456.5*B+1250000000000000000000*C"},
    };
    char *const names[] = {"A", "B", "C"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_writing_term terms[3];
        for (size_t k = 0; k < 3; k++)
            terms[k] = (cm_writing_term){names[k], rows[i].coefficients[k]};
        size_t order[3] = {rows[i].order[0], rows[i].order[1], rows[i].order[2]};
        const cm_writing_item item = {.term_count = 3, .terms = terms, .order = order};
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        assert_non_null(stream);
        cm_writing_sum(&item, names, rows[i].blanks, stream);
        assert_int_equal(fclose(stream), 0);
        assert_string_equal(text, rows[i].text);
        free(text);
    }
}

static void test_formats(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool directory, takes_cpus, takes_counters;
    } rows[] = {
        {"papi", false, true, false},         {"papi-user", false, true, false},
        {"likwid", true, false, true},        {"perf", false, false, false},
        {"rocprofv3", false, true, false},    {"rocprof-compute", false, false, false},
        {"ncu-section", false, false, false}, {"csv", false, false, false},
    };
    cm_export_format format = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!cm_export_format_find(rows[i].name, &format) || format.directory != rows[i].directory ||
            format.takes_cpus != rows[i].takes_cpus || format.takes_counters != rows[i].takes_counters)
            fail_msg("%s", rows[i].name);
        assert_true(cm_export_format_get(i, &format));
        assert_string_equal(format.name, rows[i].name);
    }
    static const char *const none[] = {"", "PAPI", "perfmon", "papi ", NULL};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        cm_error error = {0};
        assert_false(cm_export_format_find(none[i], &format));
        const cm_export_options options = {.size = sizeof options, .format = none[i]};
        assert_int_equal(cm_export_write(NULL, &options, stdout, NULL, &error), CM_BAD_ARGUMENT);
        assert_int_equal(cm_export_save(NULL, &options, "x", NULL, &error), CM_BAD_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_formats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
