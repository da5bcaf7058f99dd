/* The constants of the method (docs/explanation/method.md), all in one place. Everything else that decides follows from
 * these, from the tolerance T of a benchmark, or from counts. */
#ifndef CM_ANALYSIS_RULES_H
#define CM_ANALYSIS_RULES_H

#include <stdbool.h>

typedef struct cm_rules {
    double z;       /* standard errors: an interval of 99.9 %, for whatever is to be sure */
    double sure;    /* standard errors: an interval of 95 %, for values to be within T, and for stray counts */
    double prior;   /* of the metric's weight: an event may miscount a fact by so much, one standard deviation */
    double kin;     /* cosine of two facts' counts on kernels, from which on they nearly go together */
    double largest; /* amplification: the counts of all terms together, in multiples of the metric */
    double rate;    /* of instructions: how often a metric happens at least in the programs that judge it */
    double natural; /* of the metric: the error that the median program of a class may have */
    double known;   /* of the metric's weight: to so much an alternative is known; a coarser T is that of caches */
    double fit;     /* of the metric: an error of a kernel, or a share of a term, that does not matter */
    double alike;   /* relative: closer counts, coefficients and events are the same */
    double least;   /* of the largest count, the smallest weight, T: less decides nothing */
    double few; /* samples: less often is by chance, one of so many is a crowd, and so many controls prove a number */
} cm_rules;
extern const cm_rules cm_the_rules;

/* A share of the metric's weight that is so small beside `known` that it decides nothing. */
static inline double cm_minor(void)
{
    return cm_the_rules.least * cm_the_rules.known;
}

/* A share of the metric, half of `known`: a smaller leak matters nowhere. */
static inline double cm_small_leak(void)
{
    return 0.5 * cm_the_rules.known;
}

/* Whether a tolerance is that of caches: a neighbour is there in all runs, and a mean is no surer than one. */
static inline bool cm_is_rough(double tolerance)
{
    return tolerance >= cm_the_rules.known;
}

#endif
