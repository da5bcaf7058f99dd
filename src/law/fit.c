/* A fit to a definition's errors on kernels: the metric's own facts, and one alternative at a time beside them. */
#include "law/state.h"

#include "analysis/rules.h"

double cm_law_fit_prior(const cm_law_fit *fit, size_t alternative)
{
    return cm_the_rules.prior * fit->amplification * fit->metric->middle * fit->metric->law->sizes[alternative];
}

/* Fills how often each of the metric's facts happens, for one of the metric, in each natural program; facts that no
 * kernel surely does are left out. */
static void fill_programs(cm_law_fit *fit)
{
    const cm_law_metric *metric = fit->metric;
    for (size_t q = 0; q < metric->program_count; q++)
        for (size_t i = 0; i < metric->own_count; i++) {
            if (!metric->law->sure[metric->own[i]])
                continue;
            double often = metric->law->setup.natural->facts[metric->programs[q] * cm_fact_count() + metric->own[i]] /
                           fabs(metric->meanings[q]);
            fit->in_programs[i * metric->program_count + q] = often;
            fit->most_in_programs[i] = fmax(fit->most_in_programs[i], fabs(often));
        }
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
                        .most_in_programs = calloc(most + 1, sizeof *fit->most_in_programs),
                        .weights = calloc(kernels + 1, sizeof *fit->weights),
                        .roots = calloc(kernels + 1, sizeof *fit->roots),
                        .residual = calloc(kernels + most, sizeof *fit->residual),
                        .aims = calloc(CM_LAW_LOOKS * (kernels + most), sizeof *fit->aims),
                        .vector = calloc(kernels + most, sizeof *fit->vector),
                        .step = calloc(2 * most, sizeof *fit->step)};
    if (fit->block == NULL || fit->covariance == NULL || fit->estimate == NULL || fit->in_programs == NULL ||
        fit->most_in_programs == NULL || fit->weights == NULL || fit->roots == NULL || fit->residual == NULL ||
        fit->aims == NULL || fit->vector == NULL || fit->step == NULL)
        return cm_error_no_memory(error);
    memcpy(fit->block, metric->block, kernels * metric->block_count * sizeof *fit->block);
    memcpy(fit->block + kernels * metric->block_count, strays, kernels * sizeof *fit->block);
    /* Kernels for facts that vendors disagree about say nothing of the metric's own facts. A kernel says little if the
     * machine decides much of it. */
    for (size_t k = 0; k < kernels; k++)
        fit->weights[k] =
            metric->law->setup.kernels[k].free ? 0.0 : 1.0 / (variances[k] + pow(2.0 * metric->machine_share[k], 2.0));
    fill_programs(fit);
    return CM_OK;
}

void cm_law_fit_clear(cm_law_fit *fit)
{
    free(fit->block);
    free(fit->covariance);
    free(fit->estimate);
    free(fit->in_programs);
    free(fit->most_in_programs);
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
    /* The part that the machine decides tells little of the others. */
    for (size_t k = 0; k < kernels; k++)
        if (fit->weights[k] > 0.0)
            fit->weights[k] = 1.0 / (1.0 / fit->weights[k] + pow(weight * law->bounds[alternative * kernels + k], 2.0));
    for (size_t q = 0; q < metric->program_count; q++)
        fit->in_programs[place * metric->program_count + q] = cm_law_in_program(metric, alternative, q);
    fit->most_in_programs[place] = cm_law_extreme_of(metric, alternative)->most;
    fit->chosen[fit->chosen_count++] = alternative;
    cm_least_squares_free(fit->squares);
    fit->squares = NULL;
}

/* The standard deviation of a column before anything was counted: all of the part that the machine decides; strays are
 * no more than their bound. */
static double prior_of(const cm_law_fit *fit, size_t column)
{
    const cm_law_metric *metric = fit->metric;
    if (column < metric->own_count)
        return cm_the_rules.prior * fit->amplification * fabs(metric->weights[metric->own[column]]);
    if (column == metric->block_count)
        return 1.0 / cm_the_rules.z;
    return column < fit->base ? 1.0 : cm_law_fit_prior(fit, fit->chosen[column - fit->base]);
}

/* Stacks rows of kernels, each divided by its deviation, above rows of columns, each by the deviation before the fit.
 */
static cm_status stack_rows(cm_law_fit *fit, cm_error *error)
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
    status = cm_least_squares_create(stacked, &fit->squares, error);
    cm_matrix_free(stacked);
    if (status != CM_OK)
        return status;
    memcpy(fit->covariance, fit->squares->triangle, columns * columns * sizeof *fit->covariance);
    cm_cholesky_invert(fit->covariance, columns);
    return CM_OK;
}

cm_status cm_law_fit_solve(cm_law_fit *fit, const double *errors, cm_error *error)
{
    size_t kernels = fit->metric->law->setup.kernel_count, columns = fit->columns;
    for (size_t k = 0; k < kernels; k++)
        fit->roots[k] = sqrt(fit->weights[k]);
    cm_status status = fit->squares == NULL ? stack_rows(fit, error) : CM_OK;
    if (status != CM_OK)
        return status;
    for (size_t k = 0; k < kernels; k++)
        fit->aims[k] = errors[k] * fit->roots[k];
    memset(fit->aims + kernels, 0, columns * sizeof *fit->aims);
    fit->size = cm_vector_norm(fit->aims, kernels);
    cm_least_squares_solve(fit->squares, fit->aims, fit->estimate, fit->residual, fit->step);
    return CM_OK;
}

