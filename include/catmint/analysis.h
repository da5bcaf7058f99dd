/* The numerics: noise, representation, pivoting, fit. Pure functions of matrices: no files, no PAPI, no JSON.
 *
 * Source: Barry, Danalis, Dongarra, "Automated Data Analysis for Defining Performance Metrics from Raw Hardware Events"
 * ("the paper"), sections III-B, IV, V (Algorithm 2) and VI.
 *
 * Shapes: N kernels, S symbols, R repetitions. The expectation basis E is N x S; a representation and a signature have
 * S elements; a measurement vector has N. */
#ifndef CATMINT_ANALYSIS_H
#define CATMINT_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>
#include <catmint/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Defaults in parentheses: those of cpu-flops. */
typedef struct cm_thresholds {
    double tau;      /* events with more noise are dropped; 0 or more, infinity: keep all (1e-10) */
    double alpha;    /* rounding tolerance of representations and coefficients; more than 0, less than 1 (5e-4) */
    double residual; /* largest relative residual of a representation, and largest misfit of a composable metric; 0 or
                      * more, less than 1, the misfit of a definition without terms (1e-2) */
    double quantum;  /* counts per iteration are rounded to its multiples; 0: no rounding (0) */
    double amplification; /* largest amplification of a composable metric; more than 0 (10) */
} cm_thresholds;

CM_API void cm_thresholds_default(cm_thresholds *thresholds);

typedef enum cm_event_status {
    CM_EVENT_ZERO,            /* every value is zero: irrelevant */
    CM_EVENT_NOISY,           /* its repetitions differ by more than tau */
    CM_EVENT_UNREPRESENTABLE, /* counts something that the kernels do not control */
    CM_EVENT_DEPENDENT,       /* a combination of selected events; before the pivoting, every candidate */
    CM_EVENT_SELECTED,
    CM_EVENT_AVOIDED, /* left out by the caller */
} cm_event_status;

CM_API const char *cm_event_status_text(cm_event_status status); /* "zero", "noisy" ... as in results */

enum { CM_NO_EVENT = -1 };

typedef struct cm_event_analysis {
    const char *event;
    cm_event_status status;
    double max_rnmse; /* the paper's eq. 4; 0 for exact events; NaN if R < 2 */
    double noise;     /* the value that is compared with tau: max_rnmse by the paper's method, else the noise of the
                       * kernels that count most, beyond chance */
    double residual;  /* ||E x - m|| / ||m||; NaN for zero events */
    ptrdiff_t misfit_kernel;      /* index of the kernel whose counts are no combination of symbols, beyond noise, stray
                                   * counts and interrupts, although the residual is small; -1: none */
    double rounding_distance;     /* largest distance by which rounding to the quantum moved a count; 0 without a
                                   * quantum */
    double offset;                /* constant count per iteration beside its representation, as of the loop's own
                                   * instructions, if that alone makes it unrepresentable; else 0 */
    double offset_residual;       /* ||E x + offset - m|| / ||m||; equal to residual without an offset */
    const double *representation; /* S elements; NULL for zero events; with an offset, of the counts less the offset */
    const double *mean;           /* N elements, mean over repetitions; NULL for zero events */
    ptrdiff_t equivalent_to;      /* dependent events: index of the selected event x_k of which this one is a multiple,
                                   * ||x - c x_k|| <= alpha ||x||; CM_NO_EVENT if none */
} cm_event_analysis;

/* One benchmark under analysis. */
typedef struct cm_analysis cm_analysis;

/* Copies E. CM_BAD_INPUT if E's columns are dependent (one of them up to 1e-8 of itself), a value is not finite or
 * beyond 1e100, or there are fewer kernels than symbols; CM_BAD_ARGUMENT if a threshold is out of range. */
CM_API cm_status cm_analysis_create(const cm_matrix *basis, const cm_thresholds *thresholds, cm_analysis **analysis,
                                    cm_error *error);
CM_API void cm_analysis_free(cm_analysis *analysis);
/* Long computations end with CM_INTERRUPTED once *stop is not 0. `stop` must live as long as the analysis; NULL: never.
 */
CM_API void cm_analysis_set_stop(cm_analysis *analysis, const volatile int *stop);

/* Adds the counts per iteration of one event: `vectors` holds R measurement vectors one after another (R x N,
 * row-major), medians over threads if there were several. Classifies and represents it at once (steps 1 and 3 to 5 of
 * the method: rounds to the quantum, then zero, noise, representation) and keeps O(N + S) values of it, not the
 * repetitions. R may be 1 only if tau is infinite, since noise cannot be judged (else CM_BAD_INPUT). Values are counts:
 * 0, or 1e-100 to 1e100 (else CM_BAD_INPUT). Copies the name. On failure the event is not added. */
