/* A definition on trial, for the parts of the law that judge it. */
#ifndef CM_LAW_TRIAL_H
#define CM_LAW_TRIAL_H

#include "law/fit.h"

/* The effect of one alternative on a definition. */
typedef struct cm_law_side_effect {
    double weight, deviation; /* the surer of both looks */
    double at_most;           /* of it, an occurrence */
    double near, far;         /* the error in programs, if that is large, and with its interval: the worst class's
                                 median */
} cm_law_side_effect;

typedef struct cm_law_trial {
    const cm_law_metric *metric;
    const cm_law *law;
    cm_law_verdict *verdict;
    cm_law_fit fit;
    const double *strays;                   /* one a kernel */
    double *variances, *errors, *displaced; /* one a kernel; the last: as if a neighbour had moved hits */
    double *numbers;                        /* of all arrays of numbers */
    double *shift, *line, *near, *far;      /* one a program: scratch */
    double *spread;                         /* one a program: the variance of the own facts' error */
    size_t look_count;
    cm_law_look looks[CM_LAW_LOOKS]; /* at errors, and at displaced if these differ */
    double *own[CM_LAW_LOOKS];       /* one a program, by each look: the own facts' error */
    double *far_own;                 /* one a program: the own facts' error with its interval */
    cm_law_side_effect *effects;     /* one an alternative */
    double own_at_most;              /* in any program, by any look, with its interval */
    double *extra;                   /* one a fact: the amount beyond the meaning, as terms are read */
    size_t extra_count, *extras;     /* the facts with such an amount */
    double leaking[CM_LAW_STEPS];    /* of those that the fit chose: at most, an occurrence, by either look */
} cm_law_trial;

/* The effect of so much of the alternative an occurrence, for one of the metric, in the worst class. */
double cm_law_effect(const cm_law_trial *trial, size_t alternative, double weight);
/* Refuses the definition; false. */
bool cm_law_refuse(cm_law_trial *trial, cm_law_finding finding, size_t place, double value, double limit);

/* ---- kernel_off.c ---- */

/* The error of the kernel that fits worst, less the limit there. */
double cm_law_kernel_off(const cm_law_trial *trial, size_t *worst);
/* Whether, on some kernel that does this free fact alone, the definition surely counts more than `least` an occurrence
 * that nothing else explains. */
bool cm_law_counts_alone(const cm_law_trial *trial, size_t alternative, double least);
/* Vendors may disagree whether a prefetch is a load, but not by its hit or miss: refuses a definition that counts a
 * prefetch that misses otherwise than one that hits. */
bool cm_law_free_agree(cm_law_trial *trial, double limit);

/* ---- range.c ---- */

/* Whether so much of an alternative is counted that it is that share of the metric, as surely as this is known. */
bool cm_law_is_share(const cm_law_trial *trial, size_t alternative, double weight, double share);

/* Finds the leaks, and the range in which the definition holds, from all looks; or refuses it. */
cm_status cm_law_find_range(cm_law_trial *trial, cm_error *error);

/* Whether the definition may be used in a program, one of the metric's. */
bool cm_law_is_in_range(const cm_law_trial *trial, size_t program);

/* ---- read_terms.c ---- */

/* Refuses a definition whose terms, each read by itself, come to something else in natural programs. */
void cm_law_hold_to_reading(cm_law_trial *trial, const cm_law_counts *counts);

#endif
