/* Numbers as fractions. */
#ifndef CM_CORE_FRACTION_H
#define CM_CORE_FRACTION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cm_fraction {
    int64_t numerator, denominator; /* of the same sign as the number; 1 or more */
} cm_fraction;

typedef struct cm_fraction_limits {
    int64_t numerator, denominator; /* at most, without sign */
    double tolerance; /* how far the number may be from the fraction, relative to the latter; 0: the fraction, divided
                         as doubles are, is the number */
} cm_fraction_limits;

/* With a tolerance: the fraction of the smallest denominator that is near the number. Without: the first convergent
 * that is the number. False: there is none within the limits. */
bool cm_fraction_find(double number, const cm_fraction_limits *limits, cm_fraction *fraction);

#endif
