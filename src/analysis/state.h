/* What a cm_analysis holds. */
#ifndef CM_ANALYSIS_STATE_H
#define CM_ANALYSIS_STATE_H

#include <stdbool.h>

#include <catmint/analysis.h>

#include "core/arena.h"
#include "analysis/conditions.h"
#include "analysis/linear.h"
#include "analysis/weighted.h"

/* What cm_analysis_set_conditions left. */
typedef struct cm_known_conditions {
    cm_sparse_rows rows; /* E */
    double *iterations;  /* N; infinity where they are unknown */
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
    double *constant_part; /* what no combination of symbols counts of one per iteration in every kernel: N elements */
    double *constant_represented; /* what combinations of symbols count of it: S elements */
    double constant_square;       /* ||constant_part||^2, 0 where that is rounding error: no offset can be found then */
    bool use_offsets;             /* events with an offset may be selected */
    cm_known_conditions *conditions; /* NULL: the first edition of the method */
    cm_arena arena;                  /* names, representations, means of selected events */
    size_t event_count;
    size_t event_room;
    cm_event_analysis *events; /* before the pivoting, candidates are marked dependent */
    size_t scratch_room;
    double *scratch; /* for judging an event */

    /* After the pivoting. */
    bool pivoted;
    size_t selected_count;
    size_t *selected;      /* indices of events, in pivot order; room for one a symbol */
    cm_matrix *columns;    /* X^, symbols x selected_count */
    cm_least_squares *fit; /* X^ factorised; NULL where nothing is selected */
    double spectral_norm;  /* ||X^||_2, 0 where nothing is selected */
    size_t *repetitions;   /* one a selected event: of how many its repetitions are known, 0 before */
    double **left_out;     /* one a selected event: its representations without one repetition each */
};

/* Doubles of scratch that judging an event takes. */
size_t cm_analysis_scratch_size(const cm_analysis *analysis, size_t repetitions);

/* What becomes of one event: all but its name; `representation` gets its elements unless the event is zero. Changes
 * nothing in `analysis`: several threads may judge at once. */
void cm_analysis_judge(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                       double *representation, double *scratch, cm_event_analysis *event);

/* The same by the conditions. */
void cm_judge_by_conditions(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                            double *representation, double *scratch, cm_event_analysis *event);
/* Doubles of scratch that it takes; the mean is left at their beginning. */
size_t cm_conditions_scratch_size(const cm_analysis *analysis);
void cm_conditions_free(cm_known_conditions *conditions);

/* Least squares of E x = m in `scratch` (its first N elements), with an offset where that explains what is left. */
void cm_represent_mean(const cm_analysis *analysis, cm_event_analysis *event, double *representation, double *scratch);

/* Whether the kernels control what it counts; noise aside. */
bool cm_event_representable(const cm_analysis *analysis, const cm_event_analysis *event);

/* The status before the pivoting, with the thresholds as they are now. */
cm_event_status cm_event_classify(const cm_analysis *analysis, const cm_event_analysis *event);

/* Prepares the constant: its part that symbols cannot count, and that one's square. */
cm_status cm_offset_prepare(cm_analysis *analysis, cm_error *error);

/* Takes from `residual` and `representation` what a constant count explains; returns that constant, per iteration. */
double cm_take_offset(const cm_analysis *analysis, double *residual, double *representation);

/* The representations of events, one a column. */
cm_status cm_gather_columns(const cm_analysis *analysis, const size_t *events, size_t count, cm_matrix **columns,
                            cm_error *error);

/* A fit of so many terms, all zero; NULL where memory is short. */
cm_fit *cm_fit_allocate(size_t terms);

/* Between which alphas, steps of a quarter of a decade to 1e-12 and 0.5 (a decade above 2,000 events), the same events
 * are selected, tau left alone. After the pivoting. */
cm_status cm_analysis_selected_range(const cm_analysis *analysis, double alpha[2], cm_error *error);

/* The events that the pivoting may choose with this tau: indices and representations, `room` for all events each. */
size_t cm_analysis_candidates(const cm_analysis *analysis, double tau, size_t *candidates, const double **columns);

/* cm_pivot over the symbols of the analysis, unless it is to stop: whatever takes long comes by here. */
cm_status cm_analysis_pivot(const cm_analysis *analysis, const double *const *columns, size_t count, double alpha,
                            size_t *chosen, size_t *chosen_count, cm_error *error);

#endif
