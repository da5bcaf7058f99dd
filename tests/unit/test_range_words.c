/* Ranges of definitions and leaks in words, and how many of a list a line holds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/result.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const cm_defined_range ranges[] = {{"l1d_load_miss", "loads", 0.002},
                                          {"l1d_load_miss", "l1d_load_hit", 0.0552},
                                          {"l1d_load_miss", "min(split_stores, l2_load_hit)", 0.00001},
                                          {"l1d_load_miss", "store_bytes", 2.5},
                                          {"l1d_load_miss", "fp_d_v512_fma", 1.0},
                                          {"l1d_load_miss", "loads - 2*stores", 0.5}};

static const struct {
    const char *name;
    size_t first, count;
    double programs;
    size_t width;
    bool cut;
    const char *text;
} lists[] = {
    {"one", 0, 1, NAN, 80, false, "within 10 % where it is above 2 of 1000 loads"},
    {"one beyond the width", 1, 1, NAN, 10, false, "within 10 % where it is above 55.2 of 1000 loads that hit L1"},
    {"with programs", 0, 1, 0.314, 80, false,
     "within 10 % where it is above 2 of 1000 loads (31 % of natural programs)"},
    {"two that fit", 0, 2, NAN, 78, false,
     "within 10 % where it is above 2 of 1000 loads, 55.2 of 1000 loads that hit L1"},
    {"two that do not", 0, 2, NAN, 76, true, "within 10 % where it is above 2 of 1000 loads and 1 more"},
    {"room for the number of others", 0, 3, NAN, 80, true, "within 10 % where it is above 2 of 1000 loads and 2 more"},
    {"and for the programs", 0, 2, 1.0, 90, true,
     "within 10 % where it is above 2 of 1000 loads and 1 more (100 % of natural programs)"},
    {"all", 0, 6, NAN, SIZE_MAX, false,
     "within 10 % where it is above 2 of 1000 loads, 55.2 of 1000 loads that hit L1, 10 of 1000000 stores that cross a "
     "cache line beside loads that hit L2, 2.5 x bytes stored, 1 x fp_d_v512_fma, 500 of 1000 loads - 2*stores"},
};

static void ranges_are_short_in_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(lists); i++) {
        bool cut = false;
        char *text = cm_ranges_text(ranges + lists[i].first, lists[i].count, lists[i].programs, lists[i].width, &cut);
        if (text == NULL || strcmp(text, lists[i].text) != 0 || cut != lists[i].cut)
            fail_msg("%s: %s", lists[i].name, text != NULL ? text : "no memory");
        free(text);
    }
    assert_null(cm_ranges_text(ranges, 0, NAN, 80, NULL));
}

static void leaks_are_a_list(void **state)
{
    (void)state;
    const cm_defined_leak leaks[] = {{"l1d_load_hit", 0.00465, true}, {"min(loads, stores)", 0.0001, false}};
    char *all = cm_leaks_text(leaks, 2, SIZE_MAX, NULL), *some = cm_leaks_text(leaks, 2, 60, NULL);
    assert_string_equal(all, "at most 0.00465 for each l1d_load_hit, 0.0001 for each min(loads, stores)");
    assert_string_equal(some, "at most 0.00465 for each l1d_load_hit and 1 more");
    free(all);
    free(some);
}

static void a_place_has_the_unit_of_the_range(void **state)
{
    (void)state;
    char text[CM_RANGE_TEXT];
    assert_string_equal(cm_place_text("L1 Misses", &ranges[0], 0.0004, text),
                        "L1 Misses are 0.4 of 1000 loads here; the definition holds above 2");
    assert_string_equal(cm_place_text("L1 Misses", &ranges[3], 0.5, text),
                        "L1 Misses are 0.5 x bytes stored here; the definition holds above 2.5 x");
}

static void a_text_is_cut_at_a_character(void **state)
{
    (void)state;
    char name[122] = "x", text[CM_RANGE_TEXT], expected[CM_RANGE_TEXT];
    for (size_t i = 0; i < 60; i++)
        memcpy(name + 1 + 2 * i, "\xc3\xa9", 3);
    snprintf(expected, sizeof expected, "%.99s are 0.4 of 1000 loads here; the definition holds above 2", name);
    assert_string_equal(cm_place_text(name, &ranges[0], 0.0004, text), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_are_short_in_words), cmocka_unit_test(leaks_are_a_list),
                                       cmocka_unit_test(a_place_has_the_unit_of_the_range),
                                       cmocka_unit_test(a_text_is_cut_at_a_character)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
