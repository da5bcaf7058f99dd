#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formulas/formulas.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ptrdiff_t resolve(const char *name, void *data)
{
    (void)data;
    if (strcmp(name, "cpu/event=0xc2,umask=0x3/") == 0)
        return 0;
    return name[0] >= 'a' && name[0] <= 'c' && name[1] == '\0' ? name[0] - 'a' : -1;
}

static const cm_expression_source source = {.file = "model.csv", .line = 7};

static cm_expression *parse(const char *text)
{
    cm_expression *expression = NULL;
    cm_error error;
    if (cm_expression_parse(text, &source, resolve, NULL, &expression, &error) != CM_OK)
        fail_msg("\"%s\": column %zu: %s", text, error.column, error.text);
    return expression;
}

static void expressions_have_values(void **state)
{
    (void)state;
    static const double values[] = {2, 3, 5};
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"a", 2},
        {"'a' - 'b'", -1},
        {" a + b * c ", 17},
        {"(a + b) * c", 25},
        {"a - b - c", -6},
        {"a - (b - c)", 4},
        {"c / 2 / 5", 0.5},
        {"c / 2 * 5", 12.5},
        {"-a + -(b - c)", 0},
        {"-a * b", -6},
        {"a - -b", 5},
        {"--a", 2},
        {"2*a+.5e1*b", 19},
        {"1.5e-1*a", 0.3},
        {"5.*a", 10},
        {"min(a, b) + max(b, max(a, c))", 7},
        {"min(c)", 5},
        {"max(a, c, b)", 5},
        {"min(c, a - b, b)", -1},
        {"a < b", 1},
        {"a > b", 0},
        {"a <= 2", 1},
        {"a >= b", 0},
        {"a == 2", 1},
        {"a != 2", 0},
        {"1 + a < b * 2", 1},
        {"a if b else c", 2},
        {"a if 0 else c", 5},
        {"a if b < 1 else b if b == 4 else c", 5},
        {"a + b if 1 else c", 5},
        {"(a if 0 else b) + c", 8},
        {"c / (a - 2) if a - 2 else 0", 0}, /* the division is not taken */
        {"a\n+\tb\r\n", 5},
        {"cpu/event=0xc2,umask=0x3/", 2}, /* an event by its number, as perf spells it, and no division */
        {"b*cpu/event=0xc2,umask=0x3//b", 2},
        {"a/b==c", 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_expression *expression = parse(rows[i].text);
        double value = -1000.0;
        assert_int_equal(cm_expression_try(expression, values, &value, NULL), CM_OK);
        if (value != rows[i].value || cm_expression_evaluate(expression, values) != value)
            fail_msg("\"%s\" is %.17g", rows[i].text, value);
        cm_expression_free(expression);
    }
}

static void divisions_by_zero_have_no_value(void **state)
{
    (void)state;
    static const double values[] = {0, 3, 5};
    static const struct {
        const char *text;
        size_t column;
    } rows[] = {
        {"b / a", 3},           {"1 + 0 * (b / a)", 12}, {"max(b, b / a)", 10}, {"b / a if b else c", 3},
        {"b if c/a else c", 7}, {"-(b/a)", 4},           {"(b/a) < c", 3},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_expression *expression = parse(rows[i].text);
        double value = -1000.0;
        cm_error error;
        assert_int_equal(cm_expression_try(expression, values, &value, &error), CM_BAD_INPUT);
        if (error.line != 7 || error.column != rows[i].column || strcmp(error.file, "model.csv") != 0)
            fail_msg("\"%s\": %s:%zu:%zu", rows[i].text, error.file, error.line, error.column);
        assert_true(value == -1000.0);
        cm_expression_free(expression);
    }
}

