/* Numbers as fractions: exact ones, and those that are near. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base.h"

static void expect(size_t row, const cm_fraction *found, int64_t numerator, int64_t denominator)
{
    if (found->numerator != numerator || found->denominator != denominator)
        fail_msg("row %zu is %lld/%lld", row, (long long)found->numerator, (long long)found->denominator);
}

static void exact_fractions_give_the_number_back(void **state)
{
    (void)state;
    const struct {
        double number;
        int64_t most, numerator, denominator; /* denominator 0: there is none */
    } rows[] = {
        {1.0, 1, 1, 1},
        {-7.0, 10, -7, 1},
        {0.0, 1, 0, 1},
        {-0.5, 2, -1, 2},
        {1.5, 3, 3, 2},
        {-2.0 / 3.0, 3, -2, 3},
        {0.1, 10, 1, 10},
        {0.1, 9, 0, 0},
        {29.0 / 211.0, 1000, 29, 211},
        {3.141592653589793, INT32_MAX, 245850922, 78256779},
        {3.141592653589793, 1000000, 0, 0},
        {INT32_MAX, INT32_MAX, INT32_MAX, 1},
        {INT32_MAX + 1.0, INT32_MAX, 0, 0},
        {1.0 / INT32_MAX, INT32_MAX, 1, INT32_MAX},
        {1e-12, INT32_MAX, 0, 0},
        {1e300, INT32_MAX, 0, 0},
        {5e-324, INT32_MAX, 0, 0},
        {INFINITY, INT32_MAX, 0, 0},
        {NAN, INT32_MAX, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_fraction found = {0, 0};
        cm_fraction_find(rows[i].number, &(cm_fraction_limits){rows[i].most, rows[i].most, 0.0}, &found);
        expect(i, &found, rows[i].numerator, rows[i].denominator);
    }
}

static void near_fractions_have_the_smallest_denominator(void **state)
{
    (void)state;
    const struct {
        double number, tolerance;
        int64_t most, numerator, denominator; /* denominator 0: there is none */
    } rows[] = {
        {0.66, 5e-2, 16, 2, 3}, /* and not 5/8 or 7/10 */
        {-0.66, 5e-2, 16, -2, 3},
        {0.78, 5e-2, 16, 3, 4}, /* between the convergents 1 and 7/9 */
        {0.2, 1e-9, 16, 1, 5},
        {7.9, 5e-2, 1, 8, 1},
        {0.3, 0.5, 16, 1, 2},
        {3.0 / 17.0, 5e-5, 16, 0, 0},
        {3.0 / 17.0, 5e-5, 17, 3, 17},
        {1e-9, 1e-3, 1000, 0, 0},
        {1e18, 1e-3, 1, 1000000000000000000, 1},
        {1e300, 1e-3, 16, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_fraction found = {0, 0};
        cm_fraction_find(rows[i].number, &(cm_fraction_limits){INT64_MAX, rows[i].most, rows[i].tolerance}, &found);
        expect(i, &found, rows[i].numerator, rows[i].denominator);
    }
}

/* Against all denominators, one after the other. */
static void no_smaller_denominator_is_near(void **state)
{
    (void)state;
    static const double tolerances[] = {5e-4, 5e-2, 1e-2, 0.2};
    uint64_t random = 1;
    for (size_t i = 0; i < 200000; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        double number = (double)(random >> 40) / (1 << (i % 21 + 4)), tolerance = tolerances[i % 4];
        cm_fraction found = {0, 0};
        cm_fraction_find(number, &(cm_fraction_limits){INT64_MAX, 16, tolerance}, &found);
        int64_t denominator = 1;
        for (; denominator <= 16; denominator++) {
            double below = floor(number * (double)denominator) / (double)denominator;
            double above = ceil(number * (double)denominator) / (double)denominator;
            if (number - below <= tolerance * below || above - number <= tolerance * above)
                break;
        }
        if (found.denominator != (denominator <= 16 ? denominator : 0))
            fail_msg("%.17g: %lld/%lld, expected the denominator %lld", number, (long long)found.numerator,
                     (long long)found.denominator, (long long)denominator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_fractions_give_the_number_back),
        cmocka_unit_test(near_fractions_have_the_smallest_denominator),
        cmocka_unit_test(no_smaller_denominator_is_near),
    };
    return cmocka_run_group_tests_name("fraction", tests, NULL, NULL);
}
