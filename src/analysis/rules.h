/* The constants of the method (docs/explanation/method.md), all in one place. Everything else that decides follows from
 * these, from the tolerance T of a benchmark, or from what was counted. */
#ifndef CM_ANALYSIS_RULES_H
#define CM_ANALYSIS_RULES_H

#include <stdbool.h>

typedef struct cm_rules {
    double z;       /* standard errors: an interval of 99.9 %, for whatever is to be sure */
    double sure;    /* standard errors: an interval of 95 %, for what is to be within T, and for stray counts */
    double prior;   /* of the metric's weight: an event may miscount a fact by so much, one standard deviation */
    double kin;     /* cosine of two facts' counts on kernels, from which on they nearly go together */
    double largest; /* amplification: what terms count, together, of what the metric is */
    double rate;    /* of instructions: how often a metric happens at least in the programs that judge it */
    double natural; /* of the metric: what the median program of a class may be off */
    double known;   /* of the metric's weight: to so much an alternative is known; a coarser T is that of caches */
    double fit;     /* of the metric: what a kernel may be off, or a term contribute, and not matter */
    double alike;   /* relative: closer counts, coefficients and events are the same */
    double least;   /* of the largest count, the smallest weight, T: less decides nothing */
    double few; /* samples: less often is by chance, one of so many is a crowd, and so many controls prove a number */
} cm_rules;
extern const cm_rules cm_the_rules;

/* Of the metric's weight: next to nothing of what is known. */
static inline double cm_minor(void)
{
    return cm_the_rules.least * cm_the_rules.known;
}

/* Of the metric: a leak that is less matters nowhere: half of what anything is known to. */
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
