/* How well a sum of events fits a signature: in symbols, and on the kernels. */
#ifndef CM_ANALYSIS_FITNESS_H
#define CM_ANALYSIS_FITNESS_H

#include "analysis/state.h"

/* A definition as it is judged: coefficients of events, by their indices. */
typedef struct cm_event_sum {
    size_t count;
    const size_t *events;
    const double *coefficients;
} cm_event_sum;

/* `spectral_norm`: of the matrix of the events' representations. `rest`: scratch, one element a symbol. */
cm_fitness cm_fitness_of(const cm_analysis *analysis, const cm_event_sum *sum, const double *signature,
                         double spectral_norm, double *rest);

/* Adds what the signature expects on each kernel; N elements. */
void cm_expect(const cm_analysis *analysis, const double *signature, double *expected);
/* Adds what the sum counts on each kernel: as its events were measured where that is known, else as represented. */
void cm_count_sum(const cm_analysis *analysis, const cm_event_sum *sum, double *counted);
/* The largest deviation on a kernel, relative to the largest value expected. A signature of independent symbols is not
 * zero, so that value is not either. */
double cm_worst_deviation(const double *expected, const double *counted, size_t kernels);

/* Not the backward error: large columns or coefficients make it small whatever the definition misses. */
bool cm_is_composable(const cm_analysis *analysis, const cm_fitness *fitness, double worst);

#endif
