/* What becomes of one event: quantum, zero, noise, representation (steps 1 and 3 to 5; the paper's III-B and IV). */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/noise.h"
#include "analysis/quantum.h"
#include "analysis/state.h"
#include "analysis/vector.h"
#include "core/error.h"

static cm_status check_counts(const char *event, const double *vectors, size_t repetitions, size_t kernels,
                              cm_error *error)
{
    for (size_t i = 0; i < repetitions * kernels; i++)
        if (vectors[i] != 0.0 && !(vectors[i] >= CM_SMALLEST_VALUE && vectors[i] <= CM_LARGEST_VALUE))
            return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0,
                                "event %s, repetition %zu, kernel %zu: %g per iteration is no count, expected 0, or "
                                "1e-100 to 1e100",
                                event, i / kernels + 1, i % kernels + 1, vectors[i]);
    return CM_OK;
}

static cm_status check_event(const cm_analysis *analysis, const char *event, const double *vectors, size_t repetitions,
                             cm_error *error)
{
    if (analysis == NULL || event == NULL || vectors == NULL || repetitions == 0)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "an event needs a name and at least one repetition");
    if (analysis->pivoted)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "event %s comes after the pivoting", event);
    if (repetitions == 1 && !isinf(analysis->thresholds.tau))
        return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0,
                            "event %s has one repetition: noise cannot be judged, expected two or more, or tau inf",
                            event);
    if (repetitions > SIZE_MAX / sizeof(double) / analysis->basis->rows)
        return cm_error_no_memory(error);
    return check_counts(event, vectors, repetitions, analysis->basis->rows, error);
}

static cm_status reserve(cm_analysis *analysis, size_t repetitions, cm_error *error)
{
    if (analysis->event_count == analysis->event_room) {
        size_t room = analysis->event_room != 0 ? 2 * analysis->event_room : 64;
        cm_event_analysis *events = realloc(analysis->events, room * sizeof *events);
        if (events == NULL)
            return cm_error_no_memory(error);
        analysis->events = events;
        analysis->event_room = room;
    }
    size_t needed = (repetitions + 2) * analysis->basis->rows;
    if (analysis->scratch_room < needed) {
        double *scratch = realloc(analysis->scratch, needed * sizeof *scratch);
        if (scratch == NULL)
            return cm_error_no_memory(error);
        analysis->scratch = scratch;
        analysis->scratch_room = needed;
    }
    return CM_OK;
}

static bool all_zero(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0.0)
            return false;
    return true;
}

/* Least squares of E x = m, m the mean over repetitions. */
static cm_status represent(cm_analysis *analysis, const double *counts, size_t repetitions, cm_event_analysis *event,
                           cm_error *error)
{
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    double *mean = cm_arena_allocate(&analysis->arena, (kernels + symbols) * sizeof *mean);
    if (mean == NULL)
        return cm_error_no_memory(error);
    double *representation = mean + kernels;
    double *residual = analysis->scratch + repetitions * kernels;
    double *step = residual + kernels;
    cm_mean_vector(counts, repetitions, kernels, mean);
    cm_least_squares_solve(analysis->basis, mean, representation, residual, step);
    event->mean = mean;
    event->representation = representation;
    event->residual = cm_vector_norm(residual, kernels) / cm_vector_norm(mean, kernels);
    bool representable =
        event->residual <= analysis->thresholds.residual && isfinite(cm_vector_norm(representation, symbols));
    event->status = representable ? CM_EVENT_DEPENDENT : CM_EVENT_UNREPRESENTABLE;
    return CM_OK;
}

cm_status cm_analysis_add_event(cm_analysis *analysis, const char *event, const double *vectors, size_t repetitions,
                                cm_error *error)
{
    cm_status status = check_event(analysis, event, vectors, repetitions, error);
    if (status == CM_OK)
        status = reserve(analysis, repetitions, error);
    if (status != CM_OK)
        return status;
    cm_event_analysis added = {.event = cm_arena_text(&analysis->arena, event),
                               .status = CM_EVENT_ZERO,
                               .residual = NAN,
                               .equivalent_to = CM_NO_EVENT};
    if (added.event == NULL)
        return cm_error_no_memory(error);
    size_t kernels = analysis->basis->rows;
    const double *counts = vectors;
    if (analysis->thresholds.quantum != 0.0) {
        added.rounding_distance =
            cm_round_to_quantum(vectors, repetitions * kernels, analysis->thresholds.quantum, analysis->scratch);
        counts = analysis->scratch;
    }
    added.max_rnmse = cm_max_rnmse(counts, repetitions, kernels);
    if (!all_zero(counts, repetitions * kernels)) {
        if (repetitions >= 2 && !(added.max_rnmse <= analysis->thresholds.tau))
            added.status = CM_EVENT_NOISY;
        else
            status = represent(analysis, counts, repetitions, &added, error);
    }
    if (status == CM_OK)
        analysis->events[analysis->event_count++] = added;
    return status;
}
