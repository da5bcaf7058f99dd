#include "analysis/numerics.h"

#include <stdlib.h>

bool cm_sparse_rows_make(const cm_matrix *matrix, cm_sparse_rows *rows)
{
    size_t most = matrix->rows * matrix->columns + 1, count = 0;
    *rows = (cm_sparse_rows){.rows = matrix->rows, .columns = matrix->columns};
    rows->starts = calloc(matrix->rows + 1, sizeof *rows->starts);
    rows->places = calloc(most, sizeof *rows->places);
    rows->values = calloc(most, sizeof *rows->values);
    if (rows->starts == NULL || rows->places == NULL || rows->values == NULL) {
        cm_sparse_rows_clear(rows);
        return false;
    }
    for (size_t i = 0; i < matrix->rows; i++) {
        for (size_t j = 0; j < matrix->columns; j++) {
            double value = *cm_matrix_at(matrix, i, j);
            if (value == 0.0)
                continue;
            rows->places[count] = j;
            rows->values[count++] = value;
        }
        rows->starts[i + 1] = count;
    }
    return true;
}

void cm_sparse_rows_clear(cm_sparse_rows *rows)
{
    free(rows->starts);
    free(rows->places);
    free(rows->values);
    *rows = (cm_sparse_rows){0};
}

double cm_sparse_row_dot(const cm_sparse_rows *rows, size_t row, const double *vector)
{
    double sum = 0.0;
    for (size_t i = rows->starts[row]; i < rows->starts[row + 1]; i++)
        sum += rows->values[i] * vector[rows->places[i]];
    return sum;
}

/* vector += factor * row */
static void add_row(const cm_sparse_rows *rows, size_t row, double factor, double *vector)
{
    for (size_t i = rows->starts[row]; i < rows->starts[row + 1]; i++)
        vector[rows->places[i]] += factor * rows->values[i];
}

void cm_weighted_products(const cm_sparse_rows *rows, const double *weights, double *products)
{
    size_t size = rows->columns;
    memset(products, 0, size * size * sizeof *products);
    for (size_t k = 0; k < rows->rows; k++)
        for (size_t i = rows->starts[k]; weights[k] != 0.0 && i < rows->starts[k + 1]; i++) {
            double *row = products + rows->places[i] * size, factor = weights[k] * weights[k] * rows->values[i];
            for (size_t j = rows->starts[k]; j <= i; j++)
                row[rows->places[j]] += factor * rows->values[j];
        }
}

bool cm_weighted_factorise(const cm_sparse_rows *rows, const double *weights, double *factor)
{
    cm_weighted_products(rows, weights, factor);
    return cm_cholesky(factor, rows->columns);
}

void cm_weighted_solve(const cm_sparse_rows *rows, const double *weights, const double *factor,
                       const double *right_side, double *solution, double *step, double *rest)
{
    memset(solution, 0, rows->columns * sizeof *solution);
    for (int pass = 0; pass < 3; pass++) { /* squaring the weights loses digits, which refinement brings back */
        memset(step, 0, rows->columns * sizeof *step);
        for (size_t k = 0; k < rows->rows; k++) {
            rest[k] = right_side[k] - cm_sparse_row_dot(rows, k, solution);
            if (rest[k] != 0.0)
                add_row(rows, k, weights[k] * weights[k] * rest[k], step);
        }
        cm_cholesky_solve(factor, rows->columns, step);
        cm_vector_add(solution, 1.0, step, rows->columns);
    }
}
