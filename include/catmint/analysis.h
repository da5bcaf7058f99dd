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
    double tau;      /* noise above it drops an event; 0 or more, infinity: keep all (1e-10) */
    double alpha;    /* rounding tolerance of representations and coefficients; more than 0, less than 1 (5e-4) */
    double residual; /* largest relative residual of a representation, and misfit of a composable metric; 0 or more,
                        less than 1, which is what a definition without terms has (1e-2) */
    double quantum;  /* counts per iteration are rounded to its multiples; 0: no rounding (0) */
    double amplification; /* largest amplification of a composable metric; more than 0 (10) */
} cm_thresholds;

CM_API void cm_thresholds_default(cm_thresholds *thresholds);

typedef enum cm_event_status {
    CM_EVENT_ZERO,            /* every value is zero: irrelevant */
    CM_EVENT_NOISY,           /* its repetitions differ by more than tau */
    CM_EVENT_UNREPRESENTABLE, /* counts something that the kernels do not control */
    CM_EVENT_DEPENDENT, /* a combination of selected events; before the pivoting, every event that is a candidate */
    CM_EVENT_SELECTED,
    CM_EVENT_AVOIDED, /* left out because the caller wanted it so */
} cm_event_status;

CM_API const char *cm_event_status_text(cm_event_status status); /* "zero", "noisy" ... as in results */

enum { CM_NO_EVENT = -1 };

typedef struct cm_event_analysis {
    const char *event;
    cm_event_status status;
    double max_rnmse; /* the paper's eq. 4; 0 for exact events; NaN where R < 2 */
    double noise;    /* what tau is compared with: max_rnmse by the paper's method, else of the kernels that count most,
                        beyond what chance explains */
    double residual; /* ||E x - m|| / ||m||; NaN for zero events */
    ptrdiff_t
        misfit_kernel; /* the kernel (index) by which its counts are no combination of symbols, though the residual
                          is small: off by more than noise, stray counts and interrupts explain; -1: none */
    double rounding_distance;     /* largest distance that rounding to the quantum moved a count; 0 without a quantum */
    double offset;                /* where that is what makes it unrepresentable: constant count per iteration, beside
                                     its representation, as of the instructions of the loop; else 0 */
    double offset_residual;       /* ||E x + offset - m|| / ||m||; equal to residual without an offset */
    const double *representation; /* S elements; NULL for zero events; with an offset, of what remains beside it */
    const double *mean;           /* N elements, mean over repetitions; NULL for zero events */
    ptrdiff_t equivalent_to;      /* dependent events: index of the selected event x_k of which it is a multiple,
                                     ||x - c x_k|| <= alpha ||x||; CM_NO_EVENT if none */
} cm_event_analysis;

/* One benchmark under analysis. */
typedef struct cm_analysis cm_analysis;

/* Fails with CM_BAD_INPUT where E's columns are dependent (one of them up to 1e-8 of itself), its values not finite or
 * beyond 1e100, or there are fewer kernels than symbols, with CM_BAD_ARGUMENT where a threshold is out of range. E is
 * copied. */
CM_API cm_status cm_analysis_create(const cm_matrix *basis, const cm_thresholds *thresholds, cm_analysis **analysis,
                                    cm_error *error);
CM_API void cm_analysis_free(cm_analysis *analysis);
/* Once *stop is not 0, what takes long ends with CM_INTERRUPTED. It must live as long as the analysis; NULL: never. */
CM_API void cm_analysis_set_stop(cm_analysis *analysis, const volatile int *stop);

/* Hands over the counts per iteration of one event: `vectors` holds R measurement vectors one after another (R x N,
 * row-major), medians over threads where there were several. Classifies and represents it at once (steps 1 and 3 to 5
 * of the method: rounds to the quantum, then zero, noise, representation); keeps O(N + S) values of it, not the
 * repetitions. R may be 1 only where tau is infinite (CM_BAD_INPUT else: noise cannot be judged). Values are counts:
 * 0, or 1e-100 to 1e100 (CM_BAD_INPUT else). The name is copied. On failure the event is not there. */
CM_API cm_status cm_analysis_add_event(cm_analysis *analysis, const char *event, const double *vectors,
                                       size_t repetitions, cm_error *error);

/* Before the pivoting: leaves the event out, whatever it counts. */
CM_API cm_status cm_analysis_avoid(cm_analysis *analysis, size_t event, cm_error *error);

