/* The contents of a cm_analysis. */
#ifndef CM_ANALYSIS_STATE_H
#define CM_ANALYSIS_STATE_H

#include <catmint/analysis.h>

#include "analysis/numerics.h"
#include "core/base.h"

/* ---- conditions.c: how kernels were run, and what of their counts is known
 * beforehand. An analysis that has conditions judges its events by them (METHOD, steps 1 to 4); one without follows the
 * paper ---- */

/* Arrays are copied. */
typedef struct cm_conditions {
    const double *iterations; /* N: of a run; infinity: unknown, and no count once a run is allowed for */
    const double *chances;    /* N x S, row-major: standard deviation of a symbol in one iteration */
    const bool *nuisances;    /* S: symbols that no metric has */
} cm_conditions;

/* Before the first event. */
cm_status cm_analysis_set_conditions(cm_analysis *analysis, const cm_conditions *given, cm_error *error);

/* The counts of one event, per iteration, as cm_analysis_add_event takes them, but that they may be negative if the
 * count of an empty run was taken from them. `slack`: counts by which a run may be off. */
cm_status cm_analysis_add_counts(cm_analysis *analysis, const char *event, const double *vectors, size_t repetitions,
                                 double slack, cm_error *error);

/* The slack of an event, from the standard deviation of its runs on kernels on which it counts nothing: two counts and
 * z of these deviations. */
double cm_slack_of(double deviation);
/* Whether a run's counts are so few that they are no iteration's: chance may take or add half of them (Poisson). */
bool cm_is_silent(double counts);

/* Conditions as cm_analysis_set_conditions stored them. */
typedef struct cm_known_conditions {
    cm_sparse_rows rows; /* E */
    double *iterations;  /* N; infinity if they are unknown */
    double *chances;     /* N x S */
    double *payloads;    /* N: the largest expectation of a symbol that metrics have */
    bool *nuisances;     /* S: symbols that no metric has */
    double floor;        /* of the payload */
} cm_known_conditions;

struct cm_analysis {
    cm_thresholds thresholds;
    const volatile int *stop; /* may be NULL */
    cm_matrix *expectations;  /* E: rows are kernels, columns symbols */
    cm_least_squares *basis;  /* E factorised */
    double *constant_part;    /* the part of one per iteration in every kernel that no combination of symbols counts: N
                                 elements */
    double *constant_represented;    /* the part that combinations of symbols count: S elements */
    double constant_square;          /* ||constant_part||^2, 0 if that is rounding error: no offset can be found then */
    bool use_offsets;                /* events with an offset may be selected */
    cm_known_conditions *conditions; /* NULL: the first edition of the method */
    cm_arena arena;                  /* names, representations, means of selected events */
    size_t event_count, event_capacity;
    cm_event_analysis *events; /* before the pivoting, candidates are marked dependent */
    size_t scratch_capacity;
    double *scratch; /* for judging an event */

    /* After the pivoting. */
    bool pivoted;
    size_t selected_count;
    size_t *selected;      /* indices of events, in pivot order; room for one a symbol */
    cm_matrix *columns;    /* X^, symbols x selected_count */
    cm_least_squares *fit; /* X^ factorised; NULL if nothing is selected */
    double spectral_norm;  /* ||X^||_2, 0 if nothing is selected */
    size_t *repetitions;   /* one a selected event: of how many its repetitions are known, 0 before */
    double **left_out;     /* one a selected event: its representations without one repetition each */
};

/* Doubles of scratch that judging an event takes. */
size_t cm_analysis_scratch_size(const cm_analysis *analysis, size_t repetitions);

/* The status of one event: all but its name; `representation` gets its elements unless the event is zero. Changes
 * nothing in `analysis`: several threads may judge at once. */
void cm_analysis_judge(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                       double *representation, double *scratch, cm_event_analysis *event);

/* Judges the event by the conditions of its kernels. */
void cm_judge_by_conditions(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                            double *representation, double *scratch, cm_event_analysis *event);
/* Doubles of scratch that it takes; the mean is left at their beginning. */
size_t cm_conditions_scratch_size(const cm_analysis *analysis);
void cm_conditions_free(cm_known_conditions *conditions);

/* Least squares of E x = m in `scratch` (its first N elements), with an offset if one explains the residual. */
void cm_represent_mean(const cm_analysis *analysis, cm_event_analysis *event, double *representation, double *scratch);

/* Whether the kernels control its counts, noise aside. */
bool cm_event_representable(const cm_analysis *analysis, const cm_event_analysis *event);

