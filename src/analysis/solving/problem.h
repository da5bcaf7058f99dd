/* A benchmark whose metrics are to be defined: its events' counts on all kernels, those that were fitted and the
 * controls. Everything is per iteration. A row is a kernel: first the fitted ones, then the controls. */
#ifndef CM_SOLVING_PROBLEM_H
#define CM_SOLVING_PROBLEM_H

#include <catmint/analysis.h>

/* An event that definitions may use. */
typedef struct cm_usable_event {
    size_t index; /* of the analysis */
    double noise;
    double slack;    /* counts by which a run may be off */
    double norm;     /* of x */
    const double *x; /* its representation, one element a symbol */
    double *mean;    /* one a row; NaN if it was not counted there */
    double *error;   /* standard error of the mean */
    double *whole; /* the mean of all repetitions, disturbed ones too; of kernels alone, in the rows before programs' */
    double *runs;  /* NULL, or the repetitions on every row, for the noise of sums */
} cm_usable_event;

typedef struct cm_problem cm_problem;
typedef struct cm_target cm_target;
typedef struct cm_term cm_term;
typedef struct cm_verdict cm_verdict;

/* The last word on terms that are near a metric: fills refusal, share and ratio. Leaves the verdict as it is where it
 * knows nothing of the metric. */
typedef cm_status (*cm_judge_near)(void *context, const cm_target *target, const cm_term *terms, size_t count,
                                   cm_verdict *verdict, cm_error *error);

/* The standard errors of a sum on all rows by its own repetitions: of counts that are noisy alone and exact together.
 * NULL where the terms are independent, or memory ran out. Valid until the next call. */
typedef const double *(*cm_errors_of_sum)(void *context, const cm_term *terms, size_t count);

struct cm_problem {
    const cm_analysis *analysis;
    size_t symbols, fitted, rows;
    size_t programs;        /* of the rows, the last ones: they propose events and judge, and kernels alone solve */
    size_t difference;      /* row of the difference of two controls, which is no kernel; 0: none */
    const cm_matrix *basis; /* fitted x symbols */
    double *payloads;       /* of the fitted kernels */
    double *iterations;     /* one a row; infinity where unknown */
    double *hits;           /* one a row: in first-level caches, an iteration */
    double *trust;          /* one a row: the weight of its own noise in what is pooled (cm_spread) */
    double interference;    /* of the hits, so many at most are moved one level down by a neighbour */
    const char **kernels;   /* names of the rows */
    double tolerance, amplification;
    bool rough; /* hits outnumber misses: what is small is judged less sharply */
    size_t event_count;
    cm_usable_event *events;
    size_t selected_count;
    size_t *selected; /* places in `events`, in pivot order */
    const volatile int *stop;
    cm_judge_near judge; /* NULL: none */
    void *judge_context;
    cm_errors_of_sum errors_of; /* NULL: all terms are independent */
    void *errors_context;
};

/* A metric: its signature, and what it means on every row. */
struct cm_target {
    size_t metric; /* of the signatures */
    const double *signature;
    double *low, *high;    /* one a row: equal on fitted kernels, an interval on controls that the machine has a say in;
                              NaN    where the meaning is not known */
    double smallest;       /* the smallest weight of the signature */
    double *symbol_limits; /* by how much a symbol may be off */
    double *limits;        /* by how much a row may be off, noise aside */
};

/* Fills the limits, for whose arrays there is room. */
void cm_target_limit(const cm_problem *problem, cm_target *target);

struct cm_term {
    size_t event; /* place in the problem's events */
    double coefficient;
};

/* The reason why a definition is refused. */
typedef enum cm_refusal {
    CM_REFUSED_NOT,
    CM_REFUSED_EMPTY, /* no term */
    CM_REFUSED_SYMBOL,
    CM_REFUSED_OTHERS, /* all symbols together that the metric does not have */
    CM_REFUSED_KERNEL,
    CM_REFUSED_AMPLIFICATION,
    CM_REFUSED_CONTROL,
    CM_REFUSED_NOISE,
    CM_REFUSED_LAW,          /* it would be off in natural programs: the definition's open questions say why */
    CM_REFUSED_UNCONTROLLED, /* more coefficients that are no simple numbers than control kernels prove */
} cm_refusal;

struct cm_verdict {
    cm_refusal refusal;
    double share; /* of natural programs that do the metric, those in which the definition holds: 1, or a range */
    size_t place; /* the symbol or the row */
    double value, expected, limit; /* there; of an interval the end that is nearer */
    double ratio;                  /* by how much the limit is exceeded; of what is allowed */
    size_t controls;               /* control rows that were looked at */
    double worst_control;          /* the largest deviation there, relative to what is meant (or to its floor) */
    size_t worst_row;
};

/* Judges by symbols and rows alone. */
cm_verdict cm_judge_terms(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count);
/* Judges by the problem's last word if the terms are near the metric. */
cm_status cm_give_verdict(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                          cm_verdict *verdict, cm_error *error);
/* Judges by the rows from `first` on alone, and adds to a verdict that is empty or found already. */
void cm_judge_rows(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count, size_t first,
                   cm_verdict *verdict);

