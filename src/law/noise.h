/* The noise of sums, from their own repetitions: counts that are noisy alone may be exact together. */
#ifndef CM_LAW_NOISE_H
#define CM_LAW_NOISE_H

#include "analysis/solving/problem.h"
#include "verify/verify.h"

enum { CM_NO_TABLE = 0 };

/* The source of a row's counts. */
typedef struct cm_noise_row {
    size_t table;   /* numbered from 1; CM_NO_TABLE: its repetitions are not known */
    size_t counted; /* place in the events' runs */
} cm_noise_row;

typedef struct cm_sum_noise cm_sum_noise;

/* Hits in first-level caches, an iteration. */
double cm_first_level_hits(const cm_kernel_facts *kernel);

/* Lets the problem ask for the noise of sums on so many rows, `hits` one each (analysis/numerics.h), of which some may
 * stand behind its own. Leaves *noise NULL if no event has runs. */
cm_status cm_sum_noise_create(cm_problem *problem, const cm_noise_row *rows, const double *hits, size_t row_count,
                              size_t repetitions, cm_sum_noise **noise, cm_error *error);
void cm_sum_noise_free(cm_sum_noise *noise);

/* The factor by which the error of a mean exceeds that of so many independent runs: a neighbour adds misses in every
 * long run, and their average does not fall with repetitions, so that for caches, a mean is no surer than a run. */
double cm_runs_of_mean(const cm_problem *problem, size_t repetitions);

#endif
