/* A dense matrix of doubles, column-major. */
#ifndef CATMINT_MATRIX_H
#define CATMINT_MATRIX_H

#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_matrix {
    size_t rows;
    size_t columns;
    double *values; /* rows * columns, element (i, j) at values[j * rows + i] */
} cm_matrix;

/* A matrix of zeros; rows or columns may be 0. */
CM_API cm_status cm_matrix_create(size_t rows, size_t columns, cm_matrix **matrix, cm_error *error);
CM_API void cm_matrix_free(cm_matrix *matrix);

static inline double *cm_matrix_column(const cm_matrix *matrix, size_t column)
{
    return matrix->values + column * matrix->rows;
}

static inline double *cm_matrix_at(const cm_matrix *matrix, size_t row, size_t column)
{
    return matrix->values + column * matrix->rows + row;
}

#ifdef __cplusplus
}
#endif
#endif
