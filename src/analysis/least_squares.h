/* Least squares of A x = b with one A and many b: A is factorised once. */
#ifndef CM_ANALYSIS_LEAST_SQUARES_H
#define CM_ANALYSIS_LEAST_SQUARES_H

#include <stddef.h>

#include <catmint/error.h>
#include <catmint/matrix.h>

typedef struct cm_least_squares {
    size_t rows;
    size_t columns;
    double *matrix;     /* A, column-major */
    double *transposed; /* Q^T, column-major: the `columns` elements that belong to one row of A stand together */
    double *triangle;   /* R, columns x columns, column-major; above the diagonal and on it */
} cm_least_squares;

/* rows >= columns >= 1. `matrix` is copied. */
cm_status cm_least_squares_create(const cm_matrix *matrix, cm_least_squares **problem, cm_error *error);
void cm_least_squares_free(cm_least_squares *problem);

/* How much of column `column` is not a combination of those before it: |R_jj| / ||A_j||, 0 to 1; 0 for a zero column.
 */
double cm_least_squares_independence(const cm_least_squares *problem, size_t column);
/* The first column that is dependent: of which no more than 1e-8 is its own. `columns` where there is none. */
size_t cm_least_squares_dependent(const cm_least_squares *problem);

/* Solves for `solution` (columns elements) and writes A x - b, computed directly, with changed sign to `residual` (rows
 * elements). `step` (columns elements) is scratch. */
void cm_least_squares_solve(const cm_least_squares *problem, const double *right_side, double *solution,
                            double *residual, double *step);

#endif