/* The status before the pivoting, with the thresholds as they are now. */
cm_event_status cm_event_classify(const cm_analysis *analysis, const cm_event_analysis *event);

/* Prepares the constant: its part that symbols cannot count, and that one's square. */
cm_status cm_offset_prepare(cm_analysis *analysis, cm_error *error);

/* Takes the effect of a constant count from `residual` and `representation`; returns that constant, per iteration. */
double cm_take_offset(const cm_analysis *analysis, double *residual, double *representation);

/* The representations of events, one a column. */
cm_status cm_gather_columns(const cm_analysis *analysis, const size_t *events, size_t count, cm_matrix **columns,
                            cm_error *error);

/* A fit of so many terms, checked on so many kernels, all zero; NULL if memory is short. */
cm_fit *cm_fit_allocate(size_t terms, size_t kernels);

/* Between which alphas, steps of a quarter of a decade to 1e-12 and 0.5 (a decade above 2,000 events), the same events
 * are selected, tau left alone. After the pivoting. */
cm_status cm_analysis_selected_range(const cm_analysis *analysis, double alpha[2], cm_error *error);

/* Selects events with any thresholds. */
typedef struct cm_selector {
    const cm_analysis *analysis;
    size_t count, *candidates;    /* events */
    const double **columns;       /* their representations */
    size_t chosen_count, *chosen; /* events, in pivot order; room for one a symbol */
} cm_selector;

/* Clear also after a failure. */
cm_status cm_selector_make(const cm_analysis *analysis, cm_selector *selector, cm_error *error);
void cm_selector_clear(cm_selector *selector);
/* Makes candidates of the events that the pivoting may choose with this tau; `used` (one an event; NULL: none): but for
 * these. */
void cm_selector_gather(cm_selector *selector, double tau, const bool *used);
/* cm_pivot over the candidates, unless the analysis is to stop: whatever takes long comes by here. */
cm_status cm_selector_choose(cm_selector *selector, double alpha, cm_error *error);

/* ---- equivalents.c ---- */

/* Events that are multiples of a selected one. */

/* The column of `selected` (one row a symbol) of which `column` is a multiple: ||x - c x_k|| <= alpha ||x|| with the
 * best c; the closest one if there are several; -1 if there is none, or if nothing of `column` is left after rounding
 * to alpha. */
ptrdiff_t cm_equivalent_column(const double *column, const cm_matrix *selected, double alpha);

/* ---- event_batch.c ---- */

/* Events judged by several threads: each fills batches, which are appended one after another. Means are not kept. */

typedef struct cm_event_batch cm_event_batch;

/* NULL if memory is short. */
cm_event_batch *cm_event_batch_create(const cm_analysis *analysis, size_t repetitions);
void cm_event_batch_free(cm_event_batch *batch);
size_t cm_event_batch_count(const cm_event_batch *batch);
/* `slack` as in cm_analysis_add_counts; `tag` is the caller's, one an event. False if memory is short or a value is no
 * count. */
bool cm_event_batch_add(cm_event_batch *batch, const char *event, const double *vectors, double slack, size_t tag);
size_t cm_event_batch_tag(const cm_event_batch *batch, size_t index);
/* Room for so many events more. */
cm_status cm_analysis_reserve(cm_analysis *analysis, size_t count, cm_error *error);
/* Takes over all events of the batch; room must be there. */
void cm_analysis_append(cm_analysis *analysis, cm_event_batch *batch);

/* ---- fitness.c ---- */

/* The fit of a sum of events to a signature, in symbols and on the kernels. */

/* A definition as it is judged: coefficients of events, by their indices. */
typedef struct cm_event_sum {
    size_t count;
    const size_t *events;
    const double *coefficients;
} cm_event_sum;

/* `spectral_norm`: of the matrix of the events' representations. `rest`: scratch, one element a symbol. */
cm_fitness cm_fitness_of(const cm_analysis *analysis, const cm_event_sum *sum, const double *signature,
                         double spectral_norm, double *rest);

/* Adds the signature's expectation on each kernel; N elements. */
void cm_expect_counts(const cm_analysis *analysis, const double *signature, double *expected);
/* Adds the sum's counts on each kernel: as its events were measured if that is known, else as represented. */
void cm_count_sum(const cm_analysis *analysis, const cm_event_sum *sum, double *counted);
/* The largest deviation on a kernel, relative to the largest value expected. A signature of independent symbols is not
 * zero, so that value is not either. */
