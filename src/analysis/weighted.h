/* Weighted least squares over a basis that is mostly zero, many times with other weights. */
#ifndef CM_ANALYSIS_WEIGHTED_H
#define CM_ANALYSIS_WEIGHTED_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/matrix.h>

/* The elements of a matrix that are not zero, row by row. */
typedef struct cm_sparse_rows {
    size_t rows, columns;
    size_t *starts; /* rows + 1 */
    size_t *places;
    double *values;
} cm_sparse_rows;

bool cm_sparse_rows_make(const cm_matrix *matrix, cm_sparse_rows *rows);
void cm_sparse_rows_clear(cm_sparse_rows *rows);
/* The product of a row and a vector. */
double cm_sparse_row_dot(const cm_sparse_rows *rows, size_t row, const double *vector);

/* The lower half of A^T W^2 A, where W are the weights (rows), and zeros; `products`: columns^2 elements. */
void cm_weighted_products(const cm_sparse_rows *rows, const double *weights, double *products);
/* Factorises A^T W^2 A, where W are the weights (rows); `factor`: columns^2 elements. False where it is singular. */
bool cm_weighted_factorise(const cm_sparse_rows *rows, const double *weights, double *factor);
/* The solution of W A x = W b; `rest` is scratch for a row each. */
void cm_weighted_solve(const cm_sparse_rows *rows, const double *weights, const double *factor,
                       const double *right_side, double *solution, double *step, double *rest);

#endif