/* The alternative on kernels, each in its deviation; its square. Kernels for facts that vendors disagree about weigh
 * for what is so alone. */
static double fill_vector(cm_law_fit *fit, size_t alternative, bool sure)
{
    const cm_law *law = fit->metric->law;
    size_t kernels = law->setup.kernel_count;
    const double *values = law->kernels + alternative * kernels, *bounds = law->bounds + alternative * kernels;
    double square = 0.0, *vector = fit->vector;
    for (size_t k = 0; k < kernels && sure; k++)
        vector[k] = copysign(fmax(0.0, fabs(values[k]) - bounds[k]), values[k]);
    if (!sure)
        memcpy(vector, values, kernels * sizeof *vector);
    for (size_t k = 0; k < kernels; k++) {
        bool alone = law->alternatives[alternative].is_free && law->setup.kernels[k].free;
        vector[k] *= alone ? sqrt(1.0 / fit->variances[k]) : fit->roots[k];
        square += vector[k] * vector[k];
    }
    memset(vector + kernels, 0, fit->columns * sizeof *vector);
    return square;
}

/* The rest that the look left, with its find on the kernels that weigh for free columns alone. */
static const double *aims_of(cm_law_fit *fit, const cm_law_look *look, bool is_free, double *buffer)
{
    const cm_law *law = fit->metric->law;
    size_t kernels = law->setup.kernel_count;
    if (!is_free)
        return look->residual;
    memcpy(buffer, look->residual, (kernels + fit->columns) * sizeof *buffer);
    for (size_t k = 0; k < kernels; k++)
        if (law->setup.kernels[k].free)
            buffer[k] = look->errors[k] * sqrt(1.0 / fit->variances[k]);
    return buffer;
}

void cm_law_fit_beside(cm_law_fit *fit, size_t alternative, bool sure, const cm_law_look *looks, size_t count,
                       double *weights, double *deviation)
{
    const cm_law *law = fit->metric->law;
    bool is_free = law->alternatives[alternative].is_free;
    size_t size = law->setup.kernel_count + fit->columns;
    double square = fill_vector(fit, alternative, sure), rest = 0.0, products[CM_LAW_LOOKS] = {0.0};
    const double *vector = fit->vector, *aims[CM_LAW_LOOKS];
    if (square > 0.0)
        cm_least_squares_take(fit->squares, fit->vector, fit->step, fit->step + fit->columns);
    else
        memset(fit->step, 0, fit->columns * sizeof *fit->step);
    for (size_t i = 0; i < CM_LAW_LOOKS; i++)
        aims[i] = i < count ? aims_of(fit, &looks[i], is_free, fit->aims + i * size) : aims[0];
    for (size_t k = 0; k < size; k++) { /* sums beside each other take no longer than one */
        rest += vector[k] * vector[k];
        products[0] += vector[k] * aims[0][k];
        products[1] += vector[k] * aims[1][k];
    }
    double information = fmax(rest, 1e-12 * square) + 1.0 / pow(cm_law_fit_prior(fit, alternative), 2.0);
    for (size_t i = 0; i < count; i++)
        weights[i] = products[i] / information;
    *deviation = 1.0 / sqrt(information);
}

double cm_law_fit_most_shift(const cm_law_fit *fit, size_t alternative)
{
    size_t own = fit->metric->own_count;
    double most = cm_law_extreme_of(fit->metric, alternative)->most;
    for (size_t i = 0; i < own + fit->chosen_count; i++)
        most += fit->most_in_programs[i] * fabs(fit->step[i < own ? i : fit->base + i - own]);
    return most * (1.0 + CM_LAW_ROUNDING);
}

/* In programs the own facts take back what they were given for it on kernels. */
void cm_law_fit_shift(cm_law_fit *fit, size_t alternative, double *shift)
{
    const cm_law_metric *metric = fit->metric;
    size_t programs = metric->program_count, own = metric->own_count;
    for (size_t i = 0; i < fit->chosen_count; i++)
        fit->step[own + i] = fit->step[fit->base + i];
    for (size_t q = 0; q < programs; q++)
        shift[q] = cm_law_in_program(metric, alternative, q);
    if (!cm_vector_is_zero(fit->step, own + fit->chosen_count))
        cm_add_product(fit->in_programs, programs, own + fit->chosen_count, -1.0, fit->step, shift);
}

bool cm_law_fit_may_show(cm_law_fit *fit, size_t alternative, double deviations)
{
    size_t size = fit->metric->law->setup.kernel_count + fit->columns;
    double square = fill_vector(fit, alternative, false);
    double prior = 1.0 / pow(cm_law_fit_prior(fit, alternative), 2.0);
    /* The rest of the fit lies across its columns: the whole vector meets it as its own rest does. */
    double most = fabs(cm_vector_dot(fit->vector, fit->residual, size)) + CM_LAW_ROUNDING * sqrt(square) * fit->size;
    double least = deviations * (1.0 - CM_LAW_ROUNDING);
    if (most <= least * sqrt(prior))
        return false;
    cm_multiply_transposed(fit->squares->q, fit->columns, fit->vector, 1, size, fit->step);
    double rest = square * (1.0 - CM_LAW_ROUNDING) - cm_vector_dot(fit->step, fit->step, fit->columns);
    return !(most <= least * sqrt(fmax(0.0, rest) + prior));
}
