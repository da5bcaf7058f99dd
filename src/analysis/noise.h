/* Repetitions of one event: how much they differ, and their mean (the paper's section IV). `vectors` holds R
 * measurement vectors of N elements one after another; no element is negative. */
#ifndef CM_ANALYSIS_NOISE_H
#define CM_ANALYSIS_NOISE_H

#include <stddef.h>

/* The paper's eq. 4: the largest ||m_i - m_j|| / sqrt(N mean_i mean_j) over all pairs of repetitions; a pair of which
 * exactly one mean is zero counts as 1, a pair of zero vectors as 0. NaN where R < 2: there is no pair. */
double cm_max_rnmse(const double *vectors, size_t repetitions, size_t kernels);

/* The mean over repetitions, element by element. The mean of equal values is that value, bit by bit. */
void cm_mean_vector(const double *vectors, size_t repetitions, size_t kernels, double *mean);

#endif
