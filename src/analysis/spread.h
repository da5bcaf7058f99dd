/* Repetitions of one event: how much they differ, and their mean. `vectors` holds R measurement vectors of N elements
 * one after another. */
#ifndef CM_ANALYSIS_SPREAD_H
#define CM_ANALYSIS_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

/* ---- noise.c: by the paper, section IV; no element is negative ---- */

/* The paper's eq. 4: the largest ||m_i - m_j|| / sqrt(N mean_i mean_j) over all pairs of repetitions; a pair of which
 * exactly one mean is zero counts as 1, a pair of zero vectors as 0. NaN where R < 2: there is no pair. */
double cm_max_rnmse(const double *vectors, size_t repetitions, size_t kernels);

/* The mean over repetitions, element by element. The mean of equal values is that value, bit by bit. */
void cm_mean_vector(const double *vectors, size_t repetitions, size_t kernels, double *mean);

/* ---- majority.c: repetitions that a neighbour disturbed: on a real machine it comes and goes, and takes lines of
 * caches from some runs and not from others ---- */

/* The range of the counts that are kept. */
typedef struct cm_majority {
    double low, high;
} cm_majority;

/* R counts, `stride` apart: where more than half of them lie close together, those that are far from all of these are
 * not kept. Far is more than ten times as wide as they lie, and more than a hundredth of `scale`. Where more than half
 * lie no closer than that hundredth, a crowd of a third that does is kept, if no other is half as large. All are kept
 * where R is below 9 or above 64. */
cm_majority cm_majority_of(const double *counts, size_t repetitions, size_t stride, double scale);

static inline bool cm_majority_has(cm_majority kept, double count)
{
    return count >= kept.low && count <= kept.high;
}

/* ---- spread.c: how far the mean may be off ---- */

/* R vectors of N elements: means, and their standard errors, each the larger of its own and of one pooled over the
 * kernels that count most (relative to their counts). Returns the pooled deviation of one repetition, relative; 0 where
 * R < 2. `rough`: caches are measured, and repetitions that a neighbour disturbed are left out (majority.h); `hits`,
 * one a kernel: those in first-level caches, an iteration (NULL: none). */
double cm_spread(const double *vectors, size_t repetitions, size_t kernels, const double *hits, bool rough,
                 double *mean, double *error);

/* Mean and standard deviation of repeated counts of one kernel; the deviation is 0 if there is one. `scale`: the
 * largest count, where caches are measured, and disturbed repetitions are left out; 0: none is. */
void cm_runs(const double *runs, size_t repetitions, double scale, double *mean, double *deviation);

/* The paper's eq. 4 over the kernels above a tenth of the event's largest count, of the differences beyond what
 * `chance` (N standard deviations of a run; NULL: none) explains. NaN where R < 2. */
double cm_noise_beyond(const double *vectors, size_t repetitions, size_t kernels, const double *mean,
                       const double *chance, bool rough);

#endif