/* Before the pivoting: lets events with an offset be selected, as what they measure beside it. */
CM_API cm_status cm_analysis_use_offsets(cm_analysis *analysis, cm_error *error);

/* ---- thresholds from the data: between the last event and the pivoting ---- */

enum { CM_REASON_SIZE = 320 };

/* How tau was chosen. Events that count anything are put in the order of their variability (max_rnmse; what is below
 * 1e-16 counts as that, and 1 is the top: noise as large as the counts). tau is the middle, in the logarithm, of the
 * widest gap between neighbours that leaves at least two events below it, none of them noisier than the residual
 * tolerance, no true event above it that measures anything new, and is at least half a decade wide. True is an event
 * whose residual is within its noise, both of them within the residual tolerance; it measures something new where its
 * counts are no combination of those of quieter true events within that tolerance. */
typedef struct cm_tau_choice {
    bool refused;                /* no such gap: tau stayed as it was */
    char reason[CM_REASON_SIZE]; /* a sentence, in both cases */
    double value;                /* tau as used from now on */
    double gap[2];               /* the variabilities on both sides of the gap, NaN where refused */
    size_t quiet;                /* events below the gap */
    size_t needed;               /* the quietest events that together measure all that true events measure */
    size_t count;
    double *variabilities; /* of all events that count anything, sorted; as computed */
} cm_tau_choice;

/* CM_BAD_ARGUMENT after the pivoting. On success the thresholds of the analysis have the new tau. */
CM_API cm_status cm_tau_choice_create(cm_analysis *analysis, cm_tau_choice **choice, cm_error *error);
CM_API void cm_tau_choice_free(cm_tau_choice *choice);

typedef struct cm_alpha_plateau {
    double low, high; /* alpha may be anything from low to high: the selected events are the same, or others that count
                         the same within alpha */
    size_t selected;  /* how many they are */
    double from;      /* it counts from here on: half the largest max_rnmse of its events, which is how far their means
                         may be off; infinity where one of them differs from those before it by noise alone */
} cm_alpha_plateau;

/* How alpha was chosen: the middle, in the logarithm, of the widest plateau between `lowest` and `highest`, as far as
 * it counts. Where not the same but equivalent events are selected in the middle, and the alpha that was there before
 * lies in the plateau too, that stays. */
typedef struct cm_alpha_choice {
    bool refused; /* nothing is selected with any alpha, or every plateau spans less than a quarter of a decade */
    char reason[CM_REASON_SIZE];
    double value;
    double lowest, highest;
    size_t widest; /* index of the plateau that was taken */
    size_t count;
    cm_alpha_plateau *plateaus; /* from the lowest alpha to the highest */
} cm_alpha_choice;

/* Uses the tau that the analysis has: choose that first. */
CM_API cm_status cm_alpha_choice_create(cm_analysis *analysis, cm_alpha_choice **choice, cm_error *error);
CM_API void cm_alpha_choice_free(cm_alpha_choice *choice);

/* Those in use. */
CM_API cm_thresholds cm_analysis_thresholds(const cm_analysis *analysis);

/* The pivoting (Algorithm 2): after it events are selected or dependent. Call once, after the last event. An event of
 * which nothing is left after rounding to alpha is dependent, and equivalent to none. */
CM_API cm_status cm_analysis_select(cm_analysis *analysis, cm_error *error);

/* After the pivoting: the repetitions of a selected event once more, as they were given to cm_analysis_add_event. Of
 * them its mean is kept, and what resampling needs. Other events are CM_BAD_ARGUMENT. */
CM_API cm_status cm_analysis_add_repetitions(cm_analysis *analysis, size_t event, const double *vectors,
                                             size_t repetitions, cm_error *error);

/* Here an index must be below its count. */
CM_API size_t cm_analysis_event_count(const cm_analysis *analysis);
/* Events in the order in which they were added. */
CM_API cm_event_analysis cm_analysis_event(const cm_analysis *analysis, size_t index);
CM_API size_t cm_analysis_selected_count(const cm_analysis *analysis);
/* Index of the event chosen at step `rank` of the pivoting, from 0. */
CM_API size_t cm_analysis_selected(const cm_analysis *analysis, size_t rank);

