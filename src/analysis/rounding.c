/* Counts rounded to the quantum, coefficients to simple numbers. */
#include "analysis/numerics.h"

#include "analysis/rules.h"
#include "core/base.h"

enum { LARGEST_DENOMINATOR = 16 };
static const double rounding_error = 1e-9, largest_integer = 1e9;

double cm_round_to_quantum(const double *counts, size_t count, double quantum, double *rounded)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        double value = quantum * round(counts[i] / quantum);
        largest = fmax(largest, fabs(value - counts[i]));
        rounded[i] = value;
    }
    return largest;
}

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

/* ---- numbers that intervals are for ---- */

/* An interval of any number holds a simple one by chance that often, if so many of them lie between two integers. */
static bool is_likely_meant(double low, double high, double simple_ones)
{
    return (cm_the_rules.few + 1.0) * (high - low) * simple_ones <= 1.0;
}

/* The integer that the middle is so near to that one number in fifty is by chance, however wide the interval; 0: none.
 */
static double integer_near(double low, double high)
{
    double middle = 0.5 * (low + high), integer = round(middle);
    return integer >= low && integer <= high && fabs(integer - middle) <= cm_the_rules.alike ? integer : 0.0;
}

/* The nearest power of two or ten; 0 if the interval has none, or is too wide to tell. */
static double power_in(double low, double high)
{
    static const double bases[] = {2.0, 10.0};
    double middle = 0.5 * (low + high), found = 0.0;
    for (size_t i = 0; i < CM_COUNT_OF(bases); i++) {
        double power = pow(bases[i], round(log(middle) / log(bases[i])));
        bool within = power >= low * (1.0 - 1e-15) && power <= high * (1.0 + 1e-15);
        if (within && (cm_the_rules.few + 1.0) * (high - low) <= power && fabs(power - middle) < fabs(found - middle))
            found = power;
    }
    return found;
}

/* An interval of positive numbers below a half: 1/n. */
static double reciprocal_in(double low, double high)
{
    double n = ceil(1.0 / high - 1e-12);
    return n <= floor(1.0 / low + 1e-12) && is_likely_meant(1.0 / high, 1.0 / low, 1.0) ? 1.0 / n : 0.0;
}

/* The multiple of 1 / q in an interval of positive numbers; 0 if there is none. */
static double multiple_in(double low, double high, double q)
{
    double p = ceil(low * q - 1e-12);
    return p >= 1.0 && p <= high * q + 1e-12 ? p / q : 0.0;
}

/* The multiple of the largest 1 / q, q up to 16, that no interval as wide would hold by chance; 0: none. */
static double fraction_in(double low, double high)
{
    double found = 0.0, simple_ones = 1.0;
    for (int q = 1; found == 0.0 && q <= LARGEST_DENOMINATOR && is_likely_meant(low, high, simple_ones); q++) {
        found = multiple_in(low, high, q);
        simple_ones += q;
    }
    return found;
}

/* The simple number that an interval of positive numbers is likely to be for; 0: none. */
static double meant_in(double low, double high)
{
    double found = power_in(low, high);
    if (found == 0.0)
        found = integer_near(low, high);
    if (found == 0.0 && high < 0.5)
        found = reciprocal_in(low, high);
    return found != 0.0 ? found : fraction_in(low, high);
}

static bool has_digits(double size, double width)
{
    return size > width && size < largest_integer;
}

double cm_snap_number(double value, double width)
{
    double size = fabs(value);
    width += rounding_error * size;
    double found = has_digits(size, width) ? meant_in(size - width, size + width) : 0.0;
    return found != 0.0 ? copysign(found, value) : value;
}

double cm_simplest(double value, double width)
{
    double size = fabs(value);
    if (!has_digits(size, width))
        return value;
    double found = meant_in(size - width, size + width);
    if (found == 0.0)
        found = 2.0 * width >= 1.0 ? round(size) : size; /* digits that say nothing */
    return copysign(found, value);
}
