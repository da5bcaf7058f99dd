/* How far the mean of repeated counts may be off. */
#ifndef CM_ANALYSIS_SPREAD_H
#define CM_ANALYSIS_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

/* R vectors of N elements: means, and their standard errors, each the larger of its own and of one pooled over the
 * kernels that count most (relative to their counts). Returns the pooled deviation of one repetition, relative; 0 where
 * R < 2. `rough`: caches are measured, and repetitions that a neighbour disturbed are left out (majority.h). */
double cm_spread(const double *vectors, size_t repetitions, size_t kernels, bool rough, double *mean, double *error);

/* Mean and standard deviation of repeated counts of one kernel; the deviation is 0 if there is one. `scale`: the
 * largest count, where caches are measured, and disturbed repetitions are left out; 0: none is. */
void cm_runs(const double *runs, size_t repetitions, double scale, double *mean, double *deviation);

/* The paper's eq. 4 over the kernels above a tenth of the event's largest count, of the differences beyond what
 * `chance` (N standard deviations of a run; NULL: none) explains. NaN where R < 2. */
double cm_noise_beyond(const double *vectors, size_t repetitions, size_t kernels, const double *mean,
                       const double *chance, bool rough);

#endif
