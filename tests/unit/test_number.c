#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base.h"

static void numbers_are_finite_decimals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;        /* NaN: refused */
        const char *message; /* then with this */
    } rows[] = {
        {"0", 0.0, NULL},
        {"24000000", 24e6, NULL},
        {"+7", 7.0, NULL},
        {"-1.5", -1.5, NULL},
        {".5", 0.5, NULL},
        {"5.", 5.0, NULL},
        {"1e-10", 1e-10, NULL},
        {"5E-4", 5e-4, NULL},
        {"0.1", 0.1, NULL},
        {"0.30000000000000004", 0.1 + 0.2, NULL},
        {"9007199254740993", 9007199254740992.0, NULL},
        {"9007199254740993.0000000000000000001", 9007199254740994.0, NULL},
        {"123456789012345678901234567890", 123456789012345678901234567890.0, NULL},
        {"1.7976931348623157e308", 1.7976931348623157e308, NULL},
        {"4.9e-324", 4.9e-324, NULL},
        {"0e999999999999999999999", 0.0, NULL},
        {"1e309", NAN, "beyond the range"},
        {"1e-400", NAN, "beyond the range"},
        {"1e999999999999999999999", NAN, "beyond the range"},
        {"", NAN, "empty"},
        {"-", NAN, "not a decimal number"},
        {".", NAN, "not a decimal number"},
        {"1e", NAN, "not a decimal number"},
        {"1e+", NAN, "not a decimal number"},
        {" 1", NAN, "not a decimal number"},
        {"1 ", NAN, "not a decimal number"},
        {"1,5", NAN, "not a decimal number"},
        {"1.5.2", NAN, "not a decimal number"},
        {"0x10", NAN, "not a decimal number"},
        {"12abc", NAN, "not a decimal number"},
        {"text", NAN, "not a decimal number"},
        {"nan", NAN, "not finite"},
        {"-NaN", NAN, "not finite"},
        {"inf", NAN, "not finite"},
        {"-Infinity", NAN, "not finite"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = -42.0;
        cm_error error = {.text = ""};
        cm_status status = cm_number_parse(rows[i].text, &value, &error);
        bool right = rows[i].message == NULL
                         ? status == CM_OK && value == rows[i].value
                         : status == CM_BAD_INPUT && value == -42.0 && strstr(error.text, rows[i].message) != NULL;
        if (!right)
            fail_msg("'%s': status %d, %.17g, %s", rows[i].text, (int)status, value, error.text);
    }
}

static void sizes_are_digits(void **state)
{
    (void)state;
    size_t value = 0;
    assert_int_equal(cm_number_parse_size("18446744073709551615", &value, NULL), CM_OK);
    assert_true(value == SIZE_MAX);
    static const char *const bad[] = {"", "-1", "+1", "1.0", "1e3", "18446744073709551616", "x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (cm_number_parse_size(bad[i], &value, NULL) != CM_BAD_INPUT)
            fail_msg("'%s' was taken for %zu", bad[i], value);
}

static void numbers_read_back_as_written(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.0, "0"},      {24e6, "24000000"}, {1e16, "10000000000000000"},       {0.1, "0.1"}, {-2.5, "-2.5"},
                {1e17, "1e+17"}, {1e-300, "1e-300"}, {1.0 / 3.0, "0.3333333333333333"}, {-0.0, "-0"}};
    char text[CM_NUMBER_TEXT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(cm_number_write(rows[i].value, text), strlen(rows[i].text));
        assert_string_equal(text, rows[i].text);
    }
    uint64_t bits = 1;
    for (int i = 0; i < 200000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double value, back = 0.0;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        cm_number_write(value, text);
        if (cm_number_parse(text, &back, NULL) != CM_OK || memcmp(&back, &value, sizeof back) != 0)
            fail_msg("%s is not %.17g", text, value);
    }
}

static void numbers_end_where_something_else_begins(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        double value;
    } rows[] = {
        {"64, PPB=512", 2, 64}, {"512.000000,", 10, 512},
        {".5x", 2, 0.5},        {"1e3 L2:", 3, 1000},
        {"1e+", 1, 1},          {"2E-1.5", 4, 0.2},
        {"0x10", 1, 0},         {"", 0, -1},
        {"nan", 0, -1},         {"inf", 0, -1},
        {"-1", 0, -1},          {".", 0, -1},
        {"1e999", 0, -1},       {" 1", 0, -1},
        {"1,5", 1, 1},          {"00000000000000000000000000000000000000000000000000000000000000001", 0, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = -1.0;
        if (cm_number_prefix(rows[i].text, &value) != rows[i].length || value != rows[i].value)
            fail_msg("row %zu: '%s' gives %g", i, rows[i].text, value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_finite_decimals),
        cmocka_unit_test(sizes_are_digits),
        cmocka_unit_test(numbers_read_back_as_written),
        cmocka_unit_test(numbers_end_where_something_else_begins),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
