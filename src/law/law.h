/* The law (docs/explanation/method.md): the error of a definition is linear in facts. Kernels bound it, and the rest is
 * judged in natural programs, class by class. Numbers in and numbers out. */
#ifndef CM_LAW_LAW_H
#define CM_LAW_LAW_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#include "programs/programs.h"
#include "verify/verify.h"

/* A kernel whose counts are looked at. */
typedef struct cm_law_kernel {
    const cm_kernel_facts *facts;    /* an iteration */
    bool home;                       /* of the metric's own benchmark */
    bool free;                       /* for facts that vendors disagree about */
    bool loops;                      /* not the empty one */
    const cm_kernel_facts *twins[2]; /* NULL, or the two kernels whose difference it is */
} cm_law_kernel;

/* An alternative: a fact or facts that a definition may count beside its metric. */
typedef enum cm_law_sort {
    CM_LAW_FACT,
    CM_LAW_TURN,       /* once an iteration of a loop */
    CM_LAW_DERIVED,    /* fact */
    CM_LAW_MEANT,      /* metric `fact`: no alternative */
    CM_LAW_DIFFERENCE, /* fact - ratio x other, which nearly go together */
    CM_LAW_PAIR,       /* the lesser of both: facts that meet */
} cm_law_sort;

typedef struct cm_law_alternative {
    cm_law_sort sort;
    size_t fact, other;
    double ratio;
    bool is_free;          /* a fact that vendors disagree about */
    bool is_speculative;   /* of wrong paths only */
    bool is_untried;       /* programs have it, and no kernel does it */
    const double *weights; /* of a derived fact: of its parts, which end with SIZE_MAX */
    const size_t *parts;
} cm_law_alternative;

/* The amount of an alternative in code with these facts, and the part of it that the machine decides. */
double cm_law_amount(const cm_law_alternative *alternative, const double *facts, double turns);
double cm_law_bound(const cm_law_alternative *alternative, const double *facts, const double *ranges);
/* Whether a kernel does it, of which the machine decides `range`: for sure, or so much that it would show. */
bool cm_law_is_done(double amount, double range);

typedef struct cm_law cm_law;

/* The setup of a benchmark's law. `metrics`: weights of facts, cm_fact_count() a metric. `interference`: the largest
 * share of hits that a neighbour moves one level down. All stay the caller's, and must outlive the law. */
typedef struct cm_law_setup {
    const cm_fact_table *facts;
    const cm_natural *natural;
    const cm_law_kernel *kernels;
    size_t kernel_count;
    const double *metrics;
    size_t metric_count;
    double interference;
} cm_law_setup;

cm_status cm_law_create(const cm_law_setup *setup, cm_law **law, cm_error *error);
void cm_law_free(cm_law *law);
const cm_law_alternative *cm_law_alternative_at(const cm_law *law, size_t alternative);

typedef struct cm_law_metric cm_law_metric;

/* Leaves *metric NULL if the kernels do nothing of the metric's meaning. */
cm_status cm_law_metric_create(const cm_law *law, const double *weights, double tolerance, cm_law_metric **metric,
                               cm_error *error);
void cm_law_metric_free(cm_law_metric *metric);
/* The least that an occurrence of a fact of the metric counts: 8 bytes, else 1. */
double cm_law_metric_unit(const cm_law_metric *metric);

typedef enum cm_law_finding {
    CM_LAW_HOLDS,     /* in every class of natural programs */
    CM_LAW_IN_RANGE,  /* if the metric is frequent enough: `ranges` */
    CM_LAW_AMPLIFIED, /* its terms count far more than the metric is */
    CM_LAW_KERNEL,    /* `place`: a kernel that does not fit */
    CM_LAW_NOISY,
    CM_LAW_OWN,    /* `place`: a fact of the metric, miscounted */
    CM_LAW_COUNTS, /* `place`: an alternative that it counts */
    CM_LAW_LEAK,   /* `place`: a fact that is most of an event, which hardly counts it */
    CM_LAW_READ,   /* `place`: a fact that its terms count, each read by itself */
} cm_law_finding;

/* At most so much of an alternative an occurrence; the metric must happen so often for each of it (0: no range). */
typedef struct cm_law_leak {
    size_t alternative;
    double at_most, above;
    bool found; /* it is there, beside the others that were found; else kernels leave it open, one at a time */
} cm_law_leak;

enum { CM_LAW_NAMED = 20 }; /* alternatives that are no facts and are named as not told, at most */

typedef struct cm_law_verdict {
    cm_law_finding finding;
    size_t place;
    double value, limit; /* there */
    double share;        /* of the natural programs that do the metric, those in which it holds */
    double own;          /* relative: its own facts may be miscounted by so much, at most */
    double rest;         /* all that is no leak and not open comes to so much an instruction, in natural programs */
    size_t leak_count, open_count, untold_count, also_count;
    size_t untold_facts;   /* of those untold, which stand first */
    size_t unnamed;        /* so many more are untold */
    cm_law_leak *leaks;    /* facts that it may count, if that matters in some class */
    cm_law_leak *open;     /* alternatives that kernels leave open beside these, if more than nothing in some class */
    size_t *untold, *also; /* alternatives: no kernel tells them; facts that vendors disagree about and it counts */
} cm_law_verdict;

/* A term, read by itself: so much of each fact, and behind them of turns of loops. */
typedef struct cm_law_term {
    double coefficient;
    const double *facts;
    const double *most; /* of each fact at most, since no kernel shows more; NULL: not known */
} cm_law_term;

/* The counts of a definition: one each a kernel, an iteration. */
typedef struct cm_law_counts {
    const double *values;    /* NAN: not known */
    const double *variances; /* of these */
    const double *strays;    /* their errors because every run counts the same few */
    const double *read;      /* all terms together, as each is read by itself; NULL: not known */
    size_t term_count;
    const cm_law_term *terms;
} cm_law_counts;

/* Reads an event's facts from its counts: adds so much of each fact, and behind them of turns of loops. *known: a few
 * facts explain it. `most`: one a fact, so much of an occurrence at most (INFINITY: no kernel does it). */
cm_status cm_law_read(const cm_law *law, const cm_law_counts *counts, double *facts, double *most, bool *known,
                      cm_error *error);

/* Judges a definition by its counts. The caller clears the verdict. */
cm_status cm_law_judge(const cm_law_metric *metric, const cm_law_counts *counts, double amplification,
                       cm_law_verdict *verdict, cm_error *error);
void cm_law_verdict_clear(cm_law_verdict *verdict);

#endif
