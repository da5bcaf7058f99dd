/* What kernels say of a definition: the error in the metric's own facts, and of one alternative at a time beside them.
 */
#ifndef CM_LAW_FIT_H
#define CM_LAW_FIT_H

#include "analysis/linear.h"
#include "law/state.h"

enum { CM_LAW_STEPS = 5 }; /* leaks that are found at most */

/* The own facts of the metric with their error, what the machine decides, and the leaks that were found. */
typedef struct cm_law_fit {
    const cm_law_metric *metric;
    double amplification;
    const double *errors;                      /* one a kernel: counted - meant */
    const double *variances;                   /* one a kernel; infinity: nothing is known of it */
    size_t base;                               /* columns before those of leaks: the metric's, and what a run strays */
    size_t columns;                            /* of `block` */
    size_t chosen_count, chosen[CM_LAW_STEPS]; /* alternatives */
    double *block;                             /* kernels x columns */
    double *covariance;                        /* columns x columns */
    double *estimate;                          /* one a column */
    double *in_programs;                       /* programs x (own facts + chosen): of each, for one of the metric */
    double *weights, *roots;                   /* one a kernel, and of each the square root */
    cm_least_squares *squares;                 /* of the block, weighted, above what is known beforehand */
    double *residual, *aims, *vector, *step;   /* room: of the three, one a kernel and a column; 2 x columns */
} cm_law_fit;

/* `strays`: what each kernel may be off, an iteration, because every run counts the same few. */
cm_status cm_law_fit_create(const cm_law_metric *metric, double amplification, const double *variances,
                            const double *strays, cm_law_fit *fit, cm_error *error);
void cm_law_fit_clear(cm_law_fit *fit);
/* Takes the alternative, of which so much seems to be counted, for one of the block's columns. */
void cm_law_fit_choose(cm_law_fit *fit, size_t alternative, double weight);
/* Fills estimate and covariance for these errors; CM_BAD_INPUT where numbers cannot hold them. */
cm_status cm_law_fit_solve(cm_law_fit *fit, const double *errors, cm_error *error);

/* One alternative beside the fit: its weight and the standard deviation of that. `sure`: by what kernels surely do of
 * it, whatever the machine decides. Fills `shift` (NULL: nobody asks), one a program: what the alternative adds there
 * to the error of one of the metric, for each of its weight. */
void cm_law_fit_beside(cm_law_fit *fit, size_t alternative, bool sure, double *weight, double *deviation,
                       double *shift);

/* Of an alternative: the weight at most that anybody expects of an event. */
double cm_law_fit_prior(const cm_law_fit *fit, size_t alternative);

#endif
