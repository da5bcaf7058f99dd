/* The object under analysis: its life, and its readers. */
#include "analysis/state.h"

void cm_thresholds_default(cm_thresholds *thresholds)
{
    *thresholds = (cm_thresholds){.tau = 1e-10, .alpha = 5e-4, .residual = 1e-2, .quantum = 0.0, .amplification = 10.0};
}

const char *cm_event_status_text(cm_event_status status)
{
    switch (status) {
    case CM_EVENT_ZERO: return "zero";
    case CM_EVENT_NOISY: return "noisy";
    case CM_EVENT_UNREPRESENTABLE: return "unrepresentable";
    case CM_EVENT_DEPENDENT: return "dependent";
    case CM_EVENT_SELECTED: return "selected";
    case CM_EVENT_AVOIDED: return "avoided";
    }
    return "unknown";
}

/* Comparisons are written so that NaN is refused. */
static cm_status check_thresholds(const cm_thresholds *thresholds, cm_error *error)
{
    const struct {
        bool valid;
        const char *name;
        double value;
        const char *expected;
    } rows[] = {
        {thresholds->tau >= 0.0, "tau", thresholds->tau, "0 or more"},
        {thresholds->alpha > 0.0 && thresholds->alpha < 1.0, "alpha", thresholds->alpha, "more than 0 and less than 1"},
        {thresholds->residual >= 0.0 && thresholds->residual < 1.0, "residual", thresholds->residual,
         "0 or more and less than 1"},
        {thresholds->quantum == 0.0 ||
             (thresholds->quantum >= CM_SMALLEST_VALUE && thresholds->quantum <= CM_LARGEST_VALUE),
         "quantum", thresholds->quantum, "0, or 1e-100 to 1e100"},
        {thresholds->amplification > 0.0, "amplification", thresholds->amplification, "more than 0"},
    };
    for (size_t i = 0; i < CM_COUNT_OF(rows); i++)
        if (!rows[i].valid)
            return CM_FAIL(error, CM_BAD_ARGUMENT, "%s is %g, expected %s", rows[i].name, rows[i].value,
                           rows[i].expected);
    return CM_OK;
}

/* Refuses a basis that cannot have full rank, or whose numbers are out of range. */
static cm_status check_basis(const cm_matrix *basis, cm_error *error)
{
    if (basis->columns == 0)
        return CM_FAIL(error, CM_BAD_INPUT, "the basis has no symbol");
    if (basis->rows < basis->columns)
        return CM_FAIL(error, CM_BAD_INPUT,
                       "the basis has fewer kernels (%zu) than symbols (%zu): its columns are dependent", basis->rows,
                       basis->columns);
    for (size_t j = 0; j < basis->columns; j++)
        for (size_t i = 0; i < basis->rows; i++)
            if (!(fabs(*cm_matrix_at(basis, i, j)) <= CM_LARGEST_VALUE))
                return CM_FAIL(error, CM_BAD_INPUT,
                               "kernel %zu, symbol %zu of the basis is %g, expected a number of at most 1e100", i + 1,
                               j + 1, *cm_matrix_at(basis, i, j));
    return CM_OK;
}

static cm_status check_independence(const cm_least_squares *basis, cm_error *error)
{
    size_t column = cm_least_squares_dependent(basis);
    if (column < basis->columns)
        return CM_FAIL(error, CM_BAD_INPUT,
                       "the columns of the basis are dependent: symbol %zu is zero or a combination of earlier symbols",
                       column + 1);
    return CM_OK;
}

static cm_status copy_basis(const cm_matrix *basis, cm_matrix **copy, cm_error *error)
{
    cm_status status = cm_matrix_create(basis->rows, basis->columns, copy, error);
    if (status == CM_OK)
        memcpy((*copy)->values, basis->values, basis->rows * basis->columns * sizeof *basis->values);
    return status;
}

cm_status cm_analysis_create(const cm_matrix *basis, const cm_thresholds *thresholds, cm_analysis **analysis,
                             cm_error *error)
{
    if (basis == NULL || thresholds == NULL || analysis == NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "an analysis needs a basis and thresholds");
    cm_status status = check_thresholds(thresholds, error);
    CM_THEN(status, check_basis(basis, error));
    if (status != CM_OK)
        return status;
    cm_analysis *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->thresholds = *thresholds;
    status = cm_linear_start(error);
    CM_THEN(status, copy_basis(basis, &created->expectations, error));
    created->selected = malloc(basis->columns * sizeof *created->selected);
    if (status == CM_OK && created->selected == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_least_squares_create(basis, &created->basis, error));
    CM_THEN(status, check_independence(created->basis, error));
    CM_THEN(status, cm_offset_prepare(created, error));
    CM_HAND_OVER(status, analysis, created, cm_analysis_free);
    return status;
}

void cm_analysis_set_stop(cm_analysis *analysis, const volatile int *stop)
{
    analysis->stop = stop;
}

void cm_analysis_free(cm_analysis *analysis)
{
    if (analysis == NULL)
        return;
    cm_matrix_free(analysis->expectations);
    cm_least_squares_free(analysis->basis);
    cm_arena_clear(&analysis->arena);
    free(analysis->events);
    free(analysis->scratch);
    cm_conditions_free(analysis->conditions);
    free(analysis->selected);
    if (analysis->left_out != NULL)
        for (size_t k = 0; k < analysis->selected_count; k++)
            free(analysis->left_out[k]);
    free(analysis->left_out);
    free(analysis->constant_part);
    free(analysis->constant_represented);
    free(analysis->repetitions);
    cm_matrix_free(analysis->columns);
    cm_least_squares_free(analysis->fit);
    free(analysis);
}

cm_status cm_analysis_avoid(cm_analysis *analysis, size_t event, cm_error *error)
{
    if (analysis == NULL || analysis->pivoted || event >= analysis->event_count)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "events to avoid must be named before the pivoting");
    analysis->events[event].status = CM_EVENT_AVOIDED;
    return CM_OK;
}

CM_GETTER(cm_thresholds cm_analysis_thresholds(const cm_analysis *analysis), analysis->thresholds)
CM_GETTER(size_t cm_analysis_event_count(const cm_analysis *analysis), analysis->event_count)
CM_GETTER(cm_event_analysis cm_analysis_event(const cm_analysis *analysis, size_t index), analysis->events[index])
CM_GETTER(size_t cm_analysis_selected_count(const cm_analysis *analysis), analysis->selected_count)
CM_GETTER(size_t cm_analysis_selected(const cm_analysis *analysis, size_t rank), analysis->selected[rank])
