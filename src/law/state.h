/* The state that the parts of the law share. Matrices stand column by column. */
#ifndef CM_LAW_STATE_H
#define CM_LAW_STATE_H

#include <math.h>

#include "core/base.h"
#include "law/law.h"

enum { CM_LAW_CHAINS = 3, CM_LAW_LEVELS = 4 };

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

/* ---- reading.c ---- */

/* Lists the readings that an event may have: metrics' meanings come first. */
cm_status cm_law_find_readable(cm_law *law, cm_error *error);

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

/* The metric's weight of the facts that a speculative alternative is like, the largest; 0: none. */
double cm_law_like(const cm_law_metric *metric, const cm_law_alternative *entry);

/* The count of one occurrence of a fact: bytes come in eights. */
double cm_law_unit(size_t fact);
/* The quantile of which none of so many is expected beyond, in 99.9 % of all cases. */
double cm_law_quantile(size_t count);
/* The largest median of a class, or `least`. `values`: one a program, which are put into another order. */
double cm_law_worst_class(const cm_law_metric *metric, double least, double *values);

#endif
