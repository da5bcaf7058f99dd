/* How LONG writes formulas: sums over counters, and a parenthesis that was forgotten. */
#ifndef CM_FORMATS_LIKWID_ABBREVIATED_H
#define CM_FORMATS_LIKWID_ABBREVIATED_H

#include <stddef.h>

/* A counter of EVENTSET, and its event. */
typedef struct cm_likwid_counter {
    const char *name, *event;
} cm_likwid_counter;

/* The formula in full: SUM(EVENT) and SUM(MBOXxC0) as the sum of the counters that have that event or fit that name,
 * * or x for a number; where one parenthesis more is closed than opened, the divisor begins behind the last division.
 * A sum that no counter fits stays. The caller frees it; NULL where memory is short. */
char *cm_likwid_in_full(const char *formula, const cm_likwid_counter *counters, size_t count);

#endif
