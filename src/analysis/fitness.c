#include "analysis/state.h"

cm_fitness cm_fitness_of(const cm_analysis *analysis, const cm_event_sum *sum, const double *signature,
                         double spectral_norm, double *rest)
{
    size_t symbols = analysis->basis->columns;
    double size = cm_vector_norm(signature, symbols), amplified = 0.0;
    memcpy(rest, signature, symbols * sizeof *rest);
    for (size_t k = 0; k < sum->count; k++) {
        const double *column = analysis->events[sum->events[k]].representation;
        if (column == NULL) /* of an event that counts nothing here */
            continue;
        cm_vector_add(rest, -sum->coefficients[k], column, symbols);
        amplified += fabs(sum->coefficients[k]) * cm_vector_norm(column, symbols);
    }
    double missed = cm_vector_norm(rest, symbols);
    return (cm_fitness){
        .backward_error = missed / (spectral_norm * cm_vector_norm(sum->coefficients, sum->count) + size),
        .misfit = missed / size,
        .amplification = amplified / size,
    };
}

void cm_expect_counts(const cm_analysis *analysis, const double *signature, double *expected)
{
    const cm_matrix *basis = analysis->expectations;
    for (size_t j = 0; j < basis->columns; j++)
        cm_vector_add(expected, signature[j], cm_matrix_column(basis, j), basis->rows);
}

void cm_count_sum(const cm_analysis *analysis, const cm_event_sum *sum, double *counted)
{
    const cm_matrix *basis = analysis->expectations;
    for (size_t k = 0; k < sum->count; k++) {
        const cm_event_analysis *event = &analysis->events[sum->events[k]];
        double coefficient = sum->coefficients[k];
        if (event->mean == NULL) {
            for (size_t j = 0; j < basis->columns && event->representation != NULL; j++)
                cm_vector_add(counted, coefficient * event->representation[j], cm_matrix_column(basis, j), basis->rows);
            continue;
        }
        cm_vector_add(counted, coefficient, event->mean, basis->rows);
        for (size_t i = 0; i < basis->rows && event->offset != 0.0; i++)
            counted[i] -= coefficient * event->offset;
    }
}

double cm_worst_deviation(const double *expected, const double *counted, size_t kernels)
{
    double largest = 0.0, worst = 0.0;
    for (size_t i = 0; i < kernels; i++) {
        largest = fmax(largest, fabs(expected[i]));
        worst = fmax(worst, fabs(counted[i] - expected[i]));
    }
    return worst / largest;
}

bool cm_is_composable(const cm_analysis *analysis, const cm_fitness *fitness, double worst)
{
    const cm_thresholds *limits = &analysis->thresholds;
    return fitness->misfit <= limits->residual && worst <= limits->residual &&
           fitness->amplification <= limits->amplification;
}
