#include "analysis_tools.h"

#include "analysis/numerics.h"

static void rnmse_is_equation_4(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t repetitions;
        double vectors[4 * 3]; /* three kernels */
        double expected;
    } rows[] = {
        {"all equal", 3, {1, 2, 3, 1, 2, 3, 1, 2, 3}, 0.0},
        {"all zero", 2, {0, 0, 0, 0, 0, 0}, 0.0},
        /* ||(0,0,1)|| / sqrt(3 * 2 * 7/3) */
        {"one element differs", 2, {1, 2, 3, 1, 2, 4}, 0.2672612419124244},
        {"the order of repetitions is nothing", 2, {1, 2, 4, 1, 2, 3}, 0.2672612419124244},
        {"the order of kernels is nothing", 2, {4, 1, 2, 3, 1, 2}, 0.2672612419124244},
        {"scale is nothing", 2, {1e9, 2e9, 3e9, 1e9, 2e9, 4e9}, 0.2672612419124244},
        {"the largest pair counts", 3, {1, 2, 3, 1, 2, 4, 1, 2, 3}, 0.2672612419124244},
        {"and it may be the last", 4, {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 4}, 0.2672612419124244},
        {"exactly one mean is zero", 2, {0, 0, 0, 5, 0, 0}, 1.0},
        {"however large the other", 2, {1e90, 1e90, 0, 0, 0, 0}, 1.0},
        {"a zero pair beside it", 3, {0, 0, 0, 0, 0, 0, 0, 0, 7}, 1.0},
        {"more than 1 is possible", 2, {9, 0, 0, 0, 0, 9}, 2.449489742783178}, /* 9 sqrt 2 / sqrt 27 */
        {"no overflow", 2, {1e100, 0, 0, 0, 0, 1e100}, 2.449489742783178},
        {"no underflow", 2, {1e-100, 0, 0, 0, 0, 1e-100}, 2.449489742783178},
        {"one repetition", 1, {1, 2, 3}, NAN},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_close(cm_max_rnmse(rows[i].vectors, rows[i].repetitions, 3), rows[i].expected, 1e-15, rows[i].name);
}

static void mean_of_equal_values_is_the_value(void **state)
{
    (void)state;
    static const double values[] = {0.1, 0.3, 1.0 / 3.0, 2.675, 1e-17, 123456789.123456789, 0.7, 0.0};
    for (size_t repetitions = 1; repetitions <= 50; repetitions++) {
        for (size_t v = 0; v < COUNT(values); v++) {
            double vectors[2 * 50], mean[2];
            for (size_t r = 0; r < repetitions; r++) {
                vectors[2 * r] = values[v];
                vectors[2 * r + 1] = 1.0;
            }
            cm_mean_vector(vectors, repetitions, 2, mean);
            assert_true(mean[0] == values[v]); /* bit by bit */
            assert_true(mean[1] == 1.0);
        }
    }
}

static void mean_is_compensated(void **state)
{
    (void)state;
    double mean[1];
    cm_mean_vector((double[]){1.0, 2.0, 4.5}, 3, 1, mean);
    assert_true(mean[0] == 2.5);
    cm_mean_vector((double[]){0.0, 0.0, 0.0, 0.0, 1.0}, 5, 1, mean);
    assert_true(mean[0] == 0.2);
    /* a plain sum loses both ones: 1e16 / 4 */
    cm_mean_vector((double[]){1.0, 1e16, 1.0, 2.0}, 4, 1, mean);
    assert_true(mean[0] == 2500000000000001.0);
}

static void quantum_rounds_to_the_nearest_multiple(void **state)
{
    (void)state;
    static const struct {
        double count, quantum, expected, distance;
    } rows[] = {
        {2.5, 0.25, 2.5, 0.0},    {2.51, 0.25, 2.5, 0.01}, {2.62, 0.25, 2.5, 0.12},
        {2.63, 0.25, 2.75, 0.12}, {0.1, 0.25, 0.0, 0.1},   {0.125, 0.25, 0.25, 0.125},
        {0.0, 0.25, 0.0, 0.0},    {7.4, 1.0, 7.0, 0.4},    {1e90, 0.25, 1e90, 0.0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char row[16];
        snprintf(row, sizeof row, "row %zu", i);
        double rounded = NAN;
        expect_close(cm_round_to_quantum(&rows[i].count, 1, rows[i].quantum, &rounded), rows[i].distance, 1e-14, row);
        assert_true(rounded == rows[i].expected);
    }
    double counts[] = {1.01, 2.0, 3.2};
    expect_close(cm_round_to_quantum(counts, 3, 0.25, counts), 0.05, 1e-14, "the largest, in place");
    assert_true(counts[0] == 1.0 && counts[1] == 2.0 && counts[2] == 3.25);
}

static void median_is_the_middle(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        double values[6];
        double expected;
    } rows[] = {
        {1, {7}, 7},
        {2, {1, 4}, 2.5},
        {3, {9, 1, 4}, 4},
        {4, {4, 1, 100, 3}, 3.5},
        {5, {5, 5, 1, 1, 5}, 5},
        {6, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 0.1}, /* bit by bit */
        {0, {0}, NAN},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double values[6];
        memcpy(values, rows[i].values, sizeof values);
        double median = cm_median(values, rows[i].count);
        assert_true(median == rows[i].expected || (isnan(median) && isnan(rows[i].expected)));
    }
    assert_true(isnan(cm_median(NULL, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rnmse_is_equation_4),  cmocka_unit_test(mean_of_equal_values_is_the_value),
        cmocka_unit_test(mean_is_compensated),  cmocka_unit_test(quantum_rounds_to_the_nearest_multiple),
        cmocka_unit_test(median_is_the_middle),
    };
    return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
