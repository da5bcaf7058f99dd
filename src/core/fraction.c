/* Continued fractions (Khinchin, Continued Fractions, 1964, chapter I and II.6). A fraction nearer to a number than all
 * fractions of smaller denominators is a convergent p/q, or lies between two of them: (k p + p')/(k q + q'), nearer
 * with each k up to the partial quotient. So the first of these within the tolerance has the smallest denominator. */
#include "core/base.h"

/* The last two convergents, the later one first. */
typedef struct convergents {
    int64_t above[2], below[2];
} convergents;

static bool is_near(double magnitude, double tolerance, int64_t numerator, int64_t denominator)
{
    double value = (double)numerator / (double)denominator;
    return tolerance > 0.0 ? fabs(magnitude - value) <= tolerance * value : magnitude == value;
}

/* The largest `factor` up to `most` with factor * last + before <= limit; below 0: there is none. */
static int64_t largest_factor(int64_t most, int64_t last, int64_t before, int64_t limit)
{
    if (before > limit)
        return -1;
    return last == 0 || (limit - before) / last > most ? most : (limit - before) / last;
}

static cm_fraction fraction_between(const convergents *last, int64_t factor)
{
    return (cm_fraction){factor * last->above[0] + last->above[1], factor * last->below[0] + last->below[1]};
}

/* The smallest factor from `first` to `most` whose fraction is within the tolerance; above `most`: none is. */
static int64_t find_factor(const convergents *last, double magnitude, double tolerance, int64_t first, int64_t most)
{
    int64_t end = most + 1;
    while (first < end) {
        int64_t middle = first + (end - first) / 2;
        cm_fraction tried = fraction_between(last, middle);
        if (is_near(magnitude, tolerance, tried.numerator, tried.denominator))
            end = middle;
        else
            first = middle + 1;
    }
    return end;
}

bool cm_fraction_find(double number, const cm_fraction_limits *limits, cm_fraction *fraction)
{
    enum { STEPS = 64 };
    double magnitude = fabs(number), rest = magnitude;
    convergents last = {{1, 0}, {0, 1}};
    if (!isfinite(number))
        return false;
    for (int step = 0; step < STEPS; step++) {
        double whole = floor(rest);
        int64_t quotient = whole < 0x1p62 ? (int64_t)whole : INT64_MAX - 1;
        int64_t most = largest_factor(quotient, last.above[0], last.above[1], limits->numerator);
        most = largest_factor(most, last.below[0], last.below[1], limits->denominator);
        if (most < 0)
            return false;
        /* In the first step all are integers, and the number's floor is the nearest. */
        int64_t first = limits->tolerance > 0.0 && step > 0 ? 1 : quotient;
        int64_t factor = find_factor(&last, magnitude, limits->tolerance, first, most);
        cm_fraction found = fraction_between(&last, factor <= most ? factor : most);
        if (factor <= most) {
            found.numerator = number < 0.0 ? -found.numerator : found.numerator;
            *fraction = found;
            return true;
        }
        if (most < quotient || rest == whole)
            return false;
        last = (convergents){{found.numerator, last.above[0]}, {found.denominator, last.below[0]}};
        rest = 1.0 / (rest - whole);
    }
    return false;
}
