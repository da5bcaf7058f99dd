#include "law/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "analysis/linear.h"
#include "core/error.h"

double cm_law_fit_prior(const cm_law_fit *fit, size_t alternative)
{
    return cm_law_default.prior * fit->amplification * fit->metric->middle * fit->metric->law->sizes[alternative];
}

/* Of a natural program, how often each of the metric's facts is there for one of the metric: none that the machine
 * lacks. */
static void fill_programs(cm_law_fit *fit)
{
    const cm_law_metric *metric = fit->metric;
    for (size_t q = 0; q < metric->program_count; q++)
        for (size_t i = 0; i < metric->own_count; i++)
            if (!metric->law->lacking[metric->own[i]])
                fit->in_programs[i * metric->program_count + q] =
                    metric->law->setup.natural->facts[metric->programs[q] * cm_fact_count() + metric->own[i]] /
                    fabs(metric->meanings[q]);
}

cm_status cm_law_fit_create(const cm_law_metric *metric, double amplification, const double *variances,
                            const double *strays, cm_law_fit *fit, cm_error *error)
{
    size_t kernels = metric->law->setup.kernel_count, base = metric->block_count + 1, most = base + CM_LAW_STEPS;
    *fit = (cm_law_fit){.metric = metric,
                        .amplification = amplification,
                        .variances = variances,
                        .base = base,
                        .columns = base,
                        .block = calloc(kernels * most + 1, sizeof *fit->block),
                        .covariance = calloc(most * most + 1, sizeof *fit->covariance),
                        .estimate = calloc(most + 1, sizeof *fit->estimate),
                        .in_programs = calloc(metric->program_count * most + 1, sizeof *fit->in_programs),
                        .weights = calloc(kernels + 1, sizeof *fit->weights),
                        .roots = calloc(kernels + 1, sizeof *fit->roots),
                        .residual = calloc(kernels + most, sizeof *fit->residual),
                        .aims = calloc(kernels + most, sizeof *fit->aims),
                        .vector = calloc(kernels + most, sizeof *fit->vector),
                        .step = calloc(2 * most, sizeof *fit->step)};
    if (fit->block == NULL || fit->covariance == NULL || fit->estimate == NULL || fit->in_programs == NULL ||
        fit->weights == NULL || fit->roots == NULL || fit->residual == NULL || fit->aims == NULL ||
        fit->vector == NULL || fit->step == NULL)
        return cm_error_no_memory(error);
    memcpy(fit->block, metric->block, kernels * metric->block_count * sizeof *fit->block);
    memcpy(fit->block + kernels * metric->block_count, strays, kernels * sizeof *fit->block);
    /* Kernels for facts that vendors disagree about say nothing of the metric's own. */
    for (size_t k = 0; k < kernels; k++)
        fit->weights[k] = metric->law->setup.kernels[k].free ? 0.0 : 1.0 / variances[k];
    fill_programs(fit);
    return CM_OK;
}

void cm_law_fit_clear(cm_law_fit *fit)
{
    free(fit->block);
    free(fit->covariance);
    free(fit->estimate);
    free(fit->in_programs);
    free(fit->weights);
    free(fit->roots);
    cm_least_squares_free(fit->squares);
    free(fit->residual);
    free(fit->aims);
    free(fit->vector);
    free(fit->step);
    *fit = (cm_law_fit){0};
}

void cm_law_fit_choose(cm_law_fit *fit, size_t alternative, double weight)
{
    const cm_law_metric *metric = fit->metric;
    const cm_law *law = metric->law;
    size_t kernels = law->setup.kernel_count, place = metric->own_count + fit->chosen_count;
    memcpy(fit->block + fit->columns++ * kernels, law->kernels + alternative * kernels, kernels * sizeof *fit->block);
    /* What the machine decides of it tells little of the others. */
    for (size_t k = 0; k < kernels; k++)
        if (fit->weights[k] > 0.0)
            fit->weights[k] = 1.0 / (1.0 / fit->weights[k] + pow(weight * law->bounds[alternative * kernels + k], 2.0));
    for (size_t q = 0; q < metric->program_count; q++)
        fit->in_programs[place * metric->program_count + q] =
            law->programs[alternative * law->setup.natural->count + metric->programs[q]] / fabs(metric->meanings[q]);
    fit->chosen[fit->chosen_count++] = alternative;
}

/* The standard deviation of a column before anything was counted: of what the machine decides all of it; strays are no
 * more than their bound. */
