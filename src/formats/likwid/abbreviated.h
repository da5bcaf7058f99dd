/* Expands the formulas in LONG: sums over counters, and a forgotten parenthesis. */
#ifndef CM_FORMATS_LIKWID_ABBREVIATED_H
#define CM_FORMATS_LIKWID_ABBREVIATED_H

#include <stddef.h>

/* A counter of EVENTSET, with its event. */
typedef struct cm_likwid_counter {
    const char *name, *event;
} cm_likwid_counter;

/* The formula in full: SUM(EVENT) and SUM(MBOXxC0) become sums of the counters with that event or a name that fits, in
 * which * or x is a number; if one more parenthesis is closed than opened, the divisor begins behind the last division.
 * A sum without any counter stays. The caller frees it; NULL without memory. */
char *cm_likwid_in_full(const char *formula, const cm_likwid_counter *counters, size_t count);

#endif
