/* How often the 95 % intervals of coefficients hold the true value: a noisy benchmark is made up and analysed again and
 * again. Shared by a benchmark and a shorter test. */
#ifndef BENCH_COVERAGE_H
#define BENCH_COVERAGE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <catmint/analysis.h>

enum { COVERAGE_KERNELS = 9, COVERAGE_SYMBOLS = 4, COVERAGE_EVENTS = 5 };

typedef struct coverage {
    size_t held, intervals; /* of the intervals, how many held the true coefficient */
    double width;           /* mean */
} coverage;

static inline uint64_t coverage_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Box and Muller. */
static inline double coverage_normal(uint64_t *state)
{
    double a = ((double)(coverage_bits(state) >> 11) + 1.0) * 0x1p-53,
           b = (double)(coverage_bits(state) >> 11) * 0x1p-53;
    return sqrt(-2.0 * log(a)) * cos(6.283185307179586 * b);
}

static const double coverage_basis[COVERAGE_KERNELS][COVERAGE_SYMBOLS] = {
    {24, 0, 0, 12}, {48, 0, 0, 12}, {96, 0, 0, 12}, {0, 12, 0, 24}, {0, 24, 0, 24},
    {0, 48, 0, 24}, {0, 0, 10, 48}, {0, 0, 20, 48}, {0, 0, 40, 48}};
/* Four independent events, and one that is the sum of two. */
static const double coverage_events[COVERAGE_EVENTS][COVERAGE_SYMBOLS] = {
    {1, 0, 0, 0}, {0, 2, 0, 0}, {1, 0, 1, 0}, {0, 0, 0, 1}, {1, 2, 0, 0}};
static const double coverage_signature[COVERAGE_SYMBOLS] = {1, 3, 2, 1};
/* The signature over the first four events: what is estimated. */
static const double coverage_truth[COVERAGE_SYMBOLS] = {-1, 1.5, 2, 1};

/* Counts differ by `noise`, relative, from kernel to kernel and repetition to repetition, and by as much again for a
 * whole repetition of all events. Returns 0, or the status of what failed. */
static inline cm_status coverage_once(uint64_t *seed, size_t repetitions, double noise, coverage *total)
{
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    thresholds.tau = INFINITY;
    thresholds.alpha = 0.05;
    thresholds.residual = 0.1;
    cm_matrix *basis = NULL;
    cm_analysis *analysis = NULL;
    cm_fit *fit = NULL;
    double *counts = malloc(COVERAGE_EVENTS * repetitions * COVERAGE_KERNELS * sizeof *counts);
    cm_status status =
        counts != NULL ? cm_matrix_create(COVERAGE_KERNELS, COVERAGE_SYMBOLS, &basis, NULL) : CM_NO_MEMORY;
    for (size_t k = 0; status == CM_OK && k < COVERAGE_KERNELS; k++)
        for (size_t s = 0; s < COVERAGE_SYMBOLS; s++)
            *cm_matrix_at(basis, k, s) = coverage_basis[k][s];
    for (size_t r = 0; status == CM_OK && r < repetitions; r++) {
        double shared = noise * coverage_normal(seed);
        for (size_t e = 0; e < COVERAGE_EVENTS; e++)
            for (size_t k = 0; k < COVERAGE_KERNELS; k++) {
                double count = 0.0;
                for (size_t s = 0; s < COVERAGE_SYMBOLS; s++)
                    count += coverage_basis[k][s] * coverage_events[e][s];
                counts[(e * repetitions + r) * COVERAGE_KERNELS + k] =
                    count * (1.0 + shared + noise * coverage_normal(seed));
            }
    }
    if (status == CM_OK)
        status = cm_analysis_create(basis, &thresholds, &analysis, NULL);
    for (size_t e = 0; status == CM_OK && e < COVERAGE_EVENTS; e++)
        status =
            cm_analysis_add_event(analysis, "event", counts + e * repetitions * COVERAGE_KERNELS, repetitions, NULL);
    if (status == CM_OK)
        status = cm_analysis_select(analysis, NULL);
    for (size_t k = 0; status == CM_OK && k < cm_analysis_selected_count(analysis); k++) {
        size_t event = cm_analysis_selected(analysis, k);
        status = cm_analysis_add_repetitions(analysis, event, counts + event * repetitions * COVERAGE_KERNELS,
                                             repetitions, NULL);
    }
    if (status == CM_OK)
        status = cm_fit_create(analysis, coverage_signature, &fit, NULL);
    for (size_t k = 0; status == CM_OK && k < fit->term_count; k++) {
        size_t event = cm_analysis_selected(analysis, k);
        if (event >= COVERAGE_SYMBOLS)
            status = CM_BAD_INPUT; /* noise chose the sum: another coefficient is true then */
        else
            total->held += fabs(fit->coefficients[k] - coverage_truth[event]) <= fit->half_widths[k];
        total->intervals++;
        total->width += 2.0 * fit->half_widths[k];
    }
    cm_fit_free(fit);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
    free(counts);
    return status;
}

#endif
