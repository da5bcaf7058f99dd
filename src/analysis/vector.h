/* Small vectors by hand: a benchmark has tens of kernels and symbols, where a call costs more than the work. The loops
 * over contiguous elements are vectorised by the compiler. Factorisations and projections: linear.h. */
#ifndef CM_ANALYSIS_VECTOR_H
#define CM_ANALYSIS_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* What the analysis takes as a number: squares and products of two stay in the range of a double. */
#define CM_LARGEST_VALUE 1e100
#define CM_SMALLEST_VALUE 1e-100

static inline bool cm_vector_is_zero(const double *a, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != 0.0)
            return false;
    return true;
}

static inline double cm_vector_dot(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline double cm_vector_norm(const double *a, size_t count)
{
    return sqrt(cm_vector_dot(a, a, count));
}

/* The largest magnitude; 0 where there is none. */
static inline double cm_vector_largest(const double *a, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i]));
    return largest;
}

/* The factor with which `b` is nearest to `a`: a least-squares fit of one column. 0 where `b` is 0. */
static inline double cm_vector_factor(const double *a, const double *b, size_t count)
{
    double square = cm_vector_dot(b, b, count);
    return square > 0.0 ? cm_vector_dot(a, b, count) / square : 0.0;
}

/* y += factor * x */
static inline void cm_vector_add(double *restrict y, double factor, const double *restrict x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        y[i] += factor * x[i];
}

static inline void cm_vector_divide(double *a, double divisor, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] /= divisor;
}

/* Rounds to 33 significant bits (about 10 digits): values that differ by a few rounding errors become equal, and
 * comparing rounded values is transitive, as comparing within a tolerance is not. Bits, not digits: sums of powers of
 * two, which is what exact events give, then lie in the middle of what rounds to them. */
static inline double cm_without_rounding_error(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    return ldexp(nearbyint(ldexp(fraction, 33)), exponent - 33);
}

#endif
