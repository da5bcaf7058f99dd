/* Algorithms that are none of the dissertation's, of the same program. */
#include <math.h>

#include "algorithms.h"

enum { DEGREE = 8, GENERATIONS = 6, ROW = 64, TRIALS = 32 };

static volatile double kept, kept_too;

static void dot(const work *on)
{
    const double *restrict a = on->arrays[0], *restrict b = on->arrays[1];
    double sum = 0.0;
    for (size_t i = 0; i < on->size; i++)
        sum += a[i] * b[i];
    kept = sum;
}

static void axpy(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 0; i < on->size; i++)
        a[i] += 1e-9 * b[i];
}

static void horner(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 0; i < on->size; i++) {
        const double x = b[i];
        double value = 1.0;
        for (int power = 0; power < DEGREE; power++)
            value = value * x + 0.5;
        a[i] = value;
    }
}

static void stencil(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 1; i + 1 < on->size; i++)
        a[i] = 0.3 * (b[i - 1] + b[i] + b[i + 1]);
}

/* Others that people run, for projections of programs that nobody looked at before. */
static void residual(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2], *restrict d = on->arrays[3];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] - c[i] * d[i];
}

static void complex_product(const work *on)
{
    double *restrict real = on->arrays[0], *restrict imaginary = on->arrays[1];
    const double *restrict a = on->arrays[2], *restrict b = on->arrays[3], *restrict c = on->arrays[4],
                           *restrict d = on->arrays[5];
    for (size_t i = 0; i < on->size; i++) {
        real[i] = a[i] * c[i] - b[i] * d[i];
        imaginary[i] = a[i] * d[i] + b[i] * c[i];
    }
}

/* Five points of rows that lie one behind the other. */
static void jacobi(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = ROW; i + ROW < on->size; i++)
        a[i] = 0.2 * (b[i - ROW] + b[i - 1] + b[i] + b[i + 1] + b[i + ROW]);
}

static void interpolate(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] + 0.375 * (c[i] - b[i]);
}

static void norm(const work *on)
{
    const double *restrict a = on->arrays[0];
    double sum = 0.0;
    for (size_t i = 0; i < on->size; i++)
        sum += a[i] * a[i];
    kept = sum;
}

static void logistic(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 0; i < on->size; i++) {
        double x = 0.25 * b[i];
        for (int generation = 0; generation < GENERATIONS; generation++)
            x = 3.6 * x * (1.0 - x);
        a[i] = x;
    }
}

/* ---- chains and others ---- */

static void variance(const work *on)
{
    const double *restrict a = on->arrays[0];
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < on->size; i++) {
        sum += a[i];
        squares += a[i] * a[i];
    }
    kept = sum;
    kept_too = squares;
}

static void running(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    double sum = 0.0;
    for (size_t i = 0; i < on->size; i++) {
        sum += b[i];
        a[i] = sum;
    }
}

static void filter(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    double smooth = b[0];
    for (size_t i = 0; i < on->size; i++) {
        smooth = 0.875 * smooth + 0.125 * b[i];
        a[i] = smooth;
    }
}

static void wave(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 1; i + 1 < on->size; i++)
        a[i] = 2.0 * b[i] - c[i] + 0.25 * (b[i - 1] - 2.0 * b[i] + b[i + 1]);
}

static void blend(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2], *restrict d = on->arrays[3];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] * c[i] + (1.0 - b[i]) * d[i];
}

static void quotient(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] / c[i];
}

static void hypotenuse(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++)
        a[i] = sqrt(b[i] * b[i] + c[i] * c[i]);
}

/* A polynomial by pairs, which wait for one another less than in Horner's order. */
static void pairs(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 0; i < on->size; i++) {
        const double x = b[i], square = x * x;
        a[i] = (1.0 + 0.5 * x) + square * (0.25 + 0.125 * x) +
               square * square * ((0.0625 + 0.03125 * x) + square * (0.015625 + 0.0078125 * x));
    }
}

/* Of a matrix and a vector. */
static void times_vector(const work *on)
{
    const size_t n = on->size;
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += b[i * n + j] * c[j];
        a[i] = sum;
    }
}

/* Versions of Algorithm 2, each with one kind of operation. */
#define CRUNCH(name, value)                                                                                            \
    static void name(const work *on)                                                                                   \
    {                                                                                                                  \
        double *restrict a = on->arrays[0];                                                                            \
        const double *restrict c = on->arrays[1];                                                                      \
        for (size_t i = 0; i < on->size; i++) {                                                                        \
            const double factor = c[i];                                                                                \
            double sum = a[i];                                                                                         \
            for (int k = 0; k < TRIALS; k++)                                                                           \
                sum = (value);                                                                                         \
            a[i] = sum + factor;                                                                                       \
        }                                                                                                              \
    }

CRUNCH(crunch_add, sum + factor)
CRUNCH(crunch_multiply, sum *factor)
CRUNCH(crunch_divide, sum / factor)
CRUNCH(crunch_cosine, cos(sum))
CRUNCH(crunch_logarithm, log(sum) + 2.0) /* it stays above 1 */

const algorithm others[] = {
    {"crunch_add", crunch_add, 0, 2},
    {"crunch_multiply", crunch_multiply, 0, 2},
    {"crunch_divide", crunch_divide, 0, 2},
    {"crunch_cosine", crunch_cosine, 0, 2},
    {"crunch_logarithm", crunch_logarithm, 0, 2},
    {"dot", dot, 0, 2},
    {"axpy", axpy, 0, 2},
    {"horner", horner, 0, 2},
    {"stencil", stencil, 0, 2},
    {"residual", residual, 0, 4},
    {"complex", complex_product, 0, 6},
    {"jacobi", jacobi, 0, 2},
    {"interpolate", interpolate, 0, 3},
    {"norm", norm, 0, 1},
    {"logistic", logistic, 0, 2},
    {"variance", variance, 0, 1},
    {"running", running, 0, 2},
    {"filter", filter, 0, 2},
    {"wave", wave, 0, 3},
    {"blend", blend, 0, 4},
    {"quotient", quotient, 0, 3},
    {"hypotenuse", hypotenuse, 0, 3},
    {"pairs", pairs, 0, 2},
    {"times_vector", times_vector, 1, 3},
    {NULL, NULL, 0, 0},
};
