#include "tables/tables.h"

#include "analysis/numerics.h"

/* The share of a column that must be independent of the others; bases hold small rational numbers. */
static const double own_part = 1e-8;

/* Visits the columns from the last to the first, without `omitted`; marks combinations of the ones visited before as
 * dependent (may be NULL), and returns the number of the others. `work`: a buffer as large as the matrix. */
static size_t rank_without(const cm_matrix *columns, size_t omitted, bool *dependent, double *work)
{
    size_t rows = columns->rows, rank = 0;
    for (size_t j = columns->columns; j-- > 0;) {
        double *part = work + rank * rows;
        if (j == omitted)
            continue;
        memcpy(part, cm_matrix_column(columns, j), rows * sizeof *part);
        double whole = sqrt(cm_vector_dot(part, part, rows));
        for (int pass = 0; pass < 2; pass++) {
            for (size_t k = 0; k < rank; k++) {
                const double *direction = work + k * rows;
                double along = cm_vector_dot(direction, part, rows);
                for (size_t i = 0; i < rows; i++)
                    part[i] -= along * direction[i];
            }
        }
        double left = sqrt(cm_vector_dot(part, part, rows));
        bool independent = left > own_part * whole;
        if (dependent != NULL)
            dependent[j] = !independent;
        if (!independent)
            continue;
        for (size_t i = 0; i < rows; i++)
            part[i] /= left;
        rank++;
    }
    return rank;
}

cm_status cm_find_dependencies(const cm_matrix *columns, bool *confounded, bool *surplus, cm_error *error)
{
    double *work = malloc((columns->rows * columns->columns + 1) * sizeof *work);
    if (work == NULL)
        return cm_error_no_memory(error);
    size_t rank = rank_without(columns, columns->columns, surplus, work);
    for (size_t j = 0; j < columns->columns; j++)
        confounded[j] = rank < columns->columns && rank_without(columns, j, NULL, work) == rank;
    free(work);
    return CM_OK;
}
