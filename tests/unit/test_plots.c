/* What plots and pages are written with: text that is never markup, lengths, axes, marks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/plots/plots.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char *text;
static size_t size;
static FILE *stream;

static FILE *begin(void)
{
    stream = open_memstream(&text, &size);
    assert_non_null(stream);
    return stream;
}

/* Closes, and compares what was written. */
static void expect(const char *expected)
{
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, expected);
    free(text);
}

static void test_text_is_never_markup(void **state)
{
    (void)state;
    static const struct {
        const char *text, *put, *lines;
    } rows[] = {
        {"", "", ""},
        {"DP Ops.", "DP Ops.", "DP Ops."},
        {"</script><b>", "&lt;/script&gt;&lt;b&gt;", "&lt;/script&gt;&lt;b&gt;"},
        {"\" onload='x' & &amp;", "&quot; onload=&#39;x&#39; &amp; &amp;amp;",
         "&quot; onload=&#39;x&#39; &amp; &amp;amp;"},
        {"a\nb\tc\r\x07", "a\\nb\\tc\\r\\x07", "a\nb\tc\\r\\x07"},
        {"\xC3\xA4 \xE2\x80\xAE \xC2\x9B", "\xC3\xA4 \\u202e \\u009b", "\xC3\xA4 \\u202e \\u009b"},
        {"cut \xC3", "cut \\xc3", "cut \\xc3"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_markup_write(rows[i].text, begin());
        expect(rows[i].put);
        cm_markup_write_lines(rows[i].text, begin());
        expect(rows[i].lines);
    }
}

static void test_names_are_cut_at_whole_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t most;
        const char *put;
    } rows[] = {
        {"abcdef", 6, "abcdef"},
        {"abcdefg", 6, "abcde\xE2\x80\xA6"},
        {"\xC3\xA4\xC3\xB6\xC3\xBC", 2, "\xC3\xA4\xE2\x80\xA6"},
        {"<<<<", 4, "&lt;&lt;&lt;&lt;"},
        {"<<<<<", 4, "&lt;&lt;&lt;\xE2\x80\xA6"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_markup_write_short(rows[i].text, rows[i].most, begin());
        expect(rows[i].put);
        assert_true(cm_svg_name_length(rows[i].text, rows[i].most) <= rows[i].most);
    }
}

static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        double length;
        const char *put;
    } rows[] = {{0, "0"},       {12, "12"},          {-3.5, "-3.5"},
                {0.04, "0"},    {-0.04, "0"},        {0.06, "0.1"},
                {99.97, "100"}, {1e300, "10000000"}, {-INFINITY, "-10000000"},
                {NAN, "0"},     {-0.3, "-0.3"},      {1234.56, "1234.6"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_markup_write_length(rows[i].length, begin());
        expect(rows[i].put);
    }
}

static void test_marks_and_texts(void **state)
{
    (void)state;
    cm_svg_begin_mark("noisy", CM_SVG_CROSS, 10.25, -1, begin());
    expect("<path class=\"m noisy\" d=\"M10.3 -1m-3-3 6 6m0-6-6 6\"");
    cm_svg_begin_box("zero", 0, 1, 2, 3.5, begin());
    expect("<rect class=\"m zero\" x=\"0\" y=\"1\" width=\"2\" height=\"3.5\"");
    cm_svg_line("grid", 0, 0, 5, 5.5, begin());
    expect("<line class=\"grid\" x1=\"0\" y1=\"0\" x2=\"5\" y2=\"5.5\"/>\n");
    cm_svg_text("axis", 1, 2, CM_SVG_MIDDLE, "a<b", begin());
    expect("<text class=\"axis\" text-anchor=\"middle\" x=\"1\" y=\"2\">a&lt;b</text>\n");
    cm_svg_name(1, 2, CM_SVG_END, true, "<long name>", 6, begin());
    expect("<text class=\"name\" text-anchor=\"end\" transform=\"translate(1 2) rotate(-90)\">&lt;long\xE2\x80\xA6"
           "<title>&lt;long name&gt;</title></text>\n");
}

static void test_logarithmic_axes(void **state)
{
    (void)state;
    static const struct {
        double values[4];
        int low, high;
    } rows[] = {
        {{0, 0, NAN, INFINITY}, -2, 0},   {{1e-3, 5, 0, 0}, -3, 1},   {{0.01, 0.01, 0, 0}, -4, -2},
        {{1e-300, 1e300, 0, 0}, -18, 18}, {{-1, 0.5, 2, NAN}, -1, 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_log_range range = {0};
        for (size_t k = 0; k < 4; k++)
            cm_log_range_add(&range, rows[i].values[k]);
        cm_log_axis axis = cm_log_axis_of(&range);
        assert_int_equal(axis.high, rows[i].high);
        assert_in_range(axis.high - axis.low, 2, 40);
        assert_int_equal(axis.low, rows[i].low <= rows[i].high - 2 ? rows[i].low : rows[i].high - 2);
        axis.zero_at = -5;
        axis.to = 100;
        assert_true(cm_log_axis_place(&axis, 0.0) == -5 && cm_log_axis_place(&axis, NAN) == -5);
        assert_true(cm_log_axis_place(&axis, 1e-310) == 0.0 && cm_log_axis_place(&axis, 1e308) == 100.0);
        assert_true(fabs(cm_log_axis_place(&axis, pow(10.0, 0.5 * (axis.low + axis.high))) - 50.0) < 1e-9);
    }
}

static void test_linear_axes(void **state)
{
    (void)state;
    static const struct {
        double low, high, from, to, step;
    } rows[] = {
        {0, 0, 0, 1, 0.2}, {0, 96, 0, 100, 20}, {0, 770, 0, 800, 200}, {-0.5, 2.5, -1, 3, 1}, {0, 1, 0, 1, 0.2}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_linear_axis axis = cm_linear_axis_of(rows[i].low, rows[i].high);
        assert_true(axis.low <= rows[i].low && axis.high >= rows[i].high);
        assert_true(fabs(axis.step - rows[i].step) < 1e-12 && fabs(axis.low - rows[i].from) < 1e-12 &&
                    fabs(axis.high - rows[i].to) < 1e-12);
        axis.from = 200;
        assert_true(cm_linear_axis_place(&axis, axis.low) == 200.0 && cm_linear_axis_place(&axis, axis.high) == 0.0);
    }
    cm_linear_axis odd = cm_linear_axis_of(-1e308, 1e308);
    cm_linear_axis_draw(&odd, 0, 10, begin());
    assert_int_equal(fclose(stream), 0);
    free(text);
}

static void test_numbers_of_axes(void **state)
{
    (void)state;
    cm_log_axis axis = {.low = -2, .high = 0, .zero_at = 5, .from = 10, .to = 30};
    cm_log_axis_draw(&axis, 0, 0, 50, begin());
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "x=\"5\" y=\"66\">0</text>"));
    assert_non_null(strstr(text, "x=\"10\" y=\"66\">10<tspan class=\"power\" dy=\"-4\">-2</tspan></text>"));
    assert_non_null(strstr(text, "x=\"30\" y=\"66\">1</text>"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_never_markup),
        cmocka_unit_test(test_names_are_cut_at_whole_characters),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_marks_and_texts),
        cmocka_unit_test(test_logarithmic_axes),
        cmocka_unit_test(test_linear_axes),
        cmocka_unit_test(test_numbers_of_axes),
    };
    return cmocka_run_group_tests_name("plots", tests, NULL, NULL);
}
