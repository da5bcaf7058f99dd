/* Linear algebra by LAPACK and CBLAS: least squares, norms, Cholesky, products. Forks survive its lock. */
#include "analysis/numerics.h"

#include <pthread.h>

#include <cblas.h>
#include <lapacke.h>

#include "core/base.h"

static const double smallest_independence = 1e-8, smallest_rest = 1e-14, relative_rounding = 1e-14;

/* Columns of a block of LAPACK, for its workspaces; directions that are taken at a time. */
enum { BLOCK = 32, DIRECTIONS = 64 };

/* A lock of the whole process, because OpenBLAS is shared by it: built for one thread (libopenblas0-serial), it gives
 * two that call at once the same buffer, and both compute wrongly. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void lock_blas(void)
{
    pthread_mutex_lock(&one_at_a_time);
}

static void unlock_blas(void)
{
    pthread_mutex_unlock(&one_at_a_time);
}

/* ---- forks ---- */

/* A child has none of the other threads, so a lock that one of them held would never be released in it: a fork waits
 * until no thread computes. */
bool cm_linear_survives_forks(void)
{
    static bool registered;
    lock_blas();
    registered = registered || pthread_atfork(lock_blas, unlock_blas, unlock_blas) == 0;
    const bool survives = registered;
    unlock_blas();
    return survives;
}

/* ---- least squares ---- */

/* A = Q R: leaves `columns` or more columns of Q in `q`, R above the diagonal of `triangle` unless that is NULL. False
 * if memory is short. */
static bool factorise_qr(double *q, size_t rows, size_t columns, size_t wanted, double *triangle)
{
    lapack_int m = (lapack_int)rows, n = (lapack_int)columns, all = (lapack_int)wanted, size = BLOCK * all;
    double *factors = malloc((columns + BLOCK * wanted + 1) * sizeof *factors);
    if (factors == NULL)
        return false;
    lock_blas();
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, m, n, q, m, factors, factors + columns, size);
    for (size_t j = 0; triangle != NULL && j < columns; j++)
        memcpy(triangle + j * columns, q + j * rows, (j + 1) * sizeof *q);
    LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, m, all, n, q, m, factors, factors + columns, size);
    unlock_blas();
    free(factors);
    return true;
}

static bool is_finite(const cm_matrix *matrix)
{
    for (size_t i = 0; i < matrix->rows * matrix->columns; i++)
        if (!isfinite(matrix->values[i]))
            return false;
    return true;
}

cm_status cm_least_squares_create(const cm_matrix *matrix, cm_least_squares **problem, cm_error *error)
{
    size_t rows = matrix->rows, columns = matrix->columns;
    if (columns == 0 || rows < columns)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "least squares of %zu rows and %zu columns", rows, columns);
    if (!is_finite(matrix))
        return CM_FAIL(error, CM_BAD_INPUT, "least squares of a matrix that holds NaN or infinity");
    size_t size = rows * columns;
    cm_least_squares *created = calloc(1, sizeof *created + (2 * size + columns * columns) * sizeof(double));
    if (created == NULL)
        return cm_error_no_memory(error);
    *created = (cm_least_squares){rows, columns, created->values, created->values + size, created->values + 2 * size};
    memcpy(created->matrix, matrix->values, size * sizeof(double));
    memcpy(created->q, matrix->values, size * sizeof(double));
    if (!factorise_qr(created->q, rows, columns, columns, created->triangle)) {
        free(created);
        return cm_error_no_memory(error);
    }
    *problem = created;
    return CM_OK;
}

void cm_least_squares_free(cm_least_squares *problem)
{
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

/* step = R^-1 Q^T vector, one vector at a time: a product of matrices rounds a column otherwise if others stand beside
 * it, and an event's figures must not depend on the others of its table. */
static void apply_inverse(const cm_least_squares *problem, const double *vector, double *step)
{
    lapack_int m = (lapack_int)problem->rows, n = (lapack_int)problem->columns;
    lock_blas();
    cblas_dgemv(CblasColMajor, CblasTrans, m, n, 1.0, problem->q, m, vector, 1, 0.0, step, 1);
    lapack_int singular = LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, 1, problem->triangle, n, step, n);
    unlock_blas();
    for (size_t j = 0; singular != 0 && j < problem->columns; j++)
        step[j] = NAN;
}

/* Computes the residual without BLAS: an exact one is exact on every processor, with fused operations or not. */
static void compute_residual(const cm_least_squares *problem, const double *right_side, const double *solution,
                             double *residual)
{
    memcpy(residual, right_side, problem->rows * sizeof *residual);
    for (size_t j = 0; j < problem->columns; j++)
        if (solution[j] != 0.0)
            cm_vector_add(residual, -solution[j], problem->matrix + j * problem->rows, problem->rows);
}