static double prior_of(const cm_law_fit *fit, size_t column)
{
    const cm_law_metric *metric = fit->metric;
    if (column < metric->own_count)
        return cm_law_default.prior * fit->amplification * fabs(metric->weights[metric->own[column]]);
    if (column == metric->block_count)
        return 1.0 / cm_law_default.z;
    return column < fit->base ? 1.0 : cm_law_fit_prior(fit, fit->chosen[column - fit->base]);
}

/* Kernels, each in its deviation, above columns, each in the deviation that it had before. */
static cm_status stack(cm_law_fit *fit, cm_error *error)
{
    size_t kernels = fit->metric->law->setup.kernel_count, columns = fit->columns;
    cm_matrix *stacked = NULL;
    cm_status status = cm_matrix_create(kernels + columns, columns, &stacked, error);
    if (status != CM_OK)
        return status;
    for (size_t c = 0; c < columns; c++) {
        for (size_t k = 0; k < kernels; k++)
            *cm_matrix_at(stacked, k, c) = fit->block[c * kernels + k] * fit->roots[k];
        *cm_matrix_at(stacked, kernels + c, c) = 1.0 / prior_of(fit, c);
    }
    cm_least_squares_free(fit->squares);
    fit->squares = NULL;
    status = cm_least_squares_create(stacked, &fit->squares, error);
    cm_matrix_free(stacked);
    return status;
}

cm_status cm_law_fit_solve(cm_law_fit *fit, const double *errors, cm_error *error)
{
    size_t kernels = fit->metric->law->setup.kernel_count, columns = fit->columns;
    for (size_t k = 0; k < kernels; k++)
        fit->roots[k] = sqrt(fit->weights[k]);
    cm_status status = stack(fit, error);
    if (status != CM_OK)
        return status;
    fit->errors = errors;
    for (size_t k = 0; k < kernels; k++)
        fit->aims[k] = errors[k] * fit->roots[k];
    memset(fit->aims + kernels, 0, columns * sizeof *fit->aims);
    cm_least_squares_solve(fit->squares, fit->aims, fit->estimate, fit->residual, fit->step);
    memcpy(fit->covariance, fit->squares->triangle, columns * columns * sizeof *fit->covariance);
    cm_cholesky_invert(fit->covariance, columns);
    return CM_OK;
}

void cm_law_fit_beside(cm_law_fit *fit, size_t alternative, bool sure, double *weight, double *deviation, double *shift)
{
    const cm_law_metric *metric = fit->metric;
    const cm_law *law = metric->law;
    const cm_law_alternative *what = &law->alternatives[alternative];
    size_t kernels = law->setup.kernel_count;
    const double *values = law->kernels + alternative * kernels, *bounds = law->bounds + alternative * kernels;
    double square = 0.0, product = 0.0, *taken = fit->step, *vector = fit->vector;
    for (size_t k = 0; k < kernels; k++) {
        double column = sure ? copysign(fmax(0.0, fabs(values[k]) - bounds[k]), values[k]) : values[k];
        bool is_free = law->setup.kernels[k].free; /* which weighs for what is so alone, and nothing else */
        double root = is_free && what->is_free ? sqrt(1.0 / fit->variances[k]) : fit->roots[k];
        vector[k] = column * root;
        square += vector[k] * vector[k];
        fit->aims[k] = is_free ? fit->errors[k] * root : fit->residual[k];
    }
    memcpy(fit->aims + kernels, fit->residual + kernels, fit->columns * sizeof *fit->aims);
    memset(vector + kernels, 0, fit->columns * sizeof *vector);
    cm_least_squares_take(fit->squares, vector, taken, fit->step + fit->columns);
    double rest = cm_vector_dot(vector, vector, kernels + fit->columns);
    product = cm_vector_dot(vector, fit->aims, kernels + fit->columns);
    double information = fmax(rest, 1e-12 * square) + 1.0 / pow(cm_law_fit_prior(fit, alternative), 2.0);
    *weight = product / information;
    *deviation = 1.0 / sqrt(information);
    if (shift == NULL)
        return;
    /* In programs the own facts take back what they were given for it on kernels. */
    size_t programs = metric->program_count, own = metric->own_count;
    for (size_t i = 0; i < fit->chosen_count; i++)
        taken[own + i] = taken[fit->base + i];
    for (size_t q = 0; q < programs; q++)
        shift[q] =
            law->programs[alternative * law->setup.natural->count + metric->programs[q]] / fabs(metric->meanings[q]);
    cm_add_product(fit->in_programs, programs, own + fit->chosen_count, -1.0, taken, shift);
}
