/* From selected events to metrics. */
#include "discovery/results.h"

#include "analysis/numerics.h"

/* Fits each metric whose signature is not zero. */
static cm_status fit_metrics(cm_benchmark_result *result, cm_error *error)
{
    const cm_signatures *signatures = result->signatures;
    result->fits = calloc(signatures->metric_count + 1, sizeof(cm_fit *));
    if (result->fits == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < signatures->metric_count; i++) {
        const double *signature = signatures->metrics[i].values;
        if (cm_vector_is_zero(signature, signatures->symbol_count))
            continue;
        cm_status status = cm_fit_create(result->analysis, signature, &result->fits[i], error);
        if (status != CM_OK)
            return status;
    }
    return CM_OK;
}

/* The number of terms of a rounded definition. */
static size_t count_terms(const cm_fit *fit)
{
    size_t terms = 0;
    for (size_t k = 0; k < fit->term_count; k++)
        terms += fit->rounded[k] != 0.0;
    return terms;
}

/* Finds for each composable metric its other definitions, and one of at most max_events events if its own has more. */
static cm_status find_alternatives(cm_benchmark_result *result, cm_error *error)
{
    size_t metrics = result->signatures->metric_count;
    result->alternatives = calloc(metrics + 1, sizeof *result->alternatives);
    cm_status status = result->alternatives != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t m = 0; status == CM_OK && m < metrics; m++) {
        const cm_fit *fit = result->fits[m];
        const double *signature = result->signatures->metrics[m].values;
        if (fit != NULL && fit->composable)
            status = cm_analysis_alternatives(result->analysis, signature, fit, &result->alternatives[m].list,
                                              &result->alternatives[m].count, error);
        if (status == CM_OK && fit != NULL && result->max_events != 0 && count_terms(fit) > result->max_events)
            status = cm_analysis_define_with(result->analysis, signature, result->max_events,
                                             &result->alternatives[m].limited, error);
    }
    return status;
}

/* Finds the stability of the metrics that have a fit. */
static cm_status find_stability(cm_benchmark_result *result, cm_error *error)
{
    size_t metrics = result->signatures->metric_count, count = 0;
    const double **signatures = malloc((metrics + 1) * sizeof *signatures);
    cm_definition_stability *stability = malloc((metrics + 1) * sizeof *stability);
    result->stability = calloc(metrics + 1, sizeof *result->stability);
    cm_status status = CM_OK;
    if (signatures == NULL || stability == NULL || result->stability == NULL)
        status = cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < metrics; i++)
        if (result->fits[i] != NULL)
            signatures[count++] = result->signatures->metrics[i].values;
    CM_THEN(status, cm_analysis_stability(result->analysis, signatures, count, stability, error));
    for (size_t i = metrics; status == CM_OK && i-- > 0;)
        if (result->fits[i] != NULL)
            result->stability[i] = stability[--count];
    CM_FREE(signatures, stability);
    return status;
}

/* Finds the events that may stand in for each selected one. */
static cm_status find_equivalents(cm_benchmark_result *result, cm_error *error)
{
    size_t count = cm_analysis_selected_count(result->analysis);
    result->equivalents = calloc(count + 1, sizeof *result->equivalents);
    cm_status status = result->equivalents != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t k = 0; status == CM_OK && k < count; k++)
        status = cm_equivalents_create(result->analysis, cm_analysis_selected(result->analysis, k),
                                       &result->equivalents[k].list, &result->equivalents[k].count, error);
    return status;
}

cm_status cm_solve_metrics(cm_benchmark_result *result, cm_error *error)
{
    cm_status status = fit_metrics(result, error);
    CM_THEN(status, find_stability(result, error));
    CM_THEN(status, find_alternatives(result, error));
    CM_THEN(status, find_equivalents(result, error));
    return status;
}
