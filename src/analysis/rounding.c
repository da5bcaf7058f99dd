#include "analysis/rounding.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/number.h"

enum { LARGEST_DENOMINATOR = 16 };

/* False for a `simple` that is 0 or, as the inverse of 0, infinite. */
static bool is_near(double coefficient, double simple, double alpha)
{
    return simple != 0.0 && isfinite(simple) && fabs(coefficient - simple) <= alpha * fabs(simple);
}

double cm_round_coefficient(double coefficient, double alpha)
{
    if (fabs(coefficient) < alpha)
        return 0.0;
    double simple = round(coefficient);
    if (is_near(coefficient, simple, alpha))
        return simple;
    simple = 1.0 / round(1.0 / coefficient);
    if (is_near(coefficient, simple, alpha))
        return simple;
    const cm_fraction_limits limits = {.numerator = INT64_MAX, .denominator = LARGEST_DENOMINATOR, .tolerance = alpha};
    cm_fraction found;
    if (cm_fraction_find(coefficient, &limits, &found))
        return (double)found.numerator / (double)found.denominator;
    return coefficient;
}
