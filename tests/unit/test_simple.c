/* Simple numbers of intervals, standard errors, and weighted least squares. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/numerics.h"

static void the_simplest_number_of_an_interval(void **state)
{
    (void)state;
    static const struct {
        double value, width, expected;
    } rows[] = {
        {1.004, 0.005, 1.0},    {1.004, 0.003, 1.004},      {-0.2503, 0.001, -0.25},    {10.0 / 9.0, 1e-6, 10.0 / 9.0},
        {0.001, 1e-5, 0.001},   {0.015625, 1e-9, 1.0 / 64}, {0.3333, 0.001, 1.0 / 3},   {0.0, 0.1, 0.0},
        {0.05, 0.1, 0.05},      {99990.3, 5.0, 99990.0},    {99998.3, 5.0, 1e5},        {1001.0, 30.0, 1000.0},
        {1020.0, 30.0, 1024.0}, {0.86, 0.01, 0.86},         {1.0 / 66, 1e-4, 1.0 / 66}, {0.6667, 0.0005, 2.0 / 3},
        {2.0, 0.0, 2.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double found = cm_simplest(rows[i].value, rows[i].width);
        if (!(fabs(found - rows[i].expected) <= 1e-12 * fabs(rows[i].expected)))
            fail_msg("row %zu: %.17g, expected %.17g", i, found, rows[i].expected);
    }
}

static void an_interval_with_several_is_left_alone(void **state)
{
    (void)state;
    assert_true(cm_snap_number(1.04, 0.001) == 1.04); /* 26/25 is not simple enough */
    assert_true(cm_snap_number(-0.5004, 0.001) == -0.5);
    assert_true(cm_snap_number(70.3, 2.0) == 70.3);    /* 69, 70, 71 or 72 */
    assert_true(cm_snap_number(1.163, 0.05) == 1.163); /* 7/6 is in it by chance */
}

static void errors_are_pooled_over_kernels(void **state)
{
    (void)state;
    static const double vectors[] = {99.0, 100.0, 1.0, 101.0, 100.0, 1.0}; /* 2 repetitions, 3 kernels */
    double mean[3], error[3];
    double pooled = cm_spread(vectors, 2, 3, NULL, false, mean, error);
    assert_float_equal(mean[0], 100.0, 1e-12);
    assert_float_equal(pooled, 0.01, 1e-9);            /* of two kernels, one of them without noise */
    assert_float_equal(error[1], 1.0 / sqrt(2), 1e-6); /* by the other kernel's noise */
    assert_float_equal(cm_noise_beyond(vectors, 2, 3, mean, (double[]){1.0, 1.0, 1.0}, false), 0.0, 1e-12);
    assert_true(cm_noise_beyond(vectors, 2, 3, mean, NULL, false) > 0.01);
}

static void weights_decide(void **state)
{
    (void)state;
    double values[] = {1.0, 1.0, 1.0}, weights[] = {1e4, 1e4, 1.0}, factor[1], solution[1], step[1], rest[3];
    const cm_matrix matrix = {3, 1, values};
    cm_sparse_rows rows;
    assert_true(cm_sparse_rows_make(&matrix, &rows));
    assert_true(cm_weighted_factorise(&rows, weights, factor));
    cm_weighted_solve(&rows, weights, factor, (double[]){2.0, 2.0, 9.0}, solution, step, rest);
    assert_float_equal(solution[0], 2.0, 1e-6);
    cm_sparse_rows_clear(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_simplest_number_of_an_interval),
        cmocka_unit_test(an_interval_with_several_is_left_alone),
        cmocka_unit_test(errors_are_pooled_over_kernels),
        cmocka_unit_test(weights_decide),
    };
    return cmocka_run_group_tests_name("simple", tests, NULL, NULL);
}