/* Coefficients that are no simple numbers fit what the kernels do, and programs do other things: one, and a second with
 * a few controls where the definition holds everywhere and neither multiplies an event. */
void cm_judge_uncontrolled(const cm_term *terms, size_t count, cm_verdict *verdict);

/* The size of an event: its representation in symbols, or a hundredth of its count on the control on which it counts
 * most. */
double cm_event_size(const cm_problem *problem, const cm_usable_event *event);
/* Value and standard error of the terms on a row. False if one of them was not counted there. */
bool cm_value_on(const cm_problem *problem, const cm_term *terms, size_t count, size_t row, double *value,
                 double *error);
/* The most that the terms count once a run, whatever the kernel does; per iteration of the row. */
double cm_stray_counts_on(const cm_problem *problem, const cm_term *terms, size_t count, size_t row);
/* The largest error allowed to the terms on a row; NaN if the meaning or a count is not known. */
double cm_limit_on(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count, size_t row);

/* The counts of all terms together, relative to the metric. */
double cm_amplification_of(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count);

/* Whether the row's meaning is one number. */
bool cm_is_exact(const cm_target *target, size_t row);

/* ---- refit.c ---- */

/* A definition over some events: solved, then with simple numbers where these stand the same test. */
typedef struct cm_solution {
    size_t count;
    cm_term *terms; /* as defined: rounded where that holds */
    double *solved; /* the coefficients before rounding */
    double *widths; /* half the width of their intervals */
    cm_verdict verdict;
} cm_solution;

/* Joint least squares of symbols and exact kernels; terms that contribute nothing go. `events`: places; room for
 * `count` in the solution's arrays, which the caller frees with cm_solution_clear. */
cm_status cm_refit_events(const cm_problem *problem, const cm_target *target, const size_t *events, size_t count,
                          cm_solution *solution, cm_error *error);

/* ---- solution.c ---- */

/* Room for so many terms, of which there is none yet. The caller clears it. */
cm_status cm_solution_create(size_t count, cm_solution *solution, cm_error *error);
cm_status cm_solution_copy(const cm_solution *from, cm_solution *copy, cm_error *error);
void cm_solution_clear(cm_solution *solution);
/* Whether it is a definition, if only in a range; and whether it holds everywhere. */
bool cm_solution_is_usable(const cm_solution *solution);
bool cm_solution_holds(const cm_solution *solution);
/* Whether the first is nearer to a definition: it is one; it cancels exactly; it holds in more programs; or it has
 * terms, and is refused less. */
bool cm_solution_is_better(const cm_solution *one, const cm_solution *other);
/* Whether nothing is subtracted, or all coefficients are simple numbers: by others what is to cancel does so as far
 * only as the kernels have it, and programs may have more of it. */
bool cm_cancels_exactly(const cm_term *terms, size_t count);
bool cm_are_simple(const cm_term *terms, size_t count);
void cm_solution_exchange(cm_solution *one, cm_solution *other);

/* ---- prune.c ---- */

/* Leaves out terms without which the definition holds as well, the least first. */
cm_status cm_prune_solution(const cm_problem *problem, const cm_target *target, cm_solution *solution, cm_error *error);

/* ---- pool.c ---- */

/* Up to this many events, all are tried. */
enum { CM_MANY_EVENTS = 320 };
/* A few hundred usable events that do not count the same as one before them, in their order; of more those of whose
 * counts the metric has most. A row is a symbol, or a kernel whose meaning is known, in what it may be off. */
typedef struct cm_pool {
    const cm_problem *problem;
    const cm_target *target;
    size_t columns, rows;
    size_t exact;       /* of the rows: symbols, and kernels whose meaning is one number */
    size_t *events;     /* places, one a column */
    double *costs;      /* counts of one of a column, relative to the metric */
    double *matrix;     /* rows x columns, a row after another, of a column's worth of the metric */
    double *low, *high; /* the metric's value on each row */
} cm_pool;
/* `usable`: one an event. */
cm_status cm_pool_make(const cm_problem *problem, const cm_target *target, const bool *usable, cm_pool *pool,
                       cm_error *error);
void cm_pool_clear(cm_pool *pool);
/* Products of columns with each other over the first so many rows: the lower half. NULL: memory ran out. */
double *cm_pool_products(const cm_pool *pool, size_t rows);

/* ---- sparse.c ---- */

/* Sets of few events that together come near the metric, sparser ones later: calls `take` with each until it says to
 * stop. */
typedef cm_status (*cm_take_events)(void *context, const size_t *events, size_t count, bool *stop, cm_error *error);
cm_status cm_find_sparse(const cm_pool *pool, cm_take_events take, void *context, cm_error *error);

/* ---- few.c ---- */

/* Sets of at most `most` events that together are near the metric, smaller ones first. */
cm_status cm_find_few(const cm_pool *pool, size_t most, cm_take_events take, void *context, cm_error *error);

/* ---- solve.c ---- */

/* The definition of a metric by the events that are `usable` (one an event; NULL: all), with at most `most` terms (0:
 * any number). If none holds, the best that was tried, with its refusal. */
cm_status cm_solve_metric(const cm_problem *problem, const cm_target *target, const bool *usable, size_t most,
                          cm_solution *solution, cm_error *error);

#endif
