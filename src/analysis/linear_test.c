/* Whether OpenBLAS is fit for use: builds that are older than a processor may choose code for it that computes wrongly.
 */
#include "analysis/linear.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include <cblas.h>

#include "analysis/vector.h"
#include "core/error.h"

/* What OpenBLAS maps for itself at its first product, 128 MiB on x86-64; where it cannot, it tries again for ever. */
static const size_t own_buffer = (size_t)128 << 20;
static const double rounding_error = 1e-9;

enum { ROWS = 40, COLUMNS = 24 }; /* more than its code handles in one piece */

/* A matrix of small integers, its products with itself, a solution, and the right sides that belong to it: exact. */
typedef struct known {
    double a[ROWS * COLUMNS], square[COLUMNS * COLUMNS], x[COLUMNS], b[ROWS], squared[COLUMNS];
} known;

static void fill(known *it)
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
        it->squared[j] = cm_vector_dot(it->a + j * ROWS, it->b, ROWS);
    }
}

/* Whether `found` differs from `expected` by no more than rounding errors; NaN does. */
static bool agree(const double *found, const double *expected, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= fabs(found[i] - expected[i]) <= rounding_error * (1.0 + fabs(expected[i]));
    return good;
}

/* Whether least squares, and the directions of its columns, come out. */
static cm_status try_least_squares(const known *it, bool *good, cm_error *error)
{
    double solution[COLUMNS], residual[ROWS], step[COLUMNS], shares[ROWS * COLUMNS], back[COLUMNS], part[ROWS];
    double products[COLUMNS * COLUMNS];
    cm_matrix matrix = {.rows = ROWS, .columns = COLUMNS, .values = (double *)it->a};
    cm_least_squares *problem = NULL;
    cm_status status = cm_least_squares_create(&matrix, &problem, error);
    if (status != CM_OK)
        return status;
    cm_least_squares_solve(problem, it->b, solution, residual, step);
    cm_least_squares_shares(problem, shares);
    cm_find_parts(shares, COLUMNS, ROWS, it->b, 1, back);
    cm_find_parts(it->a, COLUMNS, ROWS, it->a, COLUMNS, products);
    memcpy(part, it->b, sizeof part);
    cm_orthogonalise(part, problem->q, COLUMNS, ROWS);
    *good = agree(solution, it->x, COLUMNS) && agree(back, it->x, COLUMNS) &&
            agree(products, it->square, COLUMNS * COLUMNS) && cm_vector_norm(part, ROWS) <= rounding_error;
    cm_least_squares_free(problem);
    return CM_OK;
}

/* Whether Cholesky's factor and the norm come out. The norm of A^T A is what it stretches its own vector by. */
static cm_status try_square(const known *it, bool *good, cm_error *error)
{
    double factor[COLUMNS * COLUMNS], vector[COLUMNS], back[COLUMNS] = {0.0}, a[ROWS * COLUMNS], norms[2];
    memcpy(factor, it->square, sizeof factor);
    memcpy(vector, it->squared, sizeof vector);
    *good = cm_cholesky(factor, COLUMNS);
    if (!*good)
        return CM_OK;
    cm_cholesky_solve(factor, COLUMNS, vector);
    cm_cholesky_invert(factor, COLUMNS);
    for (size_t j = 0; j < COLUMNS; j++)
        cm_vector_add(back, it->squared[j], factor + j * COLUMNS, COLUMNS);
    *good = agree(vector, it->x, COLUMNS) && agree(back, it->x, COLUMNS);
    memcpy(a, it->a, sizeof a);
    memcpy(factor, it->square, sizeof factor);
    cm_matrix one = {.rows = ROWS, .columns = COLUMNS, .values = a};
    cm_matrix other = {.rows = COLUMNS, .columns = COLUMNS, .values = factor};
    cm_status status = cm_spectral_norm(&one, &norms[0], error);
    if (status == CM_OK)
        status = cm_spectral_norm(&other, &norms[1], error);
    *good &= status == CM_OK && fabs(norms[0] * norms[0] - norms[1]) <= rounding_error * norms[1];
    return status == CM_BAD_INPUT ? CM_OK : status;
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
    openblas_set_num_threads(1);
    known it;
    bool least_squares = false, square = false;
    fill(&it);
    cm_status status = try_least_squares(&it, &least_squares, error);
    if (status == CM_OK)
        status = try_square(&it, &square, error);
    if (status != CM_OK)
        return status;
    if (!least_squares || !square)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0,
                            "OpenBLAS computes wrongly on this processor, which it takes for %s: set the environment "
                            "variable OPENBLAS_CORETYPE to an older one, such as Haswell or ARMV8, or use a newer "
                            "OpenBLAS",
                            openblas_get_corename());
    atomic_store(&proven, true);
    return CM_OK;
}
