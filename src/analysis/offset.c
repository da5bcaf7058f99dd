/* A constant count per iteration, as of the instructions of the loop around the payload. */
#include "analysis/rules.h"
#include "analysis/state.h"

cm_status cm_offset_prepare(cm_analysis *analysis, cm_error *error)
{
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    double *ones = calloc(kernels + symbols, sizeof *ones);
    analysis->constant_part = malloc(kernels * sizeof *analysis->constant_part);
    analysis->constant_represented = malloc(symbols * sizeof *analysis->constant_represented);
    if (ones == NULL || analysis->constant_part == NULL || analysis->constant_represented == NULL) {
        free(ones);
        return cm_error_no_memory(error);
    }
    for (size_t i = 0; i < kernels; i++)
        ones[i] = 1.0;
    cm_least_squares_solve(analysis->basis, ones, analysis->constant_represented, analysis->constant_part,
                           ones + kernels);
    /* Less than that part of a constant that symbols cannot count is rounding error. */
    double square = cm_vector_dot(analysis->constant_part, analysis->constant_part, kernels);
    analysis->constant_square =
        sqrt(square) > cm_the_rules.alike * cm_the_rules.least * sqrt((double)kernels) ? square : 0.0;
    free(ones);
    return CM_OK;
}

double cm_take_offset(const cm_analysis *analysis, double *residual, double *representation)
{
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    if (analysis->constant_square == 0.0)
        return 0.0;
    double offset = cm_vector_dot(analysis->constant_part, residual, kernels) / analysis->constant_square;
    cm_vector_add(residual, -offset, analysis->constant_part, kernels);
    cm_vector_add(representation, -offset, analysis->constant_represented, symbols);
    return offset;
}

cm_status cm_analysis_use_offsets(cm_analysis *analysis, cm_error *error)
{
    if (analysis == NULL || analysis->pivoted)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "offsets must be allowed before the pivoting");
    analysis->use_offsets = true;
    return CM_OK;
}