/* How far a combination of the selected events is from a signature (X^ is S x K, K = number of selected events). */
typedef struct cm_fitness {
    double backward_error; /* the paper's eq. 5: ||X^ y - s|| / (||X^||_2 ||y|| + ||s||) */
    double misfit;         /* ||X^ y - s|| / ||s|| */
    double amplification;  /* sum_i |y_i| ||x_i|| / ||s|| */
} cm_fitness;

/* A definition on each kernel (the paper's Figure 3): what the signature expects there, and what the definition yields
 * from the measured counts per iteration (means over repetitions). N elements each. */
typedef struct cm_check {
    size_t kernel_count; /* N */
    double *expected;    /* E s */
    double *raw;         /* of the coefficients as solved */
    double *rounded;     /* of the rounded coefficients */
    double worst;        /* largest |rounded - expected|, relative to the largest |expected|; 0 or more */
} cm_check;

typedef struct cm_fit {
    size_t term_count;    /* K */
    size_t *events;       /* K, indices: by the paper's method the selected events, in pivot order */
    double *coefficients; /* K, as solved */
    double *half_widths;  /* K: the coefficient as solved is in [c - h, c + h] with a probability of 95 %; 0 for exact
                             events; NaN where it is not known: see cm_analysis_add_repetitions */
    cm_fitness fitness;   /* of the coefficients as solved */
    double *rounded;      /* K, rounded: 0 where below alpha (the term is gone), else the first within alpha of it,
                             relative, of an integer, 1/n, p/q (q <= 16), else unchanged */
    cm_fitness rounded_fitness;
    cm_check check;
    bool composable; /* rounded misfit and worst deviation <= residual threshold, rounded amplification <= its threshold
                      */
} cm_fit;

/* Least squares of X^ y = s, and its rounded form. `signature` has S elements, not all zero (CM_BAD_ARGUMENT). With no
 * selected event the fit has no term, backward error 1, misfit 1, amplification 0, and is not composable. */
CM_API cm_status cm_fit_create(const cm_analysis *analysis, const double *signature, cm_fit **fit, cm_error *error);
CM_API void cm_fit_free(cm_fit *fit);

/* How far each threshold may be moved, the other left alone, while the rounded definition keeps its events and
 * coefficients: [from, to] around the value in use, ends included; of tau's upper end up to, but without it. */
typedef struct cm_stability {
    double alpha[2]; /* looked for between 1e-12 and 0.5 */
    double tau[2];   /* from the noise of the definition's noisiest event, 0: exact ones; infinity: no limit */
} cm_stability;

/* After the pivoting, for `count` signatures at once. */
CM_API cm_status cm_analysis_stability(const cm_analysis *analysis, const double *const *signatures, size_t count,
                                       cm_stability *stability, cm_error *error);

/* An event that measures the same as another: its representation is `factor` times the other's, within alpha. */
typedef struct cm_equivalent {
    size_t event;
    double factor;
} cm_equivalent;

/* The events that are equivalent to `event`, which has a representation, among those that are selected or dependent;
 * the least noisy first. Free with free(). */
CM_API cm_status cm_equivalents_create(const cm_analysis *analysis, size_t event, cm_equivalent **equivalents,
                                       size_t *count, cm_error *error);

/* A definition from other events than those selected. */
typedef struct cm_definition {
    size_t count;
    size_t *events;       /* indices */
    double *coefficients; /* rounded, none zero */
    cm_fitness fitness;
    bool composable;
    struct cm_doubts *doubts; /* what its evidence does not tell; NULL: not asked. Freed with the definition. */
} cm_definition;

/* Composable definitions of the same metric from other events, two at most: none has an event of one before it, or,
 * where there is no such definition, exactly one. `fit` must be composable. */
CM_API cm_status cm_analysis_alternatives(const cm_analysis *analysis, const double *signature, const cm_fit *fit,
                                          cm_definition **alternatives, size_t *count, cm_error *error);
/* The definition with the smallest misfit from at most `most` events; dependent ones are tried too, beside the selected
 * ones those whose direction is nearest to the signature's, as many as keep the combinations below 50,000. */
CM_API cm_status cm_analysis_define_with(const cm_analysis *analysis, const double *signature, size_t most,
                                         cm_definition **definition, cm_error *error);
CM_API void cm_definition_free(cm_definition *definitions, size_t count);

/* The median over threads of one kernel in one repetition (step 2); sorts `values` in place. The middle one, or
 * the mean of the middle two. NaN where count is 0. */
CM_API double cm_median(double *values, size_t count);

#ifdef __cplusplus
}
#endif
#endif
