/* The constants and the rules of the second edition (docs/explanation/method.md), all in one place. A test changes them
 * one by one, and shows that each is needed. */
#ifndef CM_ANALYSIS_RULES_H
#define CM_ANALYSIS_RULES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cm_rules {
    double deviations;   /* standard errors that a value may be off */
    double stray_counts; /* counts that a run may be off whatever an empty one says */
    double floor;        /* of the payload: stray counts, interrupts */
    double rough_floor;  /* where hits outnumber misses: tolerances from `rough` on */
    double rough;        /* a tolerance that means caches */
    double rough_zero;   /* where hits outnumber misses, of the smallest weight: what a symbol without weight may have
                            there */
    double apart; /* widths of the majority of repetitions that a disturbed one is away from them, where caches are
                     measured */
    double apart_least; /* of the largest count: the least that it is away */
    double crowd;       /* of so many repetitions one must be in a crowd, where no majority lies close together */
    double least;       /* of the largest count, the smallest weight, the tolerance: what is less decides nothing */
    double weight;      /* of a kernel against a symbol in least squares: kernels are many */
    double negligible;  /* of tolerance and smallest weight: a term that contributes less goes */
    double rounding;    /* the most that a coefficient is moved to become simple, where noise does not say more */
    size_t needing;     /* controls that must need what only cancels */
} cm_rules;

extern const cm_rules cm_the_rules;

#endif
