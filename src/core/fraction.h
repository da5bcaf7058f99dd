/* Numbers as fractions. */
#ifndef CM_CORE_FRACTION_H
#define CM_CORE_FRACTION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cm_fraction {
    int64_t numerator, denominator; /* numerator with the sign of the number; denominator 1 or more */
} cm_fraction;

typedef struct cm_fraction_limits {
    int64_t numerator, denominator; /* the largest, without sign */
    double tolerance; /* largest difference from the number, relative to the fraction; 0: divided as doubles, the
                         fraction is the number */
} cm_fraction_limits;

/* With a tolerance: the fraction of the smallest denominator within it. Without: the first convergent that equals the
 * number. False: there is none within the limits. */
bool cm_fraction_find(double number, const cm_fraction_limits *limits, cm_fraction *fraction);

#endif
