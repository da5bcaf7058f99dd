/* A signature from those of some columns that are independent. */
#include "analysis/numerics.h"
#include "audit/audit.h"

/* Part of a column that must not be a combination of the others. */
static const double independent = 1e-6;

/* Copies the columns taken to `matrix`; chosen[k] is which one column k is. `directions` has room for one a symbol. */
static void gather_columns(const double *const *columns, size_t count, cm_matrix *matrix, size_t *chosen,
                           double *directions)
{
    size_t symbols = matrix->rows, taken = 0;
    for (size_t i = 0; i < count && taken < symbols; i++) {
        if (columns[i] == NULL)
            continue;
        memcpy(directions + taken * symbols, columns[i], symbols * sizeof *directions);
        if (!cm_extend_directions(directions, taken, symbols, independent))
            continue;
        memcpy(cm_matrix_column(matrix, taken), columns[i], symbols * sizeof *directions);
        chosen[taken++] = i;
    }
    matrix->columns = taken;
}

cm_status cm_solve_independent(const double *const *columns, size_t count, const double *signature, size_t symbols,
                               double alpha, double *coefficients, cm_error *error)
{
    cm_matrix *matrix = NULL;
    cm_least_squares *problem = NULL;
    size_t *chosen = calloc(symbols, sizeof *chosen);
    double *scratch = malloc((symbols + 3) * symbols * sizeof *scratch);
    cm_status status = chosen != NULL && scratch != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_matrix_create(symbols, symbols, &matrix, error));
    if (status == CM_OK) {
        memset(coefficients, 0, count * sizeof *coefficients);
        gather_columns(columns, count, matrix, chosen, scratch);
        if (matrix->columns > 0)
            status = cm_least_squares_create(matrix, &problem, error);
    }
    if (problem != NULL) {
        double *solution = scratch, *residual = scratch + symbols, *step = residual + symbols;
        cm_least_squares_solve(problem, signature, solution, residual, step);
        for (size_t k = 0; k < matrix->columns; k++)
            coefficients[chosen[k]] = cm_round_coefficient(solution[k], alpha);
    }
    cm_least_squares_free(problem);
    cm_matrix_free(matrix);
    free(scratch);
    free(chosen);
    return status;
}