static void what_is_no_expression_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t line, column;
        const char *what;
    } rows[] = {
        {"", 7, 1, "the expression ends here, expected a number, a name, '-' or '('"},
        {" ", 7, 2, "the expression ends here"},
        {"a +", 7, 4, "the expression ends here"},
        {"'a", 7, 1, "unexpected ''', expected a number"},
        {"1 + ''", 7, 5, "unexpected ''', expected a number"},
        {"'a b'", 7, 1, "unknown name 'a b'"},
        {"'a' 'b'", 7, 5, "unexpected 'b', expected an operator or the end"},
        {"a b", 7, 3, "unexpected 'b', expected an operator or the end"},
        {"2a", 7, 2, "unexpected 'a', expected an operator"},
        {"0x10", 7, 2, "unexpected 'x10'"},
        {"1e", 7, 2, "unexpected 'e'"},
        {"a + d", 7, 5, "unknown name 'd'"},
        {"nan", 7, 1, "unknown name 'nan'"},
        {"inf", 7, 1, "unknown name 'inf'"},
        {"(a", 7, 1, "unclosed '('"},
        {"b * (a + (b)", 7, 5, "unclosed '('"},
        {"(a b)", 7, 4, "unexpected 'b', expected an operator or ')'"},
        {"a)", 7, 2, "unexpected ')', expected an operator or the end"},
        {"()", 7, 2, "unexpected ')', expected a number, a name"},
        {"2 ** a", 7, 4, "unexpected '*'"},
        {"+a", 7, 1, "unexpected '+'"},
        {"sum(a, b)", 7, 1, "unknown name 'sum'"},
        {"a(b)", 7, 2, "unexpected '(': 'a' is no function, or a ')' is missing"},
        {"min a", 7, 1, "unknown name 'min'"},
        {"min(a,)", 7, 7, "unexpected ')'"},
        {"min(a, b", 7, 4, "unclosed '('"},
        {"a, b", 7, 2, "unexpected ','"},
        {"1e999", 7, 1, "beyond the range"},
        {"1.2.3", 7, 4, "unexpected '.3'"},
        {"a % b", 7, 3, "unexpected '%'"},
        {"a = b", 7, 3, "unexpected '='"},
        {"a < b < c", 7, 7, "comparisons cannot be chained"},
        {"a if b", 7, 7, "the expression ends here, expected an operator or 'else'"},
        {"if a else b", 7, 1, "unexpected 'if'"},
        {"a else b", 7, 3, "unexpected 'else'"},
        {"a \xc3\x97 b", 7, 3, "unexpected '\xc3\x97'"},
        {"a +\xc3\xa4", 7, 4, "unexpected '\xc3\xa4'"},
        {"a +\n b + d", 8, 6, "unknown name 'd'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_expression *expression = NULL;
        cm_error error;
        assert_int_equal(cm_expression_parse(rows[i].text, &source, resolve, NULL, &expression, &error), CM_BAD_INPUT);
        if (error.line != rows[i].line || error.column != rows[i].column || strstr(error.text, rows[i].what) == NULL)
            fail_msg("\"%s\": %zu:%zu: %s", rows[i].text, error.line, error.column, error.text);
        assert_string_equal(error.file, "model.csv");
        assert_null(expression);
    }
}

static void places_and_names_are_the_sources(void **state)
{
    (void)state;
    const cm_expression_source elsewhere = {.line = 3, .column = 10, .name_characters = ":.", .names_are = "event"};
    cm_expression *expression = NULL;
    cm_error error;
    assert_int_equal(cm_expression_parse("A:B + C.D", &elsewhere, resolve, NULL, &expression, &error), CM_BAD_INPUT);
    assert_string_equal(error.text, "unknown event 'A:B'");
    assert_int_equal(error.column, 10);
    assert_string_equal(error.file, "");
    assert_int_equal(cm_expression_parse("A:B + 2*C.D - A:B", &elsewhere, NULL, NULL, &expression, &error), CM_OK);
    assert_int_equal(cm_expression_name_count(expression), 2);
    assert_int_equal(cm_expression_name_index(expression, 1), 1);
    assert_null(cm_expression_file(expression));
    size_t count = cm_expression_node_count(expression);
    assert_int_equal(count, 7);
    assert_int_equal(cm_expression_get_node(expression, count - 1)->kind, CM_EXPRESSION_SUBTRACT);
    assert_int_equal(cm_expression_get_node(expression, count - 1)->location.column, 22);
    cm_expression_free(expression);
    expression = parse("c + a + c");
    assert_int_equal(cm_expression_name_count(expression), 2);
    assert_int_equal(cm_expression_name_index(expression, 0), 2); /* what the resolver said */
    cm_expression_free(expression);
}

