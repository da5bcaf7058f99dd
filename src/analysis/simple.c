#include "analysis/simple.h"

#include <math.h>
#include <stdbool.h>

enum { LARGEST_DENOMINATOR = 16 };
static const double rounding_error = 1e-9, largest_integer = 1e9;

/* Whether p / q is within `width` of the value; no other multiple of 1 / q may be. */
static bool try_denominator(double value, double width, double q, double *found, bool *alone)
{
    double p = round(value * q);
    if (p < 1.0 || fabs(p / q - value) > width)
        return false;
    *found = p / q;
    *alone = floor((value + width) * q) - ceil((value - width) * q) == 0.0;
    return true;
}

double cm_snap(double value, double width)
{
    double size = fabs(value), found = size;
    bool alone = false;
    width += rounding_error * size;
    if (!(size > 0.0 && size < largest_integer))
        return value;
    bool done = try_denominator(size, width, 1.0, &found, &alone);
    if (!done && size < 0.5)
        done = try_denominator(size, width, round(1.0 / size), &found, &alone);
    for (int q = 2; !done && q <= LARGEST_DENOMINATOR; q++)
        done = try_denominator(size, width, q, &found, &alone);
    return done && alone ? copysign(found, value) : value;
}

/* An interval of positive numbers. */
static double simplest_of(double low, double high, double otherwise)
{
    double integer = ceil(low - 1e-15), whole = round(0.5 * (low + high));
    if (integer <= high)
        return integer == floor(high) || high - low <= 1.0 ? integer : whole;
    double first = ceil(1.0 / high - 1e-12), last = floor(1.0 / low + 1e-12);
    if (high < 0.5 && first <= last) /* of several the one in the middle */
        return 1.0 / (first == last ? first : round(2.0 / (low + high)));
    for (int q = 2; q <= LARGEST_DENOMINATOR; q++)
        if (ceil(low * q - 1e-12) <= high * q)
            return ceil(low * q - 1e-12) / q;
    return otherwise;
}

double cm_simplest(double value, double width)
{
    double size = fabs(value);
    if (!(size > width && size < largest_integer))
        return value;
    return copysign(simplest_of(size - width, size + width, size), value);
}
