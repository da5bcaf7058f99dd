/* Which repetitions a neighbour disturbed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/numerics.h"

enum { MOST = 12 };

static void what_is_far_from_the_majority_goes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t count;
        double counts[MOST];
        size_t kept;
    } rows[] = {
        {"all alike", 9, {1, 1, 1, 1, 1, 1, 1, 1, 1}, 9},
        {"two bursts", 9, {1, 1, 0.7, 1, 1, 1, 0.6, 1, 1}, 7},
        {"four of nine", 9, {1, 0.5, 0.6, 0.7, 0.8, 1, 1, 1, 1}, 5},
        {"more than half", 9, {1, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1}, 4},
        {"two thirds, and three alike", 9, {1, 0.5, 0.6, 0.7, 0.8, 0.9, 0.4, 1, 1}, 3},
        {"two crowds", 9, {1, 0.5, 0.5, 0.7, 0.5, 0.9, 1, 1, 1}, 9},
        {"two alike are no crowd", 9, {1, 0.5, 0.6, 0.7, 0.8, 0.9, 0.4, 0.3, 1}, 9},
        {"below a hundredth", 9, {1, 1.009, 1, 0.991, 1, 1, 1, 1, 1}, 9},
        {"noise", 9, {0.9, 1.1, 1.0, 0.95, 1.05, 1.12, 0.88, 1.02, 0.97}, 9},
        {"noise and a burst", 9, {0.99, 1.01, 1.0, 0.995, 1.005, 1.012, 0.988, 1.002, 0.3}, 8},
        {"too few", 8, {1, 1, 1, 1, 1, 1, 1, 0.2, 0, 0}, 8},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_majority kept = cm_majority_of(rows[r].counts, rows[r].count, 1, 1.0);
        size_t count = 0;
        for (size_t i = 0; i < rows[r].count; i++)
            count += cm_majority_has(kept, rows[r].counts[i]);
        if (count != rows[r].kept)
            fail_msg("%s: %zu are kept", rows[r].name, count);
    }
}

/* Two kernels, the first with a burst in two of nine runs. */
static void means_and_noise_leave_bursts_out_where_caches_are_measured(void **state)
{
    (void)state;
    const double vectors[] = {1, 2, 1, 2, 0.4, 2, 1, 2, 1, 2, 0.5, 2, 1, 2, 1, 2, 1, 2};
    double mean[2], error[2];
    assert_true(cm_spread(vectors, 9, 2, NULL, true, mean, error) == 0.0);
    assert_true(mean[0] == 1.0 && mean[1] == 2.0 && error[0] == 0.0 && error[1] == 0.0);
    assert_true(cm_noise_beyond(vectors, 9, 2, mean, NULL, true) == 0.0);
    assert_true(cm_noise_beyond(vectors, 9, 2, mean, NULL, false) > 0.2);
    assert_true(cm_spread(vectors, 9, 2, NULL, false, mean, error) > 0.1);
    assert_true(fabs(mean[0] - 7.9 / 9.0) < 1e-12 && error[0] > 0.05);
}

/* Three kernels, of which two are noisy: beside 63 hits each these say little of the first. */
static void noise_that_is_little_trusted_is_no_noise_of_other_kernels(void **state)
{
    (void)state;
    const double vectors[] = {1, 0.5, 0.5, 1, 1.5, 1.5}, trust[] = {1, pow(2, -12), pow(2, -12)};
    double mean[3], error[3];
    cm_spread(vectors, 2, 3, NULL, true, mean, error);
    assert_true(error[0] > 0.3);
    cm_spread(vectors, 2, 3, trust, true, mean, error);
    assert_true(error[0] < 0.02 && error[1] == 0.5 && error[2] == 0.5);
}

/* What is prefetched beside the last of three kernels swings. */
static void noise_of_one_kernel_is_its_own_where_caches_are_measured(void **state)
{
    (void)state;
    static const double vectors[] = {2.0, 2.9, 3.2, 2.0, 3.2, 3.7, 2.0, 3.2, 1.3, 2.0, 3.0, 3.7};
    double mean[3], error[3];
    cm_spread(vectors, 4, 3, NULL, true, mean, error);
    assert_true(error[0] < 0.05 && error[1] < 0.08 && error[2] > 0.5);
    cm_spread(vectors, 4, 3, NULL, false, mean, error);
    assert_true(error[0] > 0.2 && error[1] > 0.2 && error[2] > 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_far_from_the_majority_goes),
        cmocka_unit_test(noise_that_is_little_trusted_is_no_noise_of_other_kernels),
        cmocka_unit_test(noise_of_one_kernel_is_its_own_where_caches_are_measured),
        cmocka_unit_test(means_and_noise_leave_bursts_out_where_caches_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