static void unsafe_divisors_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t column; /* 0: safe */
    } rows[] = {
        {"a / 2", 0},
        {"a / (3 - 1)", 0},
        {"a / b", 3},
        {"a / 0", 3},
        {"a / (1 - 1)", 3},
        {"a + b / -2", 0},
        {"1 / (a - a + 1)", 3},
        {"a / (1 / 0)", 8},
        {"a / min(1, 0)", 3},
        {"a / (2 > 1)", 0},
        {"a / (1 > 2)", 3},
        {"a / (0 if 0 else 4)", 0},
        {"a / (4 if b else 4)", 3},
        {"a/b if b else 0", 2},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_expression *expression = parse(rows[i].text);
        cm_error error = {0};
        cm_status status = cm_expression_check_divisors(expression, &error);
        if (status != (rows[i].column == 0 ? CM_OK : CM_BAD_INPUT) || error.column != rows[i].column)
            fail_msg("\"%s\": %d, column %zu", rows[i].text, status, error.column);
        cm_expression_free(expression);
    }
}

/* `head` so often, then `tail` and as much of what closes it. */
static char *repeat(const char *head, size_t times, const char *tail, const char *closing)
{
    size_t length = strlen(head), close = strlen(closing);
    char *text = malloc(times * (length + close) + strlen(tail) + 1);
    assert_non_null(text);
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, head, length);
    strcpy(text + times * length, tail);
    size_t size = times * length + strlen(tail);
    for (size_t i = 0; i < times; i++)
        memcpy(text + size + i * close, closing, close);
    text[size + times * close] = '\0';
    return text;
}

static void size_and_depth_are_limited(void **state)
{
    (void)state;
    enum { HUGE = 5 << 20, MOST = CM_EXPRESSION_BYTES / sizeof(cm_expression_node) };
    static const struct {
        const char *head, *tail, *closing;
        size_t times;
        const char *what; /* NULL: accepted */
    } rows[] = {
        {"(", "a", ")", CM_EXPRESSION_DEPTH, NULL},
        {"(", "a", ")", CM_EXPRESSION_DEPTH + 1, "nested more than"},
        {"(", "a", ")", HUGE, "nested more than"},
        {"(", "", "", HUGE, "nested more than"},
        {"-", "a", "", CM_EXPRESSION_DEPTH, NULL},
        {"-", "a", "", HUGE, "nested more than"},
        {"max(", "a", ",b)", CM_EXPRESSION_DEPTH, NULL},
        {"max(", "a", ",b)", HUGE / 4, "nested more than"},
        {"a if b else ", "c", "", CM_EXPRESSION_DEPTH, NULL},
        {"a if b else ", "c", "", HUGE / 8, "nested more than"},
        {"a+", "b", "", MOST / 2 - 1, NULL},
        {"a+", "b", "", MOST / 2, "more than 4 MiB"},
        {"a+", "b", "", HUGE, "more than 4 MiB"},
        {"1", "", "", HUGE, "the number has more than"},
        {"x", "", "", HUGE, "unknown name 'xxxx"},
        {"!", "", "", HUGE, "unexpected '!'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text = repeat(rows[i].head, rows[i].times, rows[i].tail, rows[i].closing);
        cm_expression *expression = NULL;
        cm_error error = {0};
        cm_status status = cm_expression_parse(text, &source, resolve, NULL, &expression, &error);
        if (status != (rows[i].what == NULL ? CM_OK : CM_BAD_INPUT) ||
            (rows[i].what != NULL && strstr(error.text, rows[i].what) == NULL))
            fail_msg("row %zu: %s", i, error.text);
        if (status == CM_OK) {
            static const double values[] = {1, 1, 1};
            assert_true(cm_expression_evaluate(expression, values) != 0.0);
        }
        cm_expression_free(expression);
        free(text);
    }
    cm_expression_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_values),
        cmocka_unit_test(divisions_by_zero_have_no_value),
        cmocka_unit_test(what_is_no_expression_is_refused_at_its_place),
        cmocka_unit_test(places_and_names_are_the_sources),
        cmocka_unit_test(unsafe_divisors_are_found),
        cmocka_unit_test(size_and_depth_are_limited),
    };
    return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
