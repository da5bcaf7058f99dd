/* Matrices of numbers. */
#include <catmint/matrix.h>

#include "core/base.h"

cm_status cm_matrix_create(size_t rows, size_t columns, cm_matrix **matrix, cm_error *error)
{
    if (columns != 0 && rows > SIZE_MAX / sizeof(double) / columns)
        return cm_error_no_memory(error);
    size_t count = rows * columns;
    cm_matrix *created = malloc(sizeof *created);
    double *values = calloc(count != 0 ? count : 1, sizeof *values);
    if (created == NULL || values == NULL) {
        CM_FREE(created, values);
        return cm_error_no_memory(error);
    }
    *created = (cm_matrix){rows, columns, values};
    *matrix = created;
    return CM_OK;
}

void cm_matrix_free(cm_matrix *matrix)
{
    if (matrix == NULL)
        return;
    CM_FREE(matrix->values, matrix);
}
