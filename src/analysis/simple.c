#include "analysis/simple.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { LARGEST_DENOMINATOR = 16 };
static const double rounding_error = 1e-9, largest_integer = 1e9, most_chance = 0.25;

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

/* An interval of any number holds a simple one by chance that often, where so many of them lie between two integers. */
static bool is_likely_meant(double low, double high, double simple_ones)
{
    return (high - low) * simple_ones <= most_chance;
}

/* A power of two or ten; 0 where the interval has none, or is too wide to tell. */
static double power_in(double low, double high)
{
    static const double bases[] = {2.0, 10.0};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        double power = pow(bases[i], round(log(0.5 * (low + high)) / log(bases[i])));
        if (power >= low * (1.0 - 1e-15) && power <= high * (1.0 + 1e-15) && high - low <= most_chance * power)
            return power;
    }
    return 0.0;
}

/* An interval of positive numbers below a half: 1/n. */
static double reciprocal_in(double low, double high)
{
    double n = ceil(1.0 / high - 1e-12);
    return n <= floor(1.0 / low + 1e-12) && is_likely_meant(1.0 / high, 1.0 / low, 1.0) ? 1.0 / n : 0.0;
}

/* An interval of positive numbers. */
static double simplest_of(double low, double high, double otherwise)
{
    double found = power_in(low, high), integer = ceil(low - 1e-15), simple_ones = 1.0;
    if (found == 0.0 && high < 0.5)
        found = reciprocal_in(low, high);
    if (found != 0.0)
        return found;
    if (integer <= high && high - low >= 1.0)
        return round(0.5 * (low + high)); /* its digits say nothing */
    for (int q = 1; q <= LARGEST_DENOMINATOR && is_likely_meant(low, high, simple_ones); q++) {
        if (ceil(low * q - 1e-12) <= high * q)
            return ceil(low * q - 1e-12) / q;
        simple_ones += q;
    }
    return otherwise;
}

double cm_simplest(double value, double width)
{
    double size = fabs(value);
    if (!(size > width && size < largest_integer))
        return value;
    return copysign(simplest_of(size - width, size + width, size), value);
}