double cm_worst_deviation(const double *expected, const double *counted, size_t kernels);

/* Not the backward error: large columns or coefficients make it small whatever the definition misses. */
bool cm_is_composable(const cm_analysis *analysis, const cm_fitness *fitness, double worst);

/* ---- interval.c ---- */

/* 95 % intervals of coefficients by leaving out one repetition after the other (the jackknife). */

/* Student's t that is exceeded, in magnitude, with a probability of 5 %. Infinity for 0 degrees of freedom. */
double cm_student_quantile(size_t freedom);

/* Half the width of the interval around each coefficient as solved, in pivot order: t(R - 1) times the jackknife's
 * standard error, which leaves repetition r out of all events at once, since events of one repetition may have met the
 * same disturbance. Percentiles of a bootstrap would be far too narrow for five repetitions. NaN if the selected
 * events' repetitions are not known, fewer than two, or not as many for each. */
cm_status cm_half_widths(const cm_analysis *analysis, const double *signature, double *half_widths, cm_error *error);

/* ---- subset.c ---- */

/* A definition from any events. */

/* Solves for the signature over these events, at most one a symbol, and rounds. A definition without events, misfit 1,
 * if the events are dependent or nothing is left. Its arrays have room for `count`; free them. */
cm_status cm_define_over(const cm_analysis *analysis, const double *signature, const size_t *events, size_t count,
                         cm_definition *definition, cm_error *error);
void cm_definition_clear(cm_definition *definition);

/* ---- the specialised QRCP: the paper's section V, Algorithm 2 ---- */

/* Chooses independent columns of X (symbols x count, one pointer a column; all values finite). Writes the indices of
 * the chosen ones, in pivot order, to `chosen` (room for `symbols`) and their number to `chosen_count`. */
cm_status cm_pivot(const double *const *columns, size_t count, size_t symbols, double alpha, size_t *chosen,
                   size_t *chosen_count, cm_error *error);

/* The chosen columns, to ask whether one more candidate would have been chosen with them: it would if its part
 * orthogonal to those that come before it is large enough. */
typedef struct cm_pivot_chain cm_pivot_chain;

/* `columns` and `indices` of the chosen ones in pivot order. */
cm_status cm_pivot_chain_create(const double *const *columns, const size_t *indices, size_t count, size_t symbols,
                                double alpha, cm_pivot_chain **chain, cm_error *error);
bool cm_pivot_chain_accepts(cm_pivot_chain *chain, const double *column, size_t index);
void cm_pivot_chain_free(cm_pivot_chain *chain);

/* ---- score.c ---- */

/* The distance of a column of X from the dimensions of the basis (the paper's section V). */

/* The sum of Sc(|R(u)|) over the elements u of a column: R(u) = alpha floor(u / alpha + 1/2); Sc(v) = v if v >= 1, 1/v
 * if 0 < v < 1, 0 if v = 0. 0: nothing is left of the column after rounding. */
double cm_score(const double *column, size_t symbols, double alpha);

/* ---- candidates.c ---- */

/* Columns that the pivoting may choose, in the order in which it tries them. */

typedef struct cm_candidate {
    double score;
    double rank; /* the norm, in steps of the resolution within which norms count as equal */
    double norm;
    size_t index; /* of its column */
} cm_candidate;

/* Orthonormal directions of the columns that were chosen. */
typedef struct cm_span {
    size_t count, symbols;
    double beta;
    double *directions; /* `count` of them, each of `symbols`, and room for one more */
} cm_span;

cm_candidate cm_candidate_make(const double *column, size_t symbols, double alpha, size_t index);

/* Negative, 0 or positive: by score, rank and index. */
int cm_candidate_compare(const cm_candidate *a, const cm_candidate *b);

/* Whether a column whose part orthogonal to the chosen ones has that norm is independent of them. */
bool cm_candidate_is_independent(const cm_candidate *tried, double part, double beta);

/* ---- a heap of candidates, the first one on top ---- */

/* All columns with a score; `candidates` has room for all. Returns how many. Very many are scored by all cores. */
size_t cm_candidates_rank(const double *const *columns, size_t count, size_t symbols, double alpha,
                          cm_candidate *candidates);

cm_candidate cm_candidates_take(cm_candidate *heap, size_t *count);

/* Takes those out that are clearly within the span, by all cores if there are very many. Returns how many are left:
 * all, if memory lacks. */
size_t cm_candidates_refuse(const cm_span *span, const double *const *columns, cm_candidate *candidates, size_t count);

#endif
