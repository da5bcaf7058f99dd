/* The constants of the search and of events (docs/explanation/method.md), all in one place; those of the law are in
 * law/law.h. */
#ifndef CM_ANALYSIS_RULES_H
#define CM_ANALYSIS_RULES_H

typedef struct cm_rules {
    double deviations;   /* standard errors that a value may be off: one of 16,000 normal ones is further away */
    double sure;         /* standard errors of 95 %: a definition's must be within the tolerance */
    double stray_counts; /* counts that a run may be off whatever an empty one says */
    double rough;        /* a tolerance that means caches: a neighbour is there in all runs, and a mean is no surer */
    double floor;        /* lack of fit of a kernel, of what it does: interrupts */
    double rough_floor;  /* the same in caches, and of the smallest weight: what is as little is no hit or miss */
    double apart;        /* widths of the majority of repetitions that an outlier is away from them */
    double alike;        /* relative: closer values are the same, of repetitions, coefficients and events */
    double least;        /* of the largest count, the smallest weight, the tolerance: what is less decides nothing */
    double negligible;   /* of tolerance and smallest weight: a term that contributes less goes */
    double weight;       /* of a kernel against a symbol in least squares: kernels are many, and alike */
    double few; /* less often is by chance: one of so many repetitions is in a crowd, so many controls need what
                   only cancels, or prove a coefficient that is no simple number */
} cm_rules;

extern const cm_rules cm_the_rules;

#endif
