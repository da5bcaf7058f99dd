#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/analysis.h>

enum { KERNELS = 48 };

/* One symbol that counts 100 on every kernel, one event that counts it too, but for `off` on the last kernel. */
static cm_fit *fit_with_one_kernel_off(double off, cm_thresholds *thresholds)
{
    cm_matrix *basis = NULL;
    cm_analysis *analysis = NULL;
    cm_fit *fit = NULL;
    double vectors[2 * KERNELS];
    assert_int_equal(cm_matrix_create(KERNELS, 1, &basis, NULL), CM_OK);
    for (size_t i = 0; i < KERNELS; i++) {
        basis->values[i] = 100.0;
        vectors[i] = vectors[KERNELS + i] = i + 1 == KERNELS ? 100.0 + off : 100.0;
    }
    assert_int_equal(cm_analysis_create(basis, thresholds, &analysis, NULL), CM_OK);
    assert_int_equal(cm_analysis_add_event(analysis, "E", vectors, 2, NULL), CM_OK);
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
    assert_int_equal(cm_analysis_selected_count(analysis), 1);
    assert_int_equal(cm_fit_create(analysis, (double[]){1.0}, &fit, NULL), CM_OK);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
    return fit;
}

static void a_kernel_on_which_the_definition_is_off_forbids_it(void **state)
{
    (void)state;
    static const struct {
        double off, alpha;
        bool composable;
    } rows[] = {
        {0, 5e-4, true},    {0.5, 5e-4, true}, /* 0.5 % of the largest value, within the tolerance of 1 % */
        {-0.5, 5e-4, true}, {5, 5e-3, false},  /* the misfit is 0.1 %, but one kernel is 5 % off */
        {-5, 5e-3, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_thresholds thresholds;
        cm_thresholds_default(&thresholds);
        thresholds.alpha = rows[i].alpha;
        cm_fit *fit = fit_with_one_kernel_off(rows[i].off, &thresholds);
        assert_true(fit->rounded_fitness.misfit <= thresholds.residual);
        if (fit->composable != rows[i].composable || fabs(fit->check.worst - fabs(rows[i].off) / 100) > 1e-12)
            fail_msg("row %zu: composable %d, worst %g", i, fit->composable, fit->check.worst);
        assert_int_equal(fit->check.kernel_count, KERNELS);
        assert_true(fit->check.expected[KERNELS - 1] == 100.0);
        assert_true(fabs(fit->check.rounded[KERNELS - 1] - 100.0 - rows[i].off) < 1e-9);
        assert_true(fabs(fit->check.raw[0] - 100.0 * fit->coefficients[0]) < 1e-9);
        cm_fit_free(fit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_kernel_on_which_the_definition_is_off_forbids_it)};
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
