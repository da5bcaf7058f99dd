#include "analysis/check.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/state.h"
#include "analysis/vector.h"
#include "core/error.h"

static void expect(const cm_matrix *basis, const double *signature, double *expected)
{
    for (size_t j = 0; j < basis->columns; j++)
        cm_vector_add(expected, signature[j], cm_matrix_column(basis, j), basis->rows);
}

static void combine(const cm_analysis *analysis, const double *coefficients, size_t kernels, double *sum)
{
    for (size_t k = 0; k < analysis->selected_count; k++) {
        const cm_event_analysis *event = &analysis->events[analysis->selected[k]];
        cm_vector_add(sum, coefficients[k], event->mean, kernels);
        for (size_t i = 0; i < kernels && event->offset != 0.0; i++)
            sum[i] -= coefficients[k] * event->offset;
    }
}

/* A signature of independent symbols is not zero, so the largest expected value is not either. */
static double worst_deviation(const cm_check *check)
{
    double largest = 0.0, worst = 0.0;
    for (size_t i = 0; i < check->kernel_count; i++) {
        largest = fmax(largest, fabs(check->expected[i]));
        worst = fmax(worst, fabs(check->rounded[i] - check->expected[i]));
    }
    return worst / largest;
}

cm_status cm_check_fill(const cm_analysis *analysis, const double *signature, const double *coefficients,
                        const double *rounded, cm_check *check, cm_error *error)
{
    size_t kernels = analysis->expectations->rows;
    cm_check filled = {
        .kernel_count = kernels,
        .expected = calloc(kernels, sizeof *filled.expected),
        .raw = calloc(kernels, sizeof *filled.raw),
        .rounded = calloc(kernels, sizeof *filled.rounded),
    };
    if (filled.expected == NULL || filled.raw == NULL || filled.rounded == NULL) {
        cm_check_clear(&filled);
        return cm_error_no_memory(error);
    }
    expect(analysis->expectations, signature, filled.expected);
    combine(analysis, coefficients, kernels, filled.raw);
    combine(analysis, rounded, kernels, filled.rounded);
    filled.worst = worst_deviation(&filled);
    *check = filled;
    return CM_OK;
}

void cm_check_clear(cm_check *check)
{
    free(check->expected);
    free(check->raw);
    free(check->rounded);
    *check = (cm_check){0};
}