CM_API cm_status cm_analysis_add_event(cm_analysis *analysis, const char *event, const double *vectors,
                                       size_t repetitions, cm_error *error);

/* Before the pivoting: leaves the event out, whatever its counts are. */
CM_API cm_status cm_analysis_avoid(cm_analysis *analysis, size_t event, cm_error *error);

/* Before the pivoting: allows events with an offset to be selected, with their counts less the offset. */
CM_API cm_status cm_analysis_use_offsets(cm_analysis *analysis, cm_error *error);

/* ---- thresholds from the data: between the last event and the pivoting ---- */

enum { CM_REASON_SIZE = 320 };

/* The choice of tau. Events that count anything are sorted by their variability (max_rnmse, at least 1e-16 and at most
 * 1: noise as large as the counts). tau is the logarithmic middle of the widest gap between neighbours that is at least
 * half a decade wide, has at least two events below it, none of them noisier than the residual tolerance, and has no
 * true event above it that measures anything new. An event is true if its residual is within its noise, both of them
 * within the residual tolerance. It measures something new if its counts are no combination of the counts of quieter
 * true events within that tolerance. */
typedef struct cm_tau_choice {
    bool refused;                /* there is no such gap: tau stayed as it was */
    char reason[CM_REASON_SIZE]; /* a sentence, in both cases */
    double value;                /* tau in use from now on */
    double gap[2];               /* the variabilities on both sides of the gap, NaN if refused */
    size_t quiet;                /* events below the gap */
    size_t needed;               /* number of the quietest events that together measure everything that true events
                                  * measure */
    size_t count;
    double *variabilities; /* of all events that count anything, sorted; not limited to 1e-16 and 1 */
} cm_tau_choice;

/* CM_BAD_ARGUMENT after the pivoting. On success the thresholds of the analysis have the new tau. */
CM_API cm_status cm_tau_choice_create(cm_analysis *analysis, cm_tau_choice **choice, cm_error *error);
CM_API void cm_tau_choice_free(cm_tau_choice *choice);

typedef struct cm_alpha_plateau {
    double low, high; /* for each alpha from low to high the selected events are the same, or others that count the same
                       * within alpha */
    size_t selected;  /* number of selected events */
    double from;      /* lowest alpha at which the plateau counts: half the largest max_rnmse of its events, the largest
                       * error of their means; infinity if noise alone distinguishes one of them from those before it */
} cm_alpha_plateau;

/* The choice of alpha: the logarithmic middle of the widest plateau between `lowest` and `highest`, as far as it
 * counts. The earlier alpha stays if it lies in that plateau and the middle selects other, equivalent events. */
typedef struct cm_alpha_choice {
    bool refused; /* nothing is selected with any alpha, or every plateau spans less than a quarter of a decade */
    char reason[CM_REASON_SIZE];
    double value;
    double lowest, highest;
    size_t widest; /* index of the chosen plateau */
    size_t count;
    cm_alpha_plateau *plateaus; /* from the lowest alpha to the highest */
} cm_alpha_choice;

/* Uses the analysis' tau: choose that first. */
CM_API cm_status cm_alpha_choice_create(cm_analysis *analysis, cm_alpha_choice **choice, cm_error *error);
CM_API void cm_alpha_choice_free(cm_alpha_choice *choice);

/* The thresholds in use. */
CM_API cm_thresholds cm_analysis_thresholds(const cm_analysis *analysis);

/* The pivoting (Algorithm 2): afterwards events are selected or dependent. Call once, after the last event. An event
 * whose representation rounds to zero is dependent, and equivalent to none. */
CM_API cm_status cm_analysis_select(cm_analysis *analysis, cm_error *error);

/* After the pivoting: adds the repetitions of a selected event again, as they were given to cm_analysis_add_event.
 * Keeps their mean and the values that resampling needs. CM_BAD_ARGUMENT for an event that is not selected. */
CM_API cm_status cm_analysis_add_repetitions(cm_analysis *analysis, size_t event, const double *vectors,
                                             size_t repetitions, cm_error *error);

/* Indices in these functions must be below their count. */
CM_API size_t cm_analysis_event_count(const cm_analysis *analysis);
/* Events in the order in which they were added. */
CM_API cm_event_analysis cm_analysis_event(const cm_analysis *analysis, size_t index);
CM_API size_t cm_analysis_selected_count(const cm_analysis *analysis);
/* Index of the event chosen at step `rank` of the pivoting, from 0. */
CM_API size_t cm_analysis_selected(const cm_analysis *analysis, size_t rank);

