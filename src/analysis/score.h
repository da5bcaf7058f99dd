/* How close a column of X is to the dimensions of the basis (the paper's section V). */
#ifndef CM_ANALYSIS_SCORE_H
#define CM_ANALYSIS_SCORE_H

#include <stddef.h>

/* The sum of Sc(|R(u)|) over the elements u of a column: R(u) = alpha floor(u / alpha + 1/2); Sc(v) = v if v >= 1, 1/v
 * if 0 < v < 1, 0 if v = 0. 0: nothing is left of the column after rounding. */
double cm_score(const double *column, size_t symbols, double alpha);

#endif
