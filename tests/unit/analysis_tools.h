/* What the tests of the analysis share: random numbers that are the same everywhere, short ways to build one. */
#ifndef ANALYSIS_TOOLS_H
#define ANALYSIS_TOOLS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/analysis.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* SplitMix64. */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline size_t random_below(uint64_t *state, size_t limit)
{
    return (size_t)(random_bits(state) % limit);
}

/* -1 to 1 */
static inline double random_signed(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-52 - 1.0;
}

static inline void shuffle(size_t *order, size_t count, uint64_t *state)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below(state, i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

/* Equal within `tolerance`, NaN equal to NaN; else says which row, and both values. */
static inline void expect_close(double value, double expected, double tolerance, const char *row)
{
    if (fabs(value - expected) <= tolerance || (isnan(value) && isnan(expected)))
        return;
    fail_msg("%s: %.17g, expected %.17g within %g", row, value, expected, tolerance);
}

/* From rows one after another, as they are written in a test. */
static inline cm_matrix *matrix_of(size_t rows, size_t columns, const double *values)
{
    cm_matrix *matrix = NULL;
    assert_int_equal(cm_matrix_create(rows, columns, &matrix, NULL), CM_OK);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            *cm_matrix_at(matrix, i, j) = values[i * columns + j];
    return matrix;
}

static inline cm_matrix *identity(size_t size)
{
    cm_matrix *matrix = NULL;
    assert_int_equal(cm_matrix_create(size, size, &matrix, NULL), CM_OK);
    for (size_t i = 0; i < size; i++)
        *cm_matrix_at(matrix, i, i) = 1.0;
    return matrix;
}

static inline cm_analysis *analysis_of(const cm_matrix *basis, const cm_thresholds *thresholds)
{
    cm_thresholds defaults;
    cm_thresholds_default(&defaults);
    cm_analysis *analysis = NULL;
    assert_int_equal(cm_analysis_create(basis, thresholds != NULL ? thresholds : &defaults, &analysis, NULL), CM_OK);
    return analysis;
}

/* Adds the event that counts exactly E x, in two equal repetitions. */
static inline void add_exact(cm_analysis *analysis, const cm_matrix *basis, const char *event, const double *x)
{
    double *vectors = calloc(2 * basis->rows, sizeof *vectors);
    assert_non_null(vectors);
    for (size_t i = 0; i < basis->rows; i++) {
        for (size_t j = 0; j < basis->columns; j++)
            vectors[i] += *cm_matrix_at(basis, i, j) * x[j];
        vectors[basis->rows + i] = vectors[i];
    }
    assert_int_equal(cm_analysis_add_event(analysis, event, vectors, 2, NULL), CM_OK);
    free(vectors);
}

/* Adds an event around E x: in two repetitions, on the kernel where it counts most apart so that its noise is `noise`.
 */
static inline void add_noisy(cm_analysis *analysis, const cm_matrix *basis, const char *event, const double *x,
                             double noise)
{
    size_t kernels = basis->rows, at = 0;
    double *vectors = calloc(2 * kernels, sizeof *vectors), sum = 0.0;
    assert_non_null(vectors);
    for (size_t i = 0; i < kernels; i++) {
        for (size_t j = 0; j < basis->columns; j++)
            vectors[i] += *cm_matrix_at(basis, i, j) * x[j];
        vectors[kernels + i] = vectors[i];
        sum += vectors[i];
        at = vectors[i] > vectors[at] ? i : at;
    }
    /* (m + d/2) - (m - d/2) = d; mean_a mean_b = (sum^2 - d^2 / 4) / N^2 */
    double d = noise * sum / sqrt((double)kernels + noise * noise / 4.0);
    vectors[at] -= d / 2;
    vectors[kernels + at] += d / 2;
    assert_int_equal(cm_analysis_add_event(analysis, event, vectors, 2, NULL), CM_OK);
    free(vectors);
}

#endif
