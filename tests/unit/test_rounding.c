#include "analysis_tools.h"

#include "analysis/numerics.h"

static void coefficients_become_simple(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double alpha, coefficient, expected;
    } rows[] = {
        {"zero", 5e-4, 0.0, 0.0},
        {"rounding error", 5e-4, -2.22e-16, 0.0},
        {"just below alpha", 5e-4, 4.9e-4, 0.0},
        {"alpha itself stays", 5e-4, 5e-4, 1.0 / 2000},
        {"integer", 5e-4, 0.9999999, 1.0},
        {"negative", 5e-4, -1.0004, -1.0},
        {"not near enough", 5e-4, 1.0006, 1.0006},
        {"the paper's L3 hits", 5e-2, 1.02, 1.0},
        {"the paper's L2 misses", 5e-2, 8.43e-3, 0.0},
        {"16", 5e-4, 16.0000001, 16.0},
        {"one half", 5e-4, 0.50001, 0.5},
        {"inverse before fraction", 5e-4, 0.0200005, 1.0 / 50},
        {"negative inverse", 5e-4, -1.0 / 4096, 0.0}, /* below alpha */
        {"large inverse", 1e-6, -1.0 / 4096, -1.0 / 4096},
        {"fraction", 5e-4, 0.8000001, 0.8},
        {"negative fraction", 5e-4, -2.0 / 3.0, -2.0 / 3.0},
        {"fraction above 1", 5e-4, 2.6000001, 13.0 / 5.0},
        {"smallest denominator", 5e-2, 0.66, 2.0 / 3.0}, /* and not 5/8 or 7/10 */
        {"denominator 16", 5e-4, 3.0 / 16.0 + 1e-6, 3.0 / 16.0},
        {"denominator 17 is too many", 5e-5, 3.0 / 17.0 + 1e-6, 3.0 / 17.0 + 1e-6},
        {"nothing near", 5e-4, 0.70710678, 0.70710678},
        {"above 2, nothing near", 5e-4, 2.71828, 2.71828},
        {"beyond 1/(2 alpha) always an integer", 5e-4, 1000.4, 1000.0},
        {"large", 5e-4, -123456.7, -123457.0},
        {"huge", 5e-4, 1e90, 1e90},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double rounded = cm_round_coefficient(rows[i].coefficient, rows[i].alpha);
        expect_close(rounded, rows[i].expected, 0.0, rows[i].name);
        if (rounded == 0.0 && signbit(rounded))
            fail_msg("%s: -0", rows[i].name);
    }
}

static void rounding_stays_within_alpha(void **state)
{
    (void)state;
    static const double alphas[] = {1e-6, 5e-4, 5e-2, 0.3};
    uint64_t random = 8;
    for (size_t i = 0; i < 200000; i++) {
        double alpha = alphas[i % COUNT(alphas)];
        double coefficient = random_signed(&random) * pow(10.0, 6.0 * random_signed(&random));
        double rounded = cm_round_coefficient(coefficient, alpha);
        double limit = rounded == 0.0 ? alpha : alpha * fabs(rounded);
        if (!(fabs(rounded - coefficient) <= limit))
            fail_msg("%.17g became %.17g", coefficient, rounded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_become_simple),
        cmocka_unit_test(rounding_stays_within_alpha),
    };
    return cmocka_run_group_tests_name("rounding", tests, NULL, NULL);
}
