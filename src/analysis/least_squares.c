#include "analysis/least_squares.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "analysis/vector.h"
#include "core/error.h"

static cm_status lapack_failed(lapack_int info, cm_error *error)
{
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return cm_error_no_memory(error);
    return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "the matrix cannot be factorised (LAPACK says %d)", (int)info);
}

/* A = Q R by Householder reflections; leaves Q in `q` and R in problem->triangle. */
static cm_status factorise(cm_least_squares *problem, double *q, double *tau, cm_error *error)
{
    size_t rows = problem->rows, columns = problem->columns;
    lapack_int m = (lapack_int)rows, n = (lapack_int)columns;
    memcpy(q, problem->matrix, rows * columns * sizeof *q);
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, q, m, tau);
    if (info != 0)
        return lapack_failed(info, error);
    for (size_t j = 0; j < columns; j++)
        memcpy(problem->triangle + j * columns, q + j * rows, (j + 1) * sizeof *q);
    info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, n, n, q, m, tau);
    return info == 0 ? CM_OK : lapack_failed(info, error);
}

cm_status cm_least_squares_create(const cm_matrix *matrix, cm_least_squares **problem, cm_error *error)
{
    size_t rows = matrix->rows, columns = matrix->columns;
    if (columns == 0 || rows < columns || rows > INT_MAX)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "least squares of %zu rows and %zu columns", rows,
                            columns);
    cm_least_squares *created = calloc(1, sizeof *created);
    double *q = malloc(rows * columns * sizeof *q);
    double *tau = malloc(columns * sizeof *tau);
    cm_status status = CM_NO_MEMORY;
    if (created != NULL) {
        created->rows = rows;
        created->columns = columns;
        created->matrix = malloc(rows * columns * sizeof(double));
        created->transposed = malloc(rows * columns * sizeof(double));
        created->triangle = calloc(columns * columns, sizeof(double));
    }
    if (created == NULL || q == NULL || tau == NULL || created->matrix == NULL || created->transposed == NULL ||
        created->triangle == NULL) {
        cm_error_no_memory(error);
        goto done;
    }
    memcpy(created->matrix, matrix->values, rows * columns * sizeof(double));
    status = factorise(created, q, tau, error);
    for (size_t i = 0; status == CM_OK && i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            created->transposed[i * columns + j] = q[j * rows + i];
done:
    free(q);
    free(tau);
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

/* Exact events are made of short numbers: small integers, halves and quarters of ideal events. Takes the dust from
 * `solution`, what is below 2^-33 of its largest element; true where the result, in `short_solution`, solves the
 * problem exactly, which then no dust hides. */
static bool solves_exactly_without_dust(const cm_least_squares *problem, const double *right_side,
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
    /* One step of refinement takes most of the factorisation's dust away, and all that badly scaled rows add to it. */
    apply_inverse(problem, residual, step);
    cm_vector_add(solution, 1.0, step, problem->columns);
    if (solves_exactly_without_dust(problem, right_side, solution, step, residual))
        memcpy(solution, step, problem->columns * sizeof *solution);
    else
        compute_residual(problem, right_side, solution, residual);
}
