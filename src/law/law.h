/* The law (docs/explanation/method.md): the error of a definition is linear in facts. Kernels bound it, and the rest is
 * judged in natural programs, class by class. Numbers in and numbers out. */
#ifndef CM_LAW_LAW_H
#define CM_LAW_LAW_H

#include "analysis/solving/problem.h"
#include "core/base.h"
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
    bool is_alike;         /* the difference of a fact from one that every kernel does as often */
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

/* ---- The law over the counts of a sweep: one verdict on terms, whoever asks for it: a search, an audit, an
 * explanation ---- */

typedef struct cm_counted_law cm_counted_law;

/* The difference of two kernels that mispredict equally often, whatever the machine decides: it decides nothing of the
 * difference. NULL: memory ran out. */
const cm_kernel_facts *cm_law_difference(cm_arena *arena, const cm_kernel_facts *const *twins, const char *name);

/* A sweep's kernels and the counts of events on them. The arrays and all that they point to are the caller's, and must
 * outlive the law. */
typedef struct cm_counted_setup {
    cm_fact_table *facts;
    const cm_problem *problem; /* events, and the iterations of every row */
    size_t kernel_count;
    const cm_law_kernel *kernels;
    const size_t *rows;    /* one a kernel */
    size_t known;          /* rows of the problem now: rows that come later stand here, before the others */
    const double *metrics; /* weights of facts, cm_fact_count() a metric */
    const bool *meant;     /* one a metric: its meaning is known */
    size_t metric_count;
    double interference; /* of hits, a neighbour moves so many one level down, at most */
} cm_counted_setup;

cm_status cm_counted_law_create(const cm_counted_setup *setup, cm_counted_law **law, cm_error *error);
void cm_counted_law_free(cm_counted_law *law);

/* The largest share of hits that a neighbour moves, by the event that counts the fewest moves, as each counts all;
 * cm_minor() at most. The interference of `setup` is not used. */
double cm_find_interference(const cm_counted_setup *setup, const cm_usable_event *const *events, size_t count);

/* Judges terms that should be the target's metric (a target without signature has nothing more); the law keeps the
 * verdict. NULL if the metric's meaning is not known, or no kernel does it. */
cm_status cm_counted_law_judge(cm_counted_law *law, const cm_target *target, const cm_term *terms, size_t count,
                               const cm_law_verdict **verdict, cm_error *error);
/* Adds how much of each fact terms count, each read by itself, whether or not they cancel; of a term that cannot be
 * read, nothing. */
cm_status cm_counted_law_parts(cm_counted_law *law, const cm_term *terms, size_t count, double *parts, cm_error *error);
/* The problem's last word: the law, and rows that came later. A cm_judge_near. */
cm_status cm_counted_law_describe(void *law, const cm_target *target, const cm_term *terms, size_t count,
                                  cm_verdict *verdict, cm_error *error);

/* Whether the law has nothing against a definition, at least in a range. */
bool cm_law_allows(const cm_law_verdict *verdict);

/* ---- words.c ---- */

const cm_counted_setup *cm_counted_law_setup(const cm_counted_law *law);
const cm_law_alternative *cm_counted_law_alternative(const cm_counted_law *law, size_t alternative);
/* The name of an alternative of its verdicts, or NULL; the caller frees it. */
char *cm_law_words(const cm_counted_law *law, size_t alternative);
/* A metric's meaning, as a fact or a sum of facts; likewise. */
char *cm_law_meaning(const cm_counted_law *law, size_t metric);
/* A fact, or two that meet or go together, which no kernel tells; likewise. */
char *cm_law_untold(const cm_counted_law *law, size_t alternative);
/* Whether a kernel that the law looks at does the fact. */
bool cm_law_is_run(const cm_counted_law *law, size_t fact);
/* Finds the facts that no kernel has: of these, and of those that the verdict (NULL: none) leaves untold; the parts of
 * a derived fact as that one. `found` has space for all of both; returns how many there are. */
size_t cm_law_not_run(const cm_counted_law *law, const size_t *facts, size_t count, const cm_law_verdict *verdict,
                      size_t *found);
enum { CM_REFUSAL_TEXT = 512 };
/* Why the law refuses a definition, with figures; "" if it does not. */
void cm_law_refusal_text(const cm_counted_law *law, const cm_law_verdict *verdict, char *text, size_t size);
/* Why symbols and rows alone refuse terms, likewise; `place`: the name of the symbol or the kernel. */
void cm_refusal_words(const cm_verdict *found, const char *place, char *text, size_t size);

/* ---- numbers.c ---- */

/* For terms, in whichever order. */
uint64_t cm_number_of_terms(size_t metric, const cm_term *terms, size_t count);
/* For values after others, whose number is `sum`: bit by bit. */
uint64_t cm_number_of_values(uint64_t sum, const double *values, size_t count);
/* For all that the law asks of counts. */
uint64_t cm_number_of_counts(size_t metric, const cm_law_counts *counts, size_t kernels, double amplification);

/* ---- the noise of sums, from their own repetitions: counts that are noisy alone may be exact together ---- */

enum { CM_NO_TABLE = 0 };

/* The source of a row's counts. */
typedef struct cm_noise_row {
    size_t table;   /* numbered from 1; CM_NO_TABLE: its repetitions are not known */
    size_t counted; /* place in the events' runs */
} cm_noise_row;

typedef struct cm_sum_noise cm_sum_noise;

/* Hits in first-level caches, an iteration. */
double cm_first_level_hits(const cm_kernel_facts *kernel);

/* Lets the problem ask for the noise of sums on so many rows, `trust` one each (analysis/numerics.h), of which some may
 * stand behind its own. Leaves *noise NULL if no event has runs. */
cm_status cm_sum_noise_create(cm_problem *problem, const cm_noise_row *rows, const double *trust, size_t row_count,
                              size_t repetitions, cm_sum_noise **noise, cm_error *error);
void cm_sum_noise_free(cm_sum_noise *noise);

/* The factor by which the error of a mean exceeds that of so many independent runs: a neighbour adds misses in every
 * long run, and their average does not fall with repetitions, so that for caches, a mean is no surer than a run. */
double cm_runs_of_mean(const cm_problem *problem, size_t repetitions);

#endif
