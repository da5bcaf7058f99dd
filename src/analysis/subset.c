#include "analysis/subset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rounding.h"
#include "analysis/vector.h"
#include "core/error.h"

static const double smallest_independence = 1e-8;

void cm_definition_clear(cm_definition *definition)
{
    free(definition->events);
    free(definition->coefficients);
    *definition = (cm_definition){0};
}

/* What one kernel would count of the event: as measured where that is known, else as represented. */
static double count_on(const cm_analysis *analysis, const cm_event_analysis *event, size_t kernel)
{
    if (event->mean != NULL)
        return event->mean[kernel] - event->offset;
    double sum = 0.0;
    for (size_t s = 0; s < analysis->expectations->columns; s++)
        sum += *cm_matrix_at(analysis->expectations, kernel, s) * event->representation[s];
    return sum;
}

/* The largest deviation on a kernel, relative to the largest value expected. */
static double worst_deviation(const cm_analysis *analysis, const double *signature, const cm_definition *definition)
{
    double largest = 0.0, worst = 0.0;
    for (size_t i = 0; i < analysis->expectations->rows; i++) {
        double expected = 0.0, value = 0.0;
        for (size_t s = 0; s < analysis->expectations->columns; s++)
            expected += *cm_matrix_at(analysis->expectations, i, s) * signature[s];
        for (size_t k = 0; k < definition->count; k++)
            value += definition->coefficients[k] * count_on(analysis, &analysis->events[definition->events[k]], i);
        largest = fmax(largest, fabs(expected));
        worst = fmax(worst, fabs(value - expected));
    }
    return worst / largest;
}

static void judge(const cm_analysis *analysis, const double *signature, double spectral_norm, double *rest,
                  cm_definition *definition)
{
    size_t symbols = analysis->basis->columns;
    double size = cm_vector_norm(signature, symbols), amplified = 0.0;
    memcpy(rest, signature, symbols * sizeof *rest);
    for (size_t k = 0; k < definition->count; k++) {
        const double *column = analysis->events[definition->events[k]].representation;
        cm_vector_add(rest, -definition->coefficients[k], column, symbols);
        amplified += fabs(definition->coefficients[k]) * cm_vector_norm(column, symbols);
    }
    double missed = cm_vector_norm(rest, symbols);
    double length = cm_vector_norm(definition->coefficients, definition->count);
    definition->fitness = (cm_fitness){missed / (spectral_norm * length + size), missed / size, amplified / size};
    const cm_thresholds *limits = &analysis->thresholds;
    definition->composable = definition->fitness.misfit <= limits->residual &&
                             definition->fitness.amplification <= limits->amplification &&
                             worst_deviation(analysis, signature, definition) <= limits->residual;
}

static bool independent(const cm_least_squares *problem)
{
    for (size_t j = 0; j < problem->columns; j++)
        if (!(cm_least_squares_independence(problem, j) > smallest_independence))
            return false;
    return true;
}

cm_status cm_define_over(const cm_analysis *analysis, const double *signature, const size_t *events, size_t count,
                         cm_definition *definition, cm_error *error)
{
    size_t symbols = analysis->basis->columns;
    cm_matrix *columns = NULL;
    cm_least_squares *problem = NULL;
    double norm = 0.0;
    *definition = (cm_definition){.events = malloc((count + 1) * sizeof *definition->events),
                                  .coefficients = malloc((count + 1) * sizeof *definition->coefficients)};
    double *scratch = malloc((symbols + 2 * count + 1) * sizeof *scratch);
    cm_status status = definition->events == NULL || definition->coefficients == NULL || scratch == NULL
                           ? cm_error_no_memory(error)
                           : cm_matrix_create(symbols, count, &columns, error);
    for (size_t k = 0; status == CM_OK && k < count; k++)
        memcpy(cm_matrix_column(columns, k), analysis->events[events[k]].representation, symbols * sizeof(double));
    if (status == CM_OK && count > 0)
        status = cm_least_squares_create(columns, &problem, error);
    if (status == CM_OK && count > 0 && independent(problem)) {
        double *solution = scratch + symbols;
        cm_least_squares_solve(problem, signature, solution, scratch, solution + count);
        for (size_t k = 0; k < count; k++) {
            double rounded = cm_round_coefficient(solution[k], analysis->thresholds.alpha);
            if (rounded == 0.0)
                continue;
            definition->events[definition->count] = events[k];
            definition->coefficients[definition->count++] = rounded;
        }
        status = cm_spectral_norm(columns, &norm, error);
    }
    if (status == CM_OK)
        judge(analysis, signature, norm, scratch, definition);
    cm_least_squares_free(problem);
    cm_matrix_free(columns);
    free(scratch);
    if (status != CM_OK)
        cm_definition_clear(definition);
    return status;
}
