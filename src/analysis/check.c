#include "analysis/check.h"

#include <stdlib.h>

#include "analysis/fitness.h"
#include "core/error.h"

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
    cm_expect(analysis, signature, filled.expected);
    cm_count_sum(analysis, &(cm_event_sum){analysis->selected_count, analysis->selected, coefficients}, filled.raw);
    cm_count_sum(analysis, &(cm_event_sum){analysis->selected_count, analysis->selected, rounded}, filled.rounded);
    filled.worst = cm_worst_deviation(filled.expected, filled.rounded, kernels);
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
