#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formulas/expression.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ptrdiff_t resolve(const char *name, void *data)
{
    (void)data;
    return name[0] >= 'a' && name[0] <= 'c' && name[1] == '\0' ? name[0] - 'a' : -1;
}

static const cm_expression_source source = {"model.csv", 7};

static void expressions_have_values(void **state)
{
    (void)state;
    static const double values[] = {2, 3, 5};
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"a", 2},
        {" a + b * c ", 17},
        {"(a + b) * c", 25},
        {"a - b - c", -6},
        {"c / 2 / 5", 0.5},
        {"-a + -(b - c)", 0},
        {"+a", 2},
        {"2*a+.5e1*b", 19},
        {"1.5e-1*a", 0.3},
        {"min(a, b) + max(b, max(a, c))", 7},
        {"--a", 2},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_expression *expression = NULL;
        cm_error error;
        if (cm_expression_parse(rows[i].text, &source, resolve, NULL, &expression, &error) != CM_OK)
            fail_msg("\"%s\": %s", rows[i].text, error.text);
        if (cm_expression_evaluate(expression, values) != rows[i].value)
            fail_msg("\"%s\" is %.17g", rows[i].text, cm_expression_evaluate(expression, values));
        cm_expression_free(expression);
    }
}

static void what_is_no_expression_is_refused_at_its_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t column;
        const char *what;
    } rows[] = {
        {"", 1, "the end, expected a number, a name or '('"},
        {"a +", 4, "the end"},
        {"a b", 3, "'b', expected an operator or the end"},
        {"a + d", 5, "unknown name \"d\""},
        {"(a", 3, "expected ')'"},
        {"a)", 2, "expected an operator or the end"},
        {"2 ** a", 4, "'*'"},
        {"sum(a, b)", 1, "unknown function \"sum\""},
        {"min(a)", 6, "expected ','"},
        {"1e999", 1, ""},
        {"1.2.3", 1, ""},
        {"a % b", 3, "'%'"},
        {"a \xc3\x97 b", 3, ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_expression *expression = NULL;
        cm_error error;
        assert_int_equal(cm_expression_parse(rows[i].text, &source, resolve, NULL, &expression, &error), CM_BAD_INPUT);
        if (error.column != rows[i].column || strstr(error.text, rows[i].what) == NULL)
            fail_msg("\"%s\": column %zu, %s", rows[i].text, error.column, error.text);
        assert_string_equal(error.file, "model.csv");
        assert_int_equal(error.line, 7);
    }
}

static void unsafe_divisors_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t column; /* 0: safe */
    } rows[] = {{"a / 2", 0},       {"a / (3 - 1)", 0}, {"a / b", 3},           {"a / 0", 3},
                {"a / (1 - 1)", 3}, {"a + b / -2", 0},  {"1 / (a - a + 1)", 3}, {"a / (1 / 0)", 8}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_expression *expression = NULL;
        size_t column = 0;
        assert_int_equal(cm_expression_parse(rows[i].text, &source, resolve, NULL, &expression, NULL), CM_OK);
        bool safe = cm_expression_divides_safely(expression, &column);
        if (safe != (rows[i].column == 0) || (!safe && column != rows[i].column))
            fail_msg("\"%s\": safe %d, column %zu", rows[i].text, safe, column);
        cm_expression_free(expression);
    }
}

static void nesting_has_a_limit(void **state)
{
    (void)state;
    size_t size = 10 << 20;
    char *text = malloc(size + 1);
    assert_non_null(text);
    static const char fillers[] = {'(', '-'};
    for (size_t i = 0; i < COUNT(fillers); i++) {
        memset(text, fillers[i], size);
        text[size] = '\0';
        cm_expression *expression = NULL;
        cm_error error;
        assert_int_equal(cm_expression_parse(text, &source, resolve, NULL, &expression, &error), CM_BAD_INPUT);
        assert_non_null(strstr(error.text, "nested"));
    }
    for (size_t i = 0; i < size; i++)
        text[i] = i % 2 == 0 ? 'a' : '+';
    text[size - 1] = '\0';
    cm_expression *expression = NULL;
    assert_int_equal(cm_expression_parse(text, &source, resolve, NULL, &expression, NULL), CM_BAD_INPUT);
    free(text);
    cm_expression_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_values),
        cmocka_unit_test(what_is_no_expression_is_refused_at_its_column),
        cmocka_unit_test(unsafe_divisors_are_found),
        cmocka_unit_test(nesting_has_a_limit),
    };
    return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
