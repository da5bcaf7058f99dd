#include "analysis/least_squares.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/vector.h"
#include "core/error.h"

static const double smallest_independence = 1e-8;

/* Householder's reflection I - factor v v^T that leaves of `x` its first element alone (Golub and Van Loan, Matrix
 * Computations, algorithm 5.1.1). The element takes its place; v, whose own first element is 1, that of the others.
 * Returns the factor. */
static double reflect(double *x, size_t size)
{
    double rest = cm_vector_norm(x + 1, size - 1);
    if (rest == 0.0)
        return 0.0;
    double kept = -copysign(hypot(x[0], rest), x[0]), factor = (kept - x[0]) / kept, scale = 1.0 / (x[0] - kept);
    for (size_t i = 1; i < size; i++)
        x[i] *= scale;
    x[0] = kept;
    return factor;
}

static void apply(const double *v, double factor, double *x, size_t size)
{
    double along = factor * (x[0] + cm_vector_dot(v + 1, x + 1, size - 1));
    x[0] -= along;
    cm_vector_add(x + 1, -along, v + 1, size - 1);
}

/* A = Q R, column by column (algorithm 5.2.1, and 5.1.4 for Q); leaves Q in `q` and R in problem->triangle. */
static void factorise(cm_least_squares *problem, double *q, double *factors)
{
    size_t rows = problem->rows, columns = problem->columns;
    memcpy(q, problem->matrix, rows * columns * sizeof *q);
    for (size_t j = 0; j < columns; j++) {
        double *column = q + j * rows;
        factors[j] = reflect(column + j, rows - j);
        for (size_t k = j + 1; k < columns; k++)
            apply(column + j, factors[j], q + k * rows + j, rows - j);
        memcpy(problem->triangle + j * columns, column, (j + 1) * sizeof *q);
    }
    for (size_t j = columns; j-- > 0;) {
        double *column = q + j * rows;
        for (size_t k = j + 1; k < columns; k++)
            apply(column + j, factors[j], q + k * rows + j, rows - j);
        for (size_t i = j + 1; i < rows; i++)
            column[i] *= -factors[j];
        column[j] = 1.0 - factors[j];
        memset(column, 0, j * sizeof *column);
    }
}

cm_status cm_least_squares_create(const cm_matrix *matrix, cm_least_squares **problem, cm_error *error)
{
    size_t rows = matrix->rows, columns = matrix->columns;
    if (columns == 0 || rows < columns)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "least squares of %zu rows and %zu columns", rows,
                            columns);
    for (size_t i = 0; i < rows * columns; i++)
        if (!isfinite(matrix->values[i]))
            return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0,
                                "least squares of a matrix that holds NaN or infinity");
    cm_least_squares *created = calloc(1, sizeof *created);
    double *q = malloc((rows * columns + 1) * sizeof *q);
    double *factors = malloc((columns + 1) * sizeof *factors);
    cm_status status = CM_NO_MEMORY;
    if (created != NULL) {
        created->rows = rows;
        created->columns = columns;
        created->matrix = malloc(rows * columns * sizeof(double));
        created->transposed = malloc(rows * columns * sizeof(double));
        created->triangle = calloc(columns * columns, sizeof(double));
    }
    if (created == NULL || q == NULL || factors == NULL || created->matrix == NULL || created->transposed == NULL ||
        created->triangle == NULL) {
        cm_error_no_memory(error);
        goto done;
    }
    memcpy(created->matrix, matrix->values, rows * columns * sizeof(double));
    factorise(created, q, factors);
    status = CM_OK;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            created->transposed[i * columns + j] = q[j * rows + i];
done:
    free(q);
    free(factors);
    if (status != CM_OK)
        cm_least_squares_free(created);
    else
        *problem = created;
    return status;
}

void cm_least_squares_free(cm_least_squares *problem)
{
    if (problem == NULL)
        return;
    free(problem->matrix);
    free(problem->transposed);
    free(problem->triangle);
    free(problem);
}

double cm_least_squares_independence(const cm_least_squares *problem, size_t column)
{
    double norm = cm_vector_norm(problem->matrix + column * problem->rows, problem->rows);
    return norm > 0.0 ? fabs(problem->triangle[column * problem->columns + column]) / norm : 0.0;
}

size_t cm_least_squares_dependent(const cm_least_squares *problem)
{
    size_t column = 0;
    while (column < problem->columns && cm_least_squares_independence(problem, column) > smallest_independence)
        column++;
    return column;
}

/* step = R^-1 Q^T vector. Zeros are passed over: measurement vectors and expectations are mostly zero. */
static void apply_inverse(const cm_least_squares *problem, const double *vector, double *step)
{
    size_t columns = problem->columns;
    memset(step, 0, columns * sizeof *step);
    for (size_t i = 0; i < problem->rows; i++)
        if (vector[i] != 0.0)
            cm_vector_add(step, vector[i], problem->transposed + i * columns, columns);
    for (size_t j = columns; j-- > 0;) {
        const double *column = problem->triangle + j * columns;
        step[j] /= column[j];
        if (step[j] != 0.0)
            cm_vector_add(step, -step[j], column, j);
    }
}

static void compute_residual(const cm_least_squares *problem, const double *right_side, const double *solution,
                             double *residual)
{
    memcpy(residual, right_side, problem->rows * sizeof *residual);
    for (size_t j = 0; j < problem->columns; j++)
        if (solution[j] != 0.0)
            cm_vector_add(residual, -solution[j], problem->matrix + j * problem->rows, problem->rows);
}

/* Exact events are made of short numbers: small integers, halves and quarters of ideal events. Takes the rounding
 * errors from `solution`, what is below 2^-33 of its largest element; true where the result, in `short_solution`,
 * solves the problem exactly, which then no rounding error hides. */
static bool solves_exactly_without_rounding_error(const cm_least_squares *problem, const double *right_side,
                                                  const double *solution, double *short_solution, double *residual)
{
    double largest = 0.0;
    for (size_t j = 0; j < problem->columns; j++)
        largest = fmax(largest, fabs(solution[j]));
    int exponent;
    frexp(largest, &exponent);
    double unit = ldexp(1.0, exponent - 33);
    if (!(unit > 0.0 && isfinite(largest)))
        return false;
    for (size_t j = 0; j < problem->columns; j++)
        short_solution[j] = nearbyint(solution[j] / unit) * unit;
    compute_residual(problem, right_side, short_solution, residual);
    for (size_t i = 0; i < problem->rows; i++)
        if (residual[i] != 0.0)
            return false;
    return true;
}

void cm_least_squares_solve(const cm_least_squares *problem, const double *right_side, double *solution,
                            double *residual, double *step)
{
    apply_inverse(problem, right_side, solution);
    compute_residual(problem, right_side, solution, residual);
    /* One step of refinement takes most of the factorisation's rounding error away, and all that badly scaled rows add
     * to it. */
    apply_inverse(problem, residual, step);
    cm_vector_add(solution, 1.0, step, problem->columns);
    if (solves_exactly_without_rounding_error(problem, right_side, solution, step, residual))
        memcpy(solution, step, problem->columns * sizeof *solution);
    else
        compute_residual(problem, right_side, solution, residual);
}
