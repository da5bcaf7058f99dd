/* Whether OpenBLAS is fit for use: builds older than a processor may choose code for it that computes wrongly. */
#include "analysis/numerics.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include <cblas.h>

#include "core/base.h"

/* The memory that OpenBLAS maps for itself at its first product, 128 MiB on x86-64; if it cannot, it tries for ever. */
static const size_t own_buffer = (size_t)128 << 20;
static const double allowed_error = 1e-9;

enum { ROWS = 40, COLUMNS = 24 }; /* more than its code handles in one piece */

/* Small integers A, and by plain loops, which are exact: x, b = A x, A^T A and A^T b. */
typedef struct known {
    double a[ROWS * COLUMNS], x[COLUMNS], b[ROWS], square[COLUMNS * COLUMNS], projected[COLUMNS];
} known;

/* Makes a problem of whole numbers, whose solution is known exactly. */
static void fill_problem(known *it)
{
    memset(it, 0, sizeof *it);
    for (size_t j = 0; j < COLUMNS; j++) {
        it->x[j] = (double)(j % 5) - 2.0;
        for (size_t i = 0; i < ROWS; i++)
            it->a[j * ROWS + i] = (double)((7 * i + 3 * j * j + i * j) % 11) - 5.0 + (i == j ? 20.0 : 0.0);
        cm_vector_add(it->b, it->x[j], it->a + j * ROWS, ROWS);
    }
    for (size_t j = 0; j < COLUMNS; j++) {
        for (size_t k = 0; k < COLUMNS; k++)
            it->square[j * COLUMNS + k] = cm_vector_dot(it->a + j * ROWS, it->a + k * ROWS, ROWS);
        it->projected[j] = cm_vector_dot(it->a + j * ROWS, it->b, ROWS);
    }
}

/* Whether `found` differs from `expected` by no more than rounding errors; NaN does. */
static bool agrees_with(const double *found, const double *expected, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= fabs(found[i] - expected[i]) <= allowed_error * (1.0 + fabs(expected[i]));
    return good;
}

/* Whether least squares and projections come out right. */
static bool projects_right(const known *it, const cm_least_squares *problem)
{
    double solution[COLUMNS], residual[ROWS], step[COLUMNS], shares[ROWS * COLUMNS], products[COLUMNS * COLUMNS];
    double part[ROWS];
    cm_least_squares_solve(problem, it->b, solution, residual, step);
    cm_least_squares_shares(problem, shares);
    cm_find_parts(shares, COLUMNS, ROWS, it->b, 1, step);
    cm_find_parts(it->a, COLUMNS, ROWS, it->a, COLUMNS, products);
    memcpy(part, it->b, sizeof part);
    cm_orthogonalise(part, problem->q, COLUMNS, ROWS);
    return agrees_with(solution, it->x, COLUMNS) && agrees_with(step, it->x, COLUMNS) &&
           cm_vector_norm(part, ROWS) <= allowed_error && agrees_with(products, it->square, COLUMNS * COLUMNS);
}

/* Whether Cholesky's factor, and the inverse by it, come out. */
static bool inverts_right(const known *it)
{
    double factor[COLUMNS * COLUMNS], solution[COLUMNS], product[COLUMNS] = {0.0};
    memcpy(factor, it->square, sizeof factor);
    memcpy(solution, it->projected, sizeof solution);
    if (!cm_cholesky(factor, COLUMNS))
        return false;
    cm_cholesky_solve(factor, COLUMNS, solution);
    cm_cholesky_invert(factor, COLUMNS);
    for (size_t j = 0; j < COLUMNS; j++)
        cm_vector_add(product, it->projected[j], factor + j * COLUMNS, COLUMNS);
    return agrees_with(solution, it->x, COLUMNS) && agrees_with(product, it->x, COLUMNS);
}

/* Whether OpenBLAS solves the known problem and agrees with itself. */
static cm_status prove_openblas(const known *it, bool *good, cm_error *error)
{
    const cm_matrix a = {.rows = ROWS, .columns = COLUMNS, .values = (double *)it->a};
    const cm_matrix square = {.rows = COLUMNS, .columns = COLUMNS, .values = (double *)it->square};
    cm_least_squares *problem = NULL;
    double norm = NAN, norm_of_square = NAN;
    cm_status status = cm_least_squares_create(&a, &problem, error);
    if (status == CM_OK && cm_spectral_norm(&a, &norm, error) == CM_NO_MEMORY)
        status = CM_NO_MEMORY;
    if (status == CM_OK && cm_spectral_norm(&square, &norm_of_square, error) == CM_NO_MEMORY)
        status = CM_NO_MEMORY;
    norm *= norm;
    *good =
        status == CM_OK && projects_right(it, problem) && inverts_right(it) && agrees_with(&norm, &norm_of_square, 1);
    cm_least_squares_free(problem);
    return status;
}

cm_status cm_linear_start(cm_error *error)
{
    static atomic_bool proven; /* of the process, as OpenBLAS is */
    if (atomic_load(&proven))
        return CM_OK;
    void *buffer = mmap(NULL, own_buffer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        return cm_error_no_memory(error);
    munmap(buffer, own_buffer);
    if (!cm_linear_survives_forks())
        return cm_error_no_memory(error);
    openblas_set_num_threads(1);
    known it;
    bool good = false;
    fill_problem(&it);
    cm_status status = prove_openblas(&it, &good, error);
    if (status == CM_OK && !good)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "OpenBLAS computes wrongly on this processor, which it takes for %s: set the environment "
                       "variable OPENBLAS_CORETYPE to an older one, such as Haswell or ARMV8, or use a newer OpenBLAS",
                       openblas_get_corename());
    atomic_store(&proven, status == CM_OK);
    return status;
}
