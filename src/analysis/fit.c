/* A metric from the selected events (the paper's section VI; steps 7 and 8). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check.h"
#include "analysis/fitness.h"
#include "analysis/interval.h"
#include "analysis/rounding.h"
#include "analysis/state.h"
#include "analysis/vector.h"
#include "core/error.h"

static cm_status check_signature(const double *signature, size_t symbols, cm_error *error)
{
    for (size_t i = 0; i < symbols; i++)
        if (!(fabs(signature[i]) <= CM_LARGEST_VALUE))
            return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                                "symbol %zu of the signature is %g, expected a number of at most 1e100", i + 1,
                                signature[i]);
    if (!(cm_vector_norm(signature, symbols) >= CM_SMALLEST_VALUE))
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "the signature is zero, expected at least one symbol other than zero");
    return CM_OK;
}

cm_fit *cm_fit_allocate(size_t terms)
{
    cm_fit *fit = calloc(1, sizeof *fit);
    if (fit == NULL)
        return NULL;
    fit->term_count = terms;
    fit->coefficients = calloc(terms + 1, sizeof *fit->coefficients);
    fit->rounded = calloc(terms + 1, sizeof *fit->rounded);
    fit->events = calloc(terms + 1, sizeof *fit->events);
    fit->half_widths = calloc(terms + 1, sizeof *fit->half_widths);
    if (fit->coefficients == NULL || fit->rounded == NULL || fit->half_widths == NULL || fit->events == NULL) {
        cm_fit_free(fit);
        return NULL;
    }
    return fit;
}

cm_status cm_fit_create(const cm_analysis *analysis, const double *signature, cm_fit **fit, cm_error *error)
{
    if (analysis == NULL || signature == NULL || fit == NULL || !analysis->pivoted)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "a fit needs selected events and a signature");
    size_t symbols = analysis->basis->columns, terms = analysis->selected_count;
    cm_status status = check_signature(signature, symbols, error);
    if (status != CM_OK)
        return status;
    cm_fit *created = cm_fit_allocate(terms);
    double *residual = malloc((symbols + terms) * sizeof *residual);
    if (created == NULL || residual == NULL) {
        cm_fit_free(created);
        free(residual);
        return cm_error_no_memory(error);
    }
    if (terms != 0)
        cm_least_squares_solve(analysis->fit, signature, created->coefficients, residual, residual + symbols);
    memcpy(created->events, analysis->selected, terms * sizeof *created->events);
    for (size_t k = 0; k < terms; k++)
        created->rounded[k] = cm_round_coefficient(created->coefficients[k], analysis->thresholds.alpha);
    const cm_event_sum solved = {terms, analysis->selected, created->coefficients};
    const cm_event_sum rounded = {terms, analysis->selected, created->rounded};
    created->fitness = cm_fitness_of(analysis, &solved, signature, analysis->spectral_norm, residual);
    created->rounded_fitness = cm_fitness_of(analysis, &rounded, signature, analysis->spectral_norm, residual);
    status = cm_check_fill(analysis, signature, created->coefficients, created->rounded, &created->check, error);
    if (status == CM_OK)
        status = cm_half_widths(analysis, signature, created->half_widths, error);
    free(residual);
    if (status != CM_OK) {
        cm_fit_free(created);
        return status;
    }
    created->composable = cm_is_composable(analysis, &created->rounded_fitness, created->check.worst);
    *fit = created;
    return CM_OK;
}

void cm_fit_free(cm_fit *fit)
{
    if (fit == NULL)
        return;
    free(fit->events);
    free(fit->coefficients);
    free(fit->rounded);
    free(fit->half_widths);
    cm_check_clear(&fit->check);
    free(fit);
}