/* The distance of a combination of the selected events from a signature (X^ is S x K, K = number of selected events).
 */
typedef struct cm_fitness {
    double backward_error; /* the paper's eq. 5: ||X^ y - s|| / (||X^||_2 ||y|| + ||s||) */
    double misfit;         /* ||X^ y - s|| / ||s|| */
    double amplification;  /* sum_i |y_i| ||x_i|| / ||s|| */
} cm_fitness;

/* A definition on each kernel (the paper's Figure 3): the count that the signature expects, and the count that the
 * definition yields from the measured counts per iteration (means over repetitions). N elements each. */
typedef struct cm_fit_check {
    size_t kernel_count; /* N */
    double *expected;    /* E s */
    double *raw;         /* by the coefficients as solved */
    double *rounded;     /* by the rounded coefficients */
    double worst;        /* largest |rounded - expected|, relative to the largest |expected|; 0 or more */
} cm_fit_check;

typedef struct cm_fit {
    size_t term_count;    /* K */
    size_t *events;       /* K, indices: by the paper's method the selected events, in pivot order */
    double *coefficients; /* K, as solved */
    double *half_widths;  /* K: the coefficient as solved lies in [c - h, c + h] with a probability of 95 %; 0 for exact
                           * events; NaN if unknown: see cm_analysis_add_repetitions */
    cm_fitness fitness;   /* of the coefficients as solved */
    double *rounded;      /* K, rounded: 0 if below alpha (the term is dropped), else the first of an integer, 1/n, p/q
                           * (q <= 16) that is within alpha, relative; else unchanged */
    cm_fitness rounded_fitness;
    cm_fit_check check;
    bool composable; /* rounded misfit and worst deviation <= residual threshold, rounded amplification <= its threshold
                      */
} cm_fit;

/* Least squares of X^ y = s, and its rounded form. `signature` has S elements, not all zero (CM_BAD_ARGUMENT). Without
 * a selected event the fit has no term, backward error 1, misfit 1, amplification 0, and is not composable. */
CM_API cm_status cm_fit_create(const cm_analysis *analysis, const double *signature, cm_fit **fit, cm_error *error);
CM_API void cm_fit_free(cm_fit *fit);

/* The range in which each threshold may move, the other one fixed, while the rounded definition keeps its events and
 * coefficients: [from, to] around the value in use, ends included, except the upper end of tau. */
typedef struct cm_definition_stability {
    double alpha[2]; /* searched between 1e-12 and 0.5 */
    double tau[2]; /* from the noise of the definition's noisiest event; 0: its events are exact; infinity: no limit */
} cm_definition_stability;

/* After the pivoting, for `count` signatures at once. */
CM_API cm_status cm_analysis_stability(const cm_analysis *analysis, const double *const *signatures, size_t count,
                                       cm_definition_stability *stability, cm_error *error);

/* An event that measures the same as another: its representation is `factor` times the other's, within alpha. */
typedef struct cm_equivalent_event {
    size_t event;
    double factor;
} cm_equivalent_event;

/* The selected and dependent events that are equivalent to `event`, which has a representation; the least noisy first.
 * Free with free(). */
CM_API cm_status cm_equivalents_create(const cm_analysis *analysis, size_t event, cm_equivalent_event **equivalents,
                                       size_t *count, cm_error *error);

/* A definition with other events than those selected. */
typedef struct cm_definition {
    size_t count;
    size_t *events;       /* indices */
    double *coefficients; /* rounded, none zero */
    cm_fitness fitness;
    bool composable;
    struct cm_open_questions *open_questions; /* left open by its evidence; NULL: not examined. Freed with it */
} cm_definition;

/* Composable definitions of the same metric with other events, at most two. None shares an event with `fit` or with the
 * one before it; if there is no such definition, it shares exactly one with `fit`, which must be composable. */
CM_API cm_status cm_analysis_alternatives(const cm_analysis *analysis, const double *signature, const cm_fit *fit,
                                          cm_definition **alternatives, size_t *count, cm_error *error);
/* The definition with the smallest misfit among those with at most `most` events. Beside the selected events it tries
 * the dependent ones whose direction is nearest to the signature's, as many as keep the number of combinations below
 * 50,000. */
CM_API cm_status cm_analysis_define_with(const cm_analysis *analysis, const double *signature, size_t most,
                                         cm_definition **definition, cm_error *error);
CM_API void cm_definition_free(cm_definition *definitions, size_t count);

/* The median over threads of one kernel in one repetition (step 2): the middle value, or the mean of the middle two;
 * NaN if count is 0. Sorts `values` in place. */
CM_API double cm_median(double *values, size_t count);

#ifdef __cplusplus
}
#endif
#endif
