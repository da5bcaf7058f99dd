#include "analysis/state.h"

void cm_definition_clear(cm_definition *definition)
{
    free(definition->events);
    free(definition->coefficients);
    free(definition->open_questions);
    *definition = (cm_definition){0};
}

/* `scratch`: two elements a kernel. */
static void judge_subset(const cm_analysis *analysis, const double *signature, double spectral_norm, double *scratch,
                         cm_definition *definition)
{
    size_t kernels = analysis->expectations->rows;
    const cm_event_sum sum = {definition->count, definition->events, definition->coefficients};
    definition->fitness = cm_fitness_of(analysis, &sum, signature, spectral_norm, scratch);
    memset(scratch, 0, 2 * kernels * sizeof *scratch);
    cm_expect_counts(analysis, signature, scratch);
    cm_count_sum(analysis, &sum, scratch + kernels);
    double worst = cm_worst_deviation(scratch, scratch + kernels, kernels);
    definition->composable = cm_is_composable(analysis, &definition->fitness, worst);
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
    double *scratch = malloc((2 * analysis->expectations->rows + 2 * count + symbols) * sizeof *scratch);
    cm_status status = definition->events == NULL || definition->coefficients == NULL || scratch == NULL
                           ? cm_error_no_memory(error)
                           : cm_gather_columns(analysis, events, count, &columns, error);
    if (status == CM_OK && count > 0)
        status = cm_least_squares_create(columns, &problem, error);
    if (status == CM_OK && count > 0 && cm_least_squares_dependent(problem) == count) {
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
        judge_subset(analysis, signature, norm, scratch, definition);
    cm_least_squares_free(problem);
    cm_matrix_free(columns);
    free(scratch);
    if (status != CM_OK)
        cm_definition_clear(definition);
    return status;
}