/* Exact events are made of short numbers: small integers, halves and quarters of ideal events. Takes the rounding
 * errors from `solution`, all below 2^-33 of its largest element; true if the result, in `short_solution`, solves the
 * problem exactly, which then no rounding error hides. */
static bool solves_exactly_without_rounding_error(const cm_least_squares *problem, const double *right_side,
                                                  const double *solution, double *short_solution, double *residual)
{
    double largest = cm_vector_largest(solution, problem->columns);
    int exponent;
    frexp(largest, &exponent);
    double unit = ldexp(1.0, exponent - 33);
    if (!(unit > 0.0 && isfinite(largest)))
        return false;
    for (size_t j = 0; j < problem->columns; j++)
        short_solution[j] = nearbyint(solution[j] / unit) * unit;
    compute_residual(problem, right_side, short_solution, residual);
    return cm_vector_is_zero(residual, problem->rows);
}

/* Makes 0 of elements that add no more than rounding errors: their size, and their sign, would be the processor's. */
static void clear_rounding_errors(const cm_least_squares *problem, const double *right_side, double *solution)
{
    double least = relative_rounding * cm_vector_norm(right_side, problem->rows);
    double largest = cm_vector_largest(solution, problem->columns);
    for (size_t j = 0; j < problem->columns; j++)
        if (fabs(solution[j]) < 1e-3 * largest &&
            fabs(solution[j]) * cm_vector_norm(problem->matrix + j * problem->rows, problem->rows) <= least)
            solution[j] = 0.0;
}

void cm_least_squares_solve(const cm_least_squares *problem, const double *right_side, double *solution,
                            double *residual, double *step)
{
    apply_inverse(problem, right_side, solution);
    compute_residual(problem, right_side, solution, residual);
    /* One step of refinement takes away most of the factorisation's rounding error, and all that badly scaled rows add.
     */
    apply_inverse(problem, residual, step);
    cm_vector_add(solution, 1.0, step, problem->columns);
    if (solves_exactly_without_rounding_error(problem, right_side, solution, step, residual))
        memcpy(solution, step, problem->columns * sizeof *solution);
    else {
        clear_rounding_errors(problem, right_side, solution);
        compute_residual(problem, right_side, solution, residual);
    }
}

void cm_least_squares_shares(const cm_least_squares *problem, double *shares)
{
    lapack_int m = (lapack_int)problem->rows, n = (lapack_int)problem->columns;
    memcpy(shares, problem->q, problem->rows * problem->columns * sizeof *shares);
    lock_blas();
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasTrans, CblasNonUnit, m, n, 1.0, problem->triangle, n,
                shares, m);
    unlock_blas();
}

/* Twice, because once leaves rounding errors if little remains. */
void cm_least_squares_take(const cm_least_squares *problem, double *vector, double *step, double *along)
{
    lapack_int m = (lapack_int)problem->rows, n = (lapack_int)problem->columns, singular;
    lock_blas();
    cblas_dgemv(CblasColMajor, CblasTrans, m, n, 1.0, problem->q, m, vector, 1, 0.0, step, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, n, -1.0, problem->q, m, step, 1, 1.0, vector, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, m, n, 1.0, problem->q, m, vector, 1, 0.0, along, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, n, -1.0, problem->q, m, along, 1, 1.0, vector, 1);
    cblas_daxpy(n, 1.0, along, 1, step, 1);
    singular = LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, 1, problem->triangle, n, step, n);
    unlock_blas();
    for (size_t j = 0; singular != 0 && j < problem->columns; j++)
        step[j] = NAN;
}

/* ---- norms ---- */

cm_status cm_spectral_norm(const cm_matrix *matrix, double *norm, cm_error *error)
{
    size_t rows = matrix->rows, columns = matrix->columns, least = rows < columns ? rows : columns;
    size_t workspace_size = (8 + 2 * (size_t)BLOCK) * (rows + columns); /* dgesdd asks for so much without vectors */
    lapack_int m = (lapack_int)rows, n = (lapack_int)columns, failed = 1;
    double *values = malloc((rows * columns + least + workspace_size + 1) * sizeof *values);
    lapack_int *integers = malloc((8 * least + 1) * sizeof *integers);
    bool made = values != NULL && integers != NULL;
    if (made && is_finite(matrix)) {
        double *singular = values + rows * columns;
        memcpy(values, matrix->values, rows * columns * sizeof *values);
        lock_blas();
        failed = LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'N', m, n, values, m, singular, NULL, 1, NULL, 1,
                                     singular + least, (lapack_int)workspace_size, integers);
        unlock_blas();
        *norm = failed == 0 ? singular[0] : *norm;
    }
    free(values);
    free(integers);
    if (made && failed != 0)
        return CM_FAIL(error, CM_BAD_INPUT, "the norm of the selected events cannot be computed");
    return made ? CM_OK : cm_error_no_memory(error);
}

