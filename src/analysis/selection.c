/* From represented events to selected ones: runs the pivoting, prepares the fits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/equivalence.h"
#include "analysis/pivoting.h"
#include "analysis/state.h"
#include "core/error.h"

cm_status cm_gather_columns(const cm_analysis *analysis, const size_t *events, size_t count, cm_matrix **columns,
                            cm_error *error)
{
    size_t symbols = analysis->basis->columns;
    cm_status status = cm_matrix_create(symbols, count, columns, error);
    for (size_t k = 0; status == CM_OK && k < count; k++)
        memcpy(cm_matrix_column(*columns, k), analysis->events[events[k]].representation, symbols * sizeof(double));
    return status;
}

static cm_status prepare_fits(cm_analysis *analysis, const size_t *selected, size_t count, cm_error *error)
{
    cm_status status = cm_gather_columns(analysis, selected, count, &analysis->columns, error);
    if (status == CM_OK && count != 0)
        status = cm_least_squares_create(analysis->columns, &analysis->fit, error);
    if (status == CM_OK && count != 0)
        status = cm_spectral_norm(analysis->columns, &analysis->spectral_norm, error);
    if (status == CM_OK)
        return CM_OK;
    cm_matrix_free(analysis->columns);
    cm_least_squares_free(analysis->fit);
    analysis->columns = NULL;
    analysis->fit = NULL;
    return status;
}

static void mark_events(cm_analysis *analysis)
{
    for (size_t k = 0; k < analysis->selected_count; k++)
        analysis->events[analysis->selected[k]].status = CM_EVENT_SELECTED;
    for (size_t i = 0; i < analysis->event_count; i++) {
        cm_event_analysis *event = &analysis->events[i];
        if (event->status != CM_EVENT_DEPENDENT)
            continue;
        ptrdiff_t rank = cm_equivalent_column(event->representation, analysis->columns, analysis->thresholds.alpha);
        event->equivalent_to = rank < 0 ? CM_NO_EVENT : (ptrdiff_t)analysis->selected[rank];
    }
}

size_t cm_analysis_candidates(const cm_analysis *analysis, double tau, size_t *candidates, const double **columns)
{
    size_t count = 0;
    for (size_t i = 0; i < analysis->event_count; i++) {
        const cm_event_analysis *event = &analysis->events[i];
        bool quiet = isnan(event->noise) || event->noise <= tau;
        if (!quiet || !cm_event_representable(analysis, event))
            continue;
        candidates[count] = i;
        columns[count++] = event->representation;
    }
    return count;
}

cm_status cm_analysis_pivot(const cm_analysis *analysis, const double *const *columns, size_t count, double alpha,
                            size_t *chosen, size_t *chosen_count, cm_error *error)
{
    if (analysis->stop != NULL && *analysis->stop != 0)
        return cm_error_set(error, CM_INTERRUPTED, NULL, 0, 0, "the analysis was interrupted");
    return cm_pivot(columns, count, analysis->basis->columns, alpha, chosen, chosen_count, error);
}

cm_status cm_analysis_select(cm_analysis *analysis, cm_error *error)
{
    if (analysis == NULL || analysis->pivoted)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "events were selected already");
    size_t *candidates = malloc((analysis->event_count + 1) * sizeof *candidates);
    const double **columns = malloc((analysis->event_count + 1) * sizeof *columns);
    size_t *selected = analysis->selected, selected_count = 0, count = 0;
    if (analysis->left_out == NULL)
        analysis->left_out = calloc(analysis->basis->columns, sizeof(double *));
    if (analysis->repetitions == NULL)
        analysis->repetitions = calloc(analysis->basis->columns, sizeof *analysis->repetitions);
    cm_status status;
    if (candidates == NULL || columns == NULL || analysis->left_out == NULL || analysis->repetitions == NULL) {
        status = cm_error_no_memory(error);
        goto done;
    }
    for (size_t i = 0; i < analysis->event_count; i++)
        analysis->events[i].status = cm_event_classify(analysis, &analysis->events[i]);
    count = cm_analysis_candidates(analysis, analysis->thresholds.tau, candidates, columns);
    status = cm_analysis_pivot(analysis, columns, count, analysis->thresholds.alpha, selected, &selected_count, error);
    if (status != CM_OK)
        goto done;
    for (size_t k = 0; k < selected_count; k++)
        selected[k] = candidates[selected[k]];
    status = prepare_fits(analysis, selected, selected_count, error);
    if (status != CM_OK)
        goto done;
    analysis->selected_count = selected_count;
    analysis->pivoted = true;
    mark_events(analysis);
done:
    free(candidates);
    free(columns);
    return status;
}
