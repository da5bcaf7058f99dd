/* Selects events of the represented ones: runs the pivoting, prepares the fits. */
#include "analysis/state.h"

cm_status cm_gather_columns(const cm_analysis *analysis, const size_t *events, size_t count, cm_matrix **columns,
                            cm_error *error)
{
    size_t symbols = analysis->basis->columns;
    cm_status status = cm_matrix_create(symbols, count, columns, error);
    for (size_t k = 0; status == CM_OK && k < count; k++)
        if (analysis->events[events[k]].representation != NULL) /* else it counts nothing here */
            memcpy(cm_matrix_column(*columns, k), analysis->events[events[k]].representation, symbols * sizeof(double));
    return status;
}

/* Factorises the selected events once for all metrics. */
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

/* Marks the selected events, and for each dependent one the selected event that it equals. */
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

cm_status cm_selector_make(const cm_analysis *analysis, cm_selector *selector, cm_error *error)
{
    size_t events = analysis->event_count + 1;
    *selector = (cm_selector){.analysis = analysis,
                              .candidates = malloc(events * sizeof *selector->candidates),
                              .columns = malloc(events * sizeof *selector->columns),
                              .chosen = malloc(analysis->basis->columns * sizeof *selector->chosen)};
    bool made = selector->candidates != NULL && selector->columns != NULL && selector->chosen != NULL;
    return made ? CM_OK : cm_error_no_memory(error);
}

void cm_selector_clear(cm_selector *selector)
{
    free(selector->candidates);
    free(selector->columns);
    free(selector->chosen);
}

void cm_selector_gather(cm_selector *selector, double tau, const bool *used)
{
    const cm_analysis *analysis = selector->analysis;
    selector->count = 0;
    for (size_t i = 0; i < analysis->event_count; i++) {
        const cm_event_analysis *event = &analysis->events[i];
        bool quiet = isnan(event->noise) || event->noise <= tau;
        if (!quiet || (used != NULL && used[i]) || !cm_event_representable(analysis, event))
            continue;
        selector->candidates[selector->count] = i;
        selector->columns[selector->count++] = event->representation;
    }
}

cm_status cm_selector_choose(cm_selector *selector, double alpha, cm_error *error)
{
    const cm_analysis *analysis = selector->analysis;
    if (analysis->stop != NULL && *analysis->stop != 0)
        return CM_FAIL(error, CM_INTERRUPTED, "the analysis was interrupted");
    cm_status status = cm_pivot(selector->columns, selector->count, analysis->basis->columns, alpha, selector->chosen,
                                &selector->chosen_count, error);
    for (size_t k = 0; status == CM_OK && k < selector->chosen_count; k++)
        selector->chosen[k] = selector->candidates[selector->chosen[k]];
    return status;
}

cm_status cm_analysis_select(cm_analysis *analysis, cm_error *error)
{
    if (analysis == NULL || analysis->pivoted)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "events were selected already");
    cm_selector selector;
    cm_status status = cm_selector_make(analysis, &selector, error);
    if (analysis->left_out == NULL)
        analysis->left_out = calloc(analysis->basis->columns, sizeof(double *));
    if (analysis->repetitions == NULL)
        analysis->repetitions = calloc(analysis->basis->columns, sizeof *analysis->repetitions);
    if (status == CM_OK && (analysis->left_out == NULL || analysis->repetitions == NULL))
        status = cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < analysis->event_count; i++)
        analysis->events[i].status = cm_event_classify(analysis, &analysis->events[i]);
    if (status == CM_OK) {
        cm_selector_gather(&selector, analysis->thresholds.tau, NULL);
        status = cm_selector_choose(&selector, analysis->thresholds.alpha, error);
    }
    CM_THEN(status, prepare_fits(analysis, selector.chosen, selector.chosen_count, error));
    if (status == CM_OK) {
        memcpy(analysis->selected, selector.chosen, selector.chosen_count * sizeof *selector.chosen);
        analysis->selected_count = selector.chosen_count;
        analysis->pivoted = true;
        mark_events(analysis);
    }
    cm_selector_clear(&selector);
    return status;
}