/* ---- symmetric matrices ---- */

bool cm_cholesky(double *matrix, size_t size)
{
    lock_blas();
    lapack_int failed = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', (lapack_int)size, matrix, (lapack_int)size);
    unlock_blas();
    for (size_t i = 0; failed == 0 && i < size; i++) {
        const double *row = matrix + i * size;
        if (!(row[i] * row[i] > smallest_rest * cm_vector_dot(row, row, i + 1)))
            return false;
    }
    return failed == 0;
}

void cm_cholesky_solve(const double *factor, size_t size, double *vector)
{
    lapack_int n = (lapack_int)size;
    lock_blas();
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', n, 1, factor, n, vector, n);
    unlock_blas();
}

void cm_cholesky_reduce(const double *factor, size_t size, double *columns, size_t count)
{
    lapack_int n = (lapack_int)size;
    if (size == 0)
        return;
    lock_blas();
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, n, (lapack_int)count, 1.0, factor, n,
                columns, n);
    unlock_blas();
}

void cm_cholesky_invert(double *factor, size_t size)
{
    lock_blas();
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', (lapack_int)size, factor, (lapack_int)size);
    unlock_blas();
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++)
            factor[j * size + i] = factor[i * size + j];
}

/* ---- products ---- */

void cm_multiply_transposed(const double *a, size_t columns_a, const double *b, size_t columns_b, size_t rows,
                            double *product)
{
    lapack_int m = (lapack_int)rows, n = (lapack_int)columns_a, k = (lapack_int)columns_b;
    if (rows == 0 || columns_a == 0)
        return;
    lock_blas();
    if (columns_b == 1)
        cblas_dgemv(CblasColMajor, CblasTrans, m, n, 1.0, a, m, b, 1, 0.0, product, 1);
    else
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, k, m, 1.0, a, m, b, m, 0.0, product, n);
    unlock_blas();
}

void cm_add_product(const double *matrix, size_t rows, size_t columns, double factor, const double *x, double *sum)
{
    lapack_int m = (lapack_int)rows, n = (lapack_int)columns;
    if (rows == 0 || columns == 0)
        return;
    lock_blas();
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, n, factor, matrix, m, x, 1, 1.0, sum, 1);
    unlock_blas();
}

/* ---- projections ---- */

void cm_orthogonalise(double *part, const double *directions, size_t count, size_t size)
{
    double along[DIRECTIONS];
    lapack_int n = (lapack_int)size;
    lock_blas();
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < count; k += DIRECTIONS) {
            const double *some = directions + k * size;
            lapack_int width = (lapack_int)(count - k < DIRECTIONS ? count - k : DIRECTIONS);
            cblas_dgemv(CblasColMajor, CblasTrans, n, width, 1.0, some, n, part, 1, 0.0, along, 1);
            cblas_dgemv(CblasColMajor, CblasNoTrans, n, width, -1.0, some, n, along, 1, 1.0, part, 1);
        }
    unlock_blas();
}

bool cm_extend_directions(double *directions, size_t count, size_t size, double tolerance)
{
    double *part = directions + count * size, length = cm_vector_norm(part, size);
    cm_orthogonalise(part, directions, count, size);
    double rest = cm_vector_norm(part, size);
    if (!(rest > tolerance * length))
        return false;
    cm_vector_divide(part, rest, size);
    return true;
}

bool cm_find_complement(const double *directions, size_t count, size_t size, double *rest)
{
    double *q = malloc(size * size * sizeof *q);
    if (q != NULL)
        memcpy(q, directions, count * size * sizeof *q);
    bool made = q != NULL && factorise_qr(q, size, count, size, NULL);
    if (made)
        memcpy(rest, q + count * size, (size - count) * size * sizeof *q);
    free(q);
    return made;
}

void cm_find_parts(const double *directions, size_t width, size_t size, const double *vectors, size_t count,
                   double *parts)
{
    lapack_int n = (lapack_int)size, w = (lapack_int)width;
    lock_blas();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, w, (lapack_int)count, n, 1.0, directions, n, vectors, n, 0.0,
                parts, w);
    unlock_blas();
}
