/* A constant count per iteration, as of the instructions of the loop around the payload. */
#include <math.h>
#include <stdlib.h>

#include "analysis/state.h"
#include "analysis/vector.h"
#include "core/error.h"

/* Less than this part of a constant that symbols cannot count is dust. */
static const double smallest_part = 1e-3;

cm_status cm_prepare_overhead(cm_analysis *analysis, cm_error *error)
{
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    double *ones = calloc(kernels + symbols, sizeof *ones);
    analysis->overhead = malloc(kernels * sizeof *analysis->overhead);
    analysis->overhead_part = malloc(symbols * sizeof *analysis->overhead_part);
    if (ones == NULL || analysis->overhead == NULL || analysis->overhead_part == NULL) {
        free(ones);
        return cm_error_no_memory(error);
    }
    for (size_t i = 0; i < kernels; i++)
        ones[i] = 1.0;
    cm_least_squares_solve(analysis->basis, ones, analysis->overhead_part, analysis->overhead, ones + kernels);
    double square = cm_vector_dot(analysis->overhead, analysis->overhead, kernels);
    analysis->overhead_square = sqrt(square) > smallest_part * sqrt((double)kernels) ? square : 0.0;
    free(ones);
    return CM_OK;
}

double cm_take_offset(const cm_analysis *analysis, double *residual, double *representation)
{
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    if (analysis->overhead_square == 0.0)
        return 0.0;
    double offset = cm_vector_dot(analysis->overhead, residual, kernels) / analysis->overhead_square;
    cm_vector_add(residual, -offset, analysis->overhead, kernels);
    cm_vector_add(representation, -offset, analysis->overhead_part, symbols);
    return offset;
}

cm_status cm_analysis_use_offsets(cm_analysis *analysis, cm_error *error)
{
    if (analysis == NULL || analysis->pivoted)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "offsets are allowed before the pivoting");
    analysis->use_offsets = true;
    return CM_OK;
}
