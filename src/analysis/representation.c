/* The status of one event: quantum, zero, noise, representation (steps 1 and 3 to 5; the paper's III-B and IV). */
#include "analysis/rules.h"
#include "analysis/state.h"

/* Refuses counts that are negative, not finite, or beyond what squares can hold. */
static cm_status check_counts(const char *event, const double *vectors, size_t repetitions, size_t kernels,
                              cm_error *error)
{
    for (size_t i = 0; i < repetitions * kernels; i++)
        if (vectors[i] != 0.0 && !(vectors[i] >= CM_SMALLEST_VALUE && vectors[i] <= CM_LARGEST_VALUE))
            return CM_FAIL(
                error, CM_BAD_INPUT,
                "event %s, repetition %zu, kernel %zu: %g per iteration is not a count, expected 0, or 1e-100 to 1e100",
                event, i / kernels + 1, i % kernels + 1, vectors[i]);
    return CM_OK;
}

/* Refuses an event that cannot be judged. */
static cm_status check_event(const cm_analysis *analysis, const char *event, const double *vectors, size_t repetitions,
                             cm_error *error)
{
    if (analysis == NULL || event == NULL || vectors == NULL || repetitions == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "an event needs a name and at least one repetition");
    if (analysis->pivoted)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "event %s was added after the pivoting", event);
    if (repetitions == 1 && !isinf(analysis->thresholds.tau))
        return CM_FAIL(error, CM_BAD_INPUT,
                       "event %s has one repetition: noise cannot be judged, expected two or more, or tau inf", event);
    if (repetitions > SIZE_MAX / sizeof(double) / analysis->basis->rows)
        return cm_error_no_memory(error);
    return CM_OK;
}

/* Makes room for one event more, and for its counts. */
static cm_status reserve_event(cm_analysis *analysis, size_t repetitions, cm_error *error)
{
    cm_event_analysis *events =
        cm_grow(analysis->events, analysis->event_count + 1, &analysis->event_capacity, sizeof *events);
    if (events == NULL)
        return cm_error_no_memory(error);
    analysis->events = events;
    size_t needed = cm_analysis_scratch_size(analysis, repetitions);
    if (!CM_GROW(analysis->scratch, needed, &analysis->scratch_capacity))
        return cm_error_no_memory(error);
    return CM_OK;
}

size_t cm_analysis_scratch_size(const cm_analysis *analysis, size_t repetitions)
{
    if (analysis->conditions != NULL)
        return repetitions * analysis->basis->rows + cm_conditions_scratch_size(analysis);
    return (repetitions + 2) * analysis->basis->rows + analysis->basis->columns;
}

/* Judges an event by the method of the paper alone. */
static void judge_by_paper(const cm_analysis *analysis, const double *vectors, size_t repetitions,
                           double *representation, double *scratch, cm_event_analysis *event)
{
    size_t kernels = analysis->basis->rows;
    const double *counts = vectors;
    if (analysis->thresholds.quantum != 0.0) {
        event->rounding_distance =
            cm_round_to_quantum(vectors, repetitions * kernels, analysis->thresholds.quantum, scratch);
        counts = scratch;
    }
    event->max_rnmse = event->noise = cm_max_rnmse(counts, repetitions, kernels);
    if (!cm_vector_is_zero(counts, repetitions * kernels)) {
        cm_mean_vector(counts, repetitions, kernels, scratch + repetitions * kernels);
        cm_represent_mean(analysis, event, representation, scratch + repetitions * kernels);
    }
    event->status = cm_event_classify(analysis, event);
}

void cm_analysis_judge(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                       double *representation, double *scratch, cm_event_analysis *event)
{
    *event = (cm_event_analysis){.status = CM_EVENT_ZERO,
                                 .residual = NAN,
                                 .offset_residual = NAN,
                                 .misfit_kernel = -1,
                                 .equivalent_to = CM_NO_EVENT};
    if (analysis->conditions == NULL)
        judge_by_paper(analysis, vectors, repetitions, representation, scratch, event);
    else
        cm_judge_by_conditions(analysis, vectors, repetitions, slack, representation,
                               scratch + repetitions * analysis->basis->rows, event);
}

cm_status cm_analysis_add_event(cm_analysis *analysis, const char *event, const double *vectors, size_t repetitions,
                                cm_error *error)
{
    cm_status status = check_event(analysis, event, vectors, repetitions, error);
    CM_THEN(status, check_counts(event, vectors, repetitions, analysis->basis->rows, error));
    return status == CM_OK ? cm_analysis_add_counts(analysis, event, vectors, repetitions, cm_the_rules.sure, error)
                           : status;
}

cm_status cm_analysis_add_counts(cm_analysis *analysis, const char *event, const double *vectors, size_t repetitions,
                                 double slack, cm_error *error)
{
    cm_status status = check_event(analysis, event, vectors, repetitions, error);
    CM_THEN(status, reserve_event(analysis, repetitions, error));
    if (status != CM_OK)
        return status;
    const char *name = cm_arena_text(&analysis->arena, event);
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    double *mean = cm_arena_allocate(&analysis->arena, (kernels + symbols) * sizeof *mean);
    if (name == NULL || mean == NULL)
        return cm_error_no_memory(error);
    cm_event_analysis *added = &analysis->events[analysis->event_count];
    cm_analysis_judge(analysis, vectors, repetitions, slack, mean + kernels, analysis->scratch, added);
    added->event = name;
    if (added->representation != NULL) /* the mean is still where judging left it */
        added->mean = memcpy(mean, analysis->scratch + repetitions * kernels, kernels * sizeof *mean);
    analysis->event_count++;
    return CM_OK;
}
