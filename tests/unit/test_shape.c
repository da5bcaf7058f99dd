/* Which formulas are linear forms of events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/formulas.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static cm_formulas *load(const char *text)
{
    char path[] = "/tmp/catmint-shape-XXXXXX";
    cm_formulas *set = NULL;
    cm_error error = {0};
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
    cm_status status = cm_formulas_load(path, "csv", &set, &error);
    unlink(path);
    if (status != CM_OK)
        fail_msg("%zu:%zu: %s", error.line, error.column, error.text);
    return set;
}

static void linear_forms_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cm_formula_shape shape;
        double coefficients[3], constant; /* of a, b and c, of a linear one */
    } rows[] = {
        {"a", CM_FORMULA_LINEAR, {1, 0, 0}, 0},
        {"7", CM_FORMULA_LINEAR, {0, 0, 0}, 7},
        {"a + 2*c - 3", CM_FORMULA_LINEAR, {1, 0, 2}, -3},
        {"-(a - b*4)/8", CM_FORMULA_LINEAR, {-0.125, 0.5, 0}, 0},
        {"3*(a + 2*(b + 1)) - a", CM_FORMULA_LINEAR, {2, 6, 0}, 6},
        {"a*(2 - 2) + b", CM_FORMULA_LINEAR, {0, 1, 0}, 0},
        {"a - a", CM_FORMULA_LINEAR, {0, 0, 0}, 0},
        {"max(2, 3)*a + min(1, 0)", CM_FORMULA_LINEAR, {3, 0, 0}, 0},
        {"(a if 1 > 2 else b) + 1", CM_FORMULA_LINEAR, {0, 1, 0}, 1},
        {"a*b", CM_FORMULA_OTHER, {0}, 0},
        {"a/b", CM_FORMULA_RATIO, {0}, 0},
        {"1/a", CM_FORMULA_RATIO, {0}, 0},
        {"a/0", CM_FORMULA_OTHER, {0}, 0},
        {"1 + 1/0", CM_FORMULA_OTHER, {0}, 0},
        {"max(a, b)", CM_FORMULA_OTHER, {0}, 0},
        {"a < b", CM_FORMULA_OTHER, {0}, 0},
        {"a if b else c", CM_FORMULA_OTHER, {0}, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[256];
        cm_linear_form above, below;
        snprintf(text, sizeof text, "metric,formula,unit,source\nm,\"%s\",,\n", rows[i].text);
        cm_formulas *set = load(text);
        if (cm_formulas_count(set) != 1 || cm_formulas_shape(set, 0, &above, &below) != rows[i].shape)
            fail_msg("%s has another shape", rows[i].text);
        double found[3] = {0, 0, 0};
        for (size_t k = 0; rows[i].shape == CM_FORMULA_LINEAR && k < above.count; k++)
            found[cm_formulas_quantity_name(set, above.quantities[k])[0] - 'a'] = above.coefficients[k];
        for (size_t k = 0; rows[i].shape == CM_FORMULA_LINEAR && k < 3; k++)
            if (found[k] != rows[i].coefficients[k] || above.constant != rows[i].constant)
                fail_msg("%s: coefficient %zu is %g, constant %g", rows[i].text, k, found[k], above.constant);
        cm_formulas_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_forms_are_found)};
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
