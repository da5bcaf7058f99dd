#include "analysis/numerics.h"

#include <stdlib.h>

/* Solves by the weights, of which rows with weight 0 are left out. */
static bool solve_weighted(const cm_sparse_rows *rows, const double *right_side, const double *weights,
                           double *solution, double *scratch)
{
    double *step = scratch, *rest = step + rows->columns, *factor = rest + rows->rows;
    if (!cm_weighted_factorise(rows, weights, factor))
        return false;
    cm_weighted_solve(rows, weights, factor, right_side, solution, step, rest);
    return true;
}

/* Reweighted least squares (Schlossmacher, "An iterative technique for absolute deviations curve fitting", 1973); then
 * least squares over the rows that agree. */
static bool fit_absolute(const cm_sparse_rows *rows, const double *right_side, double scale, double *solution,
                         double *weights, double *scratch)
{
    enum { PASSES = 40 };
    double least = 1e-2 * scale;
    for (size_t k = 0; k < rows->rows; k++)
        weights[k] = 1.0;
    for (int pass = 0; pass < PASSES; pass++, least = fmax(0.5 * least, 1e-9 * scale)) {
        if (!solve_weighted(rows, right_side, weights, solution, scratch))
            return false;
        for (size_t k = 0; k < rows->rows; k++)
            weights[k] = 1.0 / sqrt(fmax(fabs(right_side[k] - cm_sparse_row_dot(rows, k, solution)), least));
    }
    for (size_t k = 0; k < rows->rows; k++)
        weights[k] = fabs(right_side[k] - cm_sparse_row_dot(rows, k, solution)) <= 1e-6 * scale;
    return solve_weighted(rows, right_side, weights, solution, scratch);
}

bool cm_least_absolute_solve(const cm_matrix *matrix, const double *right_side, double *solution)
{
    cm_sparse_rows rows = {0};
    size_t size = matrix->rows * 2 + matrix->columns * (matrix->columns + 1);
    double *scratch = calloc(size + 1, sizeof *scratch), scale = 0.0;
    for (size_t k = 0; k < matrix->rows; k++)
        scale = fmax(scale, fabs(right_side[k]));
    bool solved = scratch != NULL && cm_sparse_rows_make(matrix, &rows) &&
                  fit_absolute(&rows, right_side, scale, solution, scratch, scratch + matrix->rows);
    cm_sparse_rows_clear(&rows);
    free(scratch);
    return solved;
}
