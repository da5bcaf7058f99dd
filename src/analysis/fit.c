/* A metric from the selected events (the paper's section VI; steps 7 and 8). */
#include "analysis/state.h"

/* Refuses a signature that is zero or out of range. */
static cm_status check_signature(const double *signature, size_t symbols, cm_error *error)
{
    for (size_t i = 0; i < symbols; i++)
        if (!(fabs(signature[i]) <= CM_LARGEST_VALUE))
            return CM_FAIL(error, CM_BAD_ARGUMENT,
                           "symbol %zu of the signature is %g, expected a number of at most 1e100", i + 1,
                           signature[i]);
    if (!(cm_vector_norm(signature, symbols) >= CM_SMALLEST_VALUE))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "the signature is zero, expected at least one symbol other than zero");
    return CM_OK;
}

cm_fit *cm_fit_allocate(size_t terms, size_t kernels)
{
    cm_fit *fit = calloc(1, sizeof *fit + 3 * (terms + kernels) * sizeof(double) + terms * sizeof(size_t));
    if (fit == NULL)
        return NULL;
    fit->term_count = terms;
    fit->check.kernel_count = kernels;
    fit->coefficients = (double *)(fit + 1);
    fit->rounded = fit->coefficients + terms;
    fit->half_widths = fit->rounded + terms;
    fit->check.expected = fit->half_widths + terms;
    fit->check.raw = fit->check.expected + kernels;
    fit->check.rounded = fit->check.raw + kernels;
    fit->events = (size_t *)(fit->check.rounded + kernels);
    return fit;
}

cm_status cm_fit_create(const cm_analysis *analysis, const double *signature, cm_fit **fit, cm_error *error)
{
    if (analysis == NULL || signature == NULL || fit == NULL || !analysis->pivoted)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a fit needs selected events and a signature");
    size_t symbols = analysis->basis->columns, kernels = analysis->basis->rows, terms = analysis->selected_count;
    cm_status status = check_signature(signature, symbols, error);
    if (status != CM_OK)
        return status;
    cm_fit *created = cm_fit_allocate(terms, kernels);
    double *residual = malloc((symbols + terms) * sizeof *residual);
    if (created == NULL || residual == NULL) {
        free(created);
        free(residual);
        return cm_error_no_memory(error);
    }
    if (terms != 0)
        cm_least_squares_solve(analysis->fit, signature, created->coefficients, residual, residual + symbols);
    memcpy(created->events, analysis->selected, terms * sizeof *created->events);
    for (size_t k = 0; k < terms; k++)
        created->rounded[k] = cm_round_coefficient(created->coefficients[k], analysis->thresholds.alpha);
    const cm_event_sum solved = {terms, created->events, created->coefficients};
    const cm_event_sum rounded = {terms, created->events, created->rounded};
    created->fitness = cm_fitness_of(analysis, &solved, signature, analysis->spectral_norm, residual);
    created->rounded_fitness = cm_fitness_of(analysis, &rounded, signature, analysis->spectral_norm, residual);
    cm_fit_check *check = &created->check;
    cm_expect_counts(analysis, signature, check->expected);
    cm_count_sum(analysis, &solved, check->raw);
    cm_count_sum(analysis, &rounded, check->rounded);
    check->worst = cm_worst_deviation(check->expected, check->rounded, kernels);
    created->composable = cm_is_composable(analysis, &created->rounded_fitness, check->worst);
    status = cm_half_widths(analysis, signature, created->half_widths, error);
    free(residual);
    CM_HAND_OVER(status, fit, created, cm_fit_free);
    return status;
}

void cm_fit_free(cm_fit *fit)
{
    free(fit);
}
