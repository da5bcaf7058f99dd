/* Rounding of coefficients: step 8 of the method. */
#ifndef CM_ANALYSIS_ROUNDING_H
#define CM_ANALYSIS_ROUNDING_H

/* 0 where |coefficient| < alpha; else the first of these within alpha of it, relative: the nearest integer, the nearest
 * 1/n, the nearest p/q for q = 2, 3 ... 16; else the coefficient itself. Beyond 1/(2 alpha) an integer is always near
 * enough, as 1/n is below 2 alpha: no more digits than that were trusted. */
double cm_round_coefficient(double coefficient, double alpha);

#endif
