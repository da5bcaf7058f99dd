/* The state that the parts of the law share. Matrices stand column by column. */
#ifndef CM_LAW_STATE_H
#define CM_LAW_STATE_H

#include "analysis/numerics.h"
#include "law/law.h"

enum {
    CM_LAW_CHAINS = 3,
    CM_LAW_LEVELS = 4,
    CM_LAW_STEPS = 5, /* of a definition leaks, and of an event facts, that are found at most */
    CM_LAW_SETS = 4,  /* sets of facts that are kept while more are sought */
};

/* The share of a figure that rounding may change. */
#define CM_LAW_ROUNDING 1e-9

struct cm_law {
    cm_law_setup setup;
    cm_arena arena;
    bool *lacking;                    /* one a fact: the machine has none of it */
    bool *tried;                      /* likewise: a kernel does it */
    bool *sure;                       /* likewise: and that is not all for the machine to decide */
    size_t count;                     /* alternatives */
    size_t total;                     /* these, and behind them metrics' meanings */
    size_t readable_count, *readable; /* of all: those that an event may be read as */
    double quantile;                  /* of them: standard errors from which on one is there for sure */
    cm_law_alternative *alternatives;
    double *kernels;  /* kernels x alternatives: amounts on each kernel */
    double *bounds;   /* likewise: the parts that the machine decides */
    double *programs; /* natural programs x alternatives */
    double *sizes;    /* one an alternative: the most that an occurrence may be counted, of the metric's weight */
    double *most;     /* one an alternative: in the program that does most of it */
    size_t *alone; /* one a kernel: the only free alternative that it does; it is none if there are none or several */
};

/* The facts that levels of caches serve, the first level first. */
extern const size_t cm_law_served[CM_LAW_CHAINS][CM_LAW_LEVELS];

/* How much of an alternative natural programs have, for one of the metric. */
typedef struct cm_law_extreme {
    bool known, is_typical_known;
    double most, most_rare; /* in any program that judges; likewise of those that seldom do the metric */
    double typical;         /* the worst class's median */
} cm_law_extreme;

struct cm_law_metric {
    const cm_law *law;
    double tolerance;
    const double *weights;
    size_t own_count, block_count; /* facts of the metric; behind them the machine's parts */
    size_t *own;
    double smallest, middle; /* of its weights, of an occurrence */
    double unit;             /* the least that an occurrence counts */
    double *meant, *scale;   /* one a kernel: the metric's amount; the scale of deviations */
    double *block;           /* kernels x block_count */
    double *displaced,
        *displaced_allowance; /* one a kernel: the amount that a neighbour leaves, and the allowance for that */
    double *machine_share;    /* one a kernel: the most of the metric that the machine decides */
    size_t program_count;     /* those that judge */
    size_t rare_count;        /* those after them, too, which seldom do the metric */
    size_t *programs;         /* natural programs that do the metric, class by class */
    double *meanings;         /* there */
    size_t group_count;       /* classes of them */
    size_t *groups;           /* the beginning of each; one more at the end */
    bool *relevant;           /* one an alternative: no part of the metric, and some in programs */
    cm_law_extreme *extremes; /* one an alternative, found when one is asked for */
    double *line;             /* one a program: scratch */
};

/* ---- lacking.c ---- */

/* Finds the facts that the machine has none of; makes room for those that a kernel does. */
cm_status cm_law_find_lacking(cm_law *law, cm_error *error);
/* A fact of the metric that depends on the level that serves, and that no kernel surely does, so that nothing shows
 * whether it is counted; SIZE_MAX: there is none. A metric that weighs all levels alike has none. */
size_t cm_law_unserved(const cm_law_metric *metric);

/* ---- reading.c ---- */

/* Lists the readings that an event may have: metrics' meanings come first. */
cm_status cm_law_find_readable(cm_law *law, cm_error *error);

/* ---- sets.c ---- */

/* Sets of `size` alternatives that leave least of an event's counts, the least first. */
typedef struct cm_law_sets {
    size_t count, size;
    double left[CM_LAW_SETS];
    size_t chosen[CM_LAW_SETS][CM_LAW_STEPS];
} cm_law_sets;

/* Whether one rest is less than the other; of those that leave about as much the first stays. */
bool cm_law_leaves_less(double left, double other);
/* Whether no set that is kept has the same members, and the last one is in it once. */
bool cm_law_is_new_set(const cm_law_sets *sets, const size_t *chosen);
/* Keeps a set in its place if it is one of those that leave least; `chosen`: CM_LAW_STEPS numbers. */
void cm_law_keep_set(cm_law_sets *sets, const size_t *chosen, double left);

/* ---- extremes.c ---- */

/* How often a program of the metric does the alternative, per occurrence of the metric. */
static inline double cm_law_in_program(const cm_law_metric *metric, size_t alternative, size_t program)
{
    return metric->law->programs[alternative * metric->law->setup.natural->count + metric->programs[program]] /
           fabs(metric->meanings[program]);
}

/* How often, per occurrence of the metric, programs do the alternative: at most in any of them, and in the median of
 * the worst class. Both times a weight are, bit by bit, those of the alternative times that weight. */
const cm_law_extreme *cm_law_extreme_of(const cm_law_metric *metric, size_t alternative);
double cm_law_typical(const cm_law_metric *metric, size_t alternative);

/* ---- metric.c, alternatives.c, judge.c ---- */

/* The weight of the facts that a speculative alternative is like, the largest; 0: none. */
double cm_law_like(const cm_law *law, const cm_law_alternative *entry, const double *weights);

/* The count of one occurrence of a fact: bytes come in eights. */
double cm_law_unit(size_t fact);
/* The quantile of which none of so many is expected beyond, in 99.9 % of all cases. */
double cm_law_quantile(size_t count);
/* The largest median of a class, or `least`. `values`: one a program, which are put into another order. */
double cm_law_worst_class(const cm_law_metric *metric, double least, double *values);

/* ---- A fit to kernels: the error in the metric's own facts, and of one alternative at a time beside them ---- */

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

/* ---- A definition on trial, for the parts of the law that judge it ---- */

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
    const cm_law_counts *counts;
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
