/* A fit to kernels: the error in the metric's own facts, and of one alternative at a time beside them. */
#ifndef CM_LAW_FIT_H
#define CM_LAW_FIT_H

#include "analysis/numerics.h"
#include "law/state.h"

enum { CM_LAW_STEPS = 5 }; /* of a definition leaks, and of an event facts, that are found at most */

/* The own facts of the metric with their error, the machine's part, and the leaks that were found. */
typedef struct cm_law_fit {
    const cm_law_metric *metric;
    double amplification;
    const double *variances;                   /* one a kernel; infinity: nothing is known of it */
    size_t base;                               /* columns before those of leaks: the metric's, and what a run strays */
    size_t columns;                            /* of `block` */
    size_t chosen_count, chosen[CM_LAW_STEPS]; /* alternatives */
    double *block;                             /* kernels x columns */
    double *covariance;                        /* columns x columns */
    double *estimate;                          /* one a column */
    double *in_programs;                       /* programs x (own facts + chosen): of each, for one of the metric */
    double *most_in_programs;                  /* of each of these in any program */
    double *weights, *roots;                   /* one a kernel, and of each the square root */
    cm_least_squares *squares;                 /* of the block, weighted, above what is known beforehand; or NULL */
    double size;                               /* of the weighted errors */
    double *residual, *vector;                 /* one a kernel and a column */
    double *aims, *step;                       /* scratch: likewise, of two looks; 2 x columns */
} cm_law_fit;

/* A look at the counts: errors, and the rest that a fit to them left. */
typedef struct cm_law_look {
    const double *errors; /* one a kernel */
    double *residual;     /* one a kernel and a column */
} cm_law_look;

enum { CM_LAW_LOOKS = 2 };

/* `strays`: the error of each kernel, an iteration, because every run counts the same few. */
cm_status cm_law_fit_create(const cm_law_metric *metric, double amplification, const double *variances,
                            const double *strays, cm_law_fit *fit, cm_error *error);
void cm_law_fit_clear(cm_law_fit *fit);
/* Takes the alternative, of which so much seems to be counted, for one of the block's columns. */
void cm_law_fit_choose(cm_law_fit *fit, size_t alternative, double weight);
/* Fills estimate, covariance and residual for these errors, counted - meant, one a kernel; CM_BAD_INPUT if numbers
 * cannot hold them. */
cm_status cm_law_fit_solve(cm_law_fit *fit, const double *errors, cm_error *error);

/* One alternative beside the fit: by each of one or two looks its weight, and the standard deviation of that. `sure`:
 * by its amounts that kernels surely have, whatever the machine decides. */
void cm_law_fit_beside(cm_law_fit *fit, size_t alternative, bool sure, const cm_law_look *looks, size_t count,
                       double *weights, double *deviation);
/* The error per occurrence of the metric that a weight of 1 adds in programs, of the alternative that cm_law_fit_beside
 * had last: the most in any program; and that in each, which takes longer. */
double cm_law_fit_most_shift(const cm_law_fit *fit, size_t alternative);
void cm_law_fit_shift(cm_law_fit *fit, size_t alternative, double *shift);

/* Whether the last errors may show so many standard deviations of an alternative that vendors agree about: cheaper than
 * its weight, and true rather than false. */
bool cm_law_fit_may_show(cm_law_fit *fit, size_t alternative, double deviations);

/* The largest weight of an alternative that anybody expects of an event. */
double cm_law_fit_prior(const cm_law_fit *fit, size_t alternative);

#endif
