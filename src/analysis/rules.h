/* The constants of the method (docs/explanation/method.md), all in one place. */
#ifndef CM_ANALYSIS_RULES_H
#define CM_ANALYSIS_RULES_H

typedef struct cm_rules {
    double z;       /* standard errors of an interval of 99.9 % */
    double prior;   /* an event may miscount a fact by so much of the metric's weight: one standard deviation */
    double kin;     /* cosine from which on facts nearly go together */
    double largest; /* amplification: what terms count, together, of what the metric is */
    double rate;    /* of instructions: how often a metric happens at least in the programs that judge it */
    double known;   /* an alternative that is known to so much of the metric's weight gives a range, else a name */
    double fit;     /* a kernel may be off: a hundred runs of few iterations stray by as much */
    double natural; /* what the median program of a class may be off */
    double sure;    /* standard errors of 95 %: a definition's must be within the tolerance */
    double alike;   /* relative: closer values are the same, of repetitions, coefficients and events */
    double least;   /* of the largest count, the smallest weight, the tolerance: less decides nothing */
    double few;     /* less often is by chance: one of so many repetitions is in a crowd, so many controls need what
                       only cancels, or prove a coefficient that is no simple number */
} cm_rules;
extern const cm_rules cm_the_rules;

/* Of the metric's weight: next to nothing of what is known. */
static inline double cm_minor(void)
{
    return cm_the_rules.least * cm_the_rules.known;
}

#endif
