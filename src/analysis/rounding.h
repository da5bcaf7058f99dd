/* Simple numbers: of counts, and of coefficients. */
#ifndef CM_ANALYSIS_ROUNDING_H
#define CM_ANALYSIS_ROUNDING_H

#include <stddef.h>

/* Rounding counts to a quantum: step 1 of the method. */

/* Rounds each of `counts` to the nearest multiple of `quantum` (> 0; halves go away from zero) and writes them to
 * `rounded`, which may be `counts`. Returns the largest distance that a count was moved. */
double cm_round_to_quantum(const double *counts, size_t count, double quantum, double *rounded);

/* Rounding of coefficients: step 8 of the method. */

/* 0 where |coefficient| < alpha; else the first of these within alpha of it, relative: the nearest integer, the nearest
 * 1/n, the nearest p/q for q = 2, 3 ... 16; else the coefficient itself. Beyond 1/(2 alpha) an integer is always near
 * enough, as 1/n is below 2 alpha: no more digits than that were trusted. */
double cm_round_coefficient(double coefficient, double alpha);

/* The simplest number of an interval. */

/* The simplest number of value +- width: a power of two or ten, an integer, 1/n, p/q with q up to 16; `value` where
 * there is none, or where so wide an interval would hold one as simple by chance. */
double cm_snap(double value, double width);

/* The same; where that is `value`, without the digits behind the point that the interval says nothing about. */
double cm_simplest(double value, double width);

#endif
