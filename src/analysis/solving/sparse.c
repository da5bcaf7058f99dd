/* Few events whose sum is near a metric, on symbols and on controls: least sum |u|, u = c |x|, by least squares whose
 * weights are its own solution (Gorodnitsky and Rao, "Sparse Signal Reconstruction from Limited Data", IEEE
 * Transactions on Signal Processing 45, 1997), and from there on towards still fewer. It needs nothing but a
 * factorisation, and is the same at every run. */
#include "analysis/numerics.h"
#include "core/base.h"
#include "analysis/solving/problem.h"

enum { STEPS = 40, STAGES = 3 };
static const double part_of_largest = 1e-4, looseness = 0.05, smallest_least = 1e-9, still = 1e-6, negligible = 1e-5;
static const double powers[STAGES] = {1.0, 1.5, 1.9}; /* weights are |u|^power: 1 is the sum of magnitudes */

typedef struct search {
    const cm_pool *pool;
    size_t columns, rows;
    cm_sparse_rows across; /* the pool's matrix, a column after another */
    double *products;      /* of columns with each other */
    double *u, *aims, *gram, *scaled, *roots, *before;
    size_t *support, *active;
} search;

static void clear_search(search *work)
{
    void *arrays[] = {work->products, work->u,      work->aims,    work->gram,  work->scaled,
                      work->roots,    work->before, work->support, work->active};
    for (size_t i = 0; i < CM_COUNT_OF(arrays); i++)
        free(arrays[i]);
    cm_sparse_rows_clear(&work->across);
}

/* Allocates the search. */
static cm_status allocate_search(search *work, cm_error *error)
{
    size_t rows = work->rows + 1, columns = work->columns + 1, most = rows < columns ? rows : columns;
    cm_matrix across = {.rows = work->columns, .columns = work->rows, .values = work->pool->matrix};
    work->products = cm_pool_products(work->pool, work->rows);
    work->u = malloc(columns * sizeof *work->u);
    work->aims = malloc(rows * sizeof *work->aims);
    work->gram = malloc(most * most * sizeof *work->gram);
    work->scaled = malloc(columns * sizeof *work->scaled);
    work->roots = malloc(columns * sizeof *work->roots);
    work->before = malloc(columns * sizeof *work->before);
    work->support = malloc(columns * sizeof *work->support);
    work->active = malloc(columns * sizeof *work->active);
    bool made = work->products != NULL && work->u != NULL && work->aims != NULL && work->gram != NULL &&
                work->scaled != NULL && work->roots != NULL && work->before != NULL && work->support != NULL &&
                work->active != NULL && cm_sparse_rows_make(&across, &work->across);
    return made ? CM_OK : cm_error_no_memory(error);
}

/* ---- the iteration ---- */

/* Each row aims at the end of its interval that is nearer to its value. */
static void find_aims(const search *work)
{
    for (size_t i = 0; i < work->rows; i++)
        work->aims[i] = 0.0;
    for (size_t k = 0; k < work->columns; k++)
        if (work->u[k] != 0.0)
            for (size_t i = work->across.starts[k]; i < work->across.starts[k + 1]; i++)
                work->aims[work->across.places[i]] += work->u[k] * work->across.values[i];
    for (size_t i = 0; i < work->rows; i++)
        work->aims[i] = fmin(fmax(work->aims[i], work->pool->low[i]), work->pool->high[i]);
}

/* Many columns: u = Q B^T (B Q B^T + looseness)^-1 aims, Q = diag(roots)^2. */
static bool step_by_rows(search *work, const double *roots)
{
    cm_weighted_products(&work->across, roots, work->gram);
    for (size_t i = 0; i < work->rows; i++)
        work->gram[i * work->rows + i] += looseness;
    if (!cm_cholesky(work->gram, work->rows))
        return false;
    cm_cholesky_solve(work->gram, work->rows, work->aims);
    for (size_t k = 0; k < work->columns; k++)
        work->u[k] = roots[k] * roots[k] * cm_sparse_row_dot(&work->across, k, work->aims);
    return true;
}

/* Few columns: the same as u = R (R B^T B R + looseness)^-1 R B^T aims, R = Q^1/2, of those with a part. */
static bool step_by_columns(search *work, const double *roots, size_t count)
{
    const size_t *places = work->active;
    for (size_t a = 0; a < count; a++) {
        const double *products = work->products + places[a] * work->columns;
        for (size_t b = 0; b <= a; b++)
            work->gram[a * count + b] = products[places[b]] * roots[places[a]] * roots[places[b]];
        work->gram[a * count + a] += looseness;
    }
    if (!cm_cholesky(work->gram, count))
        return false;
    for (size_t a = 0; a < count; a++)
        work->scaled[a] = roots[places[a]] * cm_sparse_row_dot(&work->across, places[a], work->aims);
    cm_cholesky_solve(work->gram, count, work->scaled);
    memset(work->u, 0, work->columns * sizeof *work->u);
    for (size_t a = 0; a < count; a++)
        work->u[places[a]] = roots[places[a]] * work->scaled[a];
    return true;
}

/* One step; false if it cannot be solved. A term without a part any more has no root. */
static bool take_step(search *work, double power, double least)
{
    double *roots = work->roots, largest = 0.0;
    size_t count = 0;
    for (size_t k = 0; k < work->columns; k++)
        largest = fmax(largest, fabs(work->u[k]));
    for (size_t k = 0; k < work->columns; k++) {
        double size = fabs(work->u[k]) + least;
        roots[k] = size > negligible * largest ? pow(size, 0.5 * power) : 0.0;
        if (roots[k] > 0.0)
            work->active[count++] = k;
    }
    find_aims(work);
    return count < work->rows ? step_by_columns(work, roots, count) : step_by_rows(work, roots);
}

/* Steps until they move nothing; false if one cannot be solved. */
static bool approach_stage(search *work, size_t stage)
{
    bool moving = true;
    for (int i = 0; i < STEPS && moving; i++) {
        double largest = 0.0, moved = 0.0, least = fmax(smallest_least, 0.1 * pow(0.4, i) * (stage == 0));
        memcpy(work->before, work->u, work->columns * sizeof *work->u);
        if (!take_step(work, powers[stage], least))
            return false;
        for (size_t k = 0; k < work->columns; k++) {
            largest = fmax(largest, fabs(work->u[k]));
            moved = fmax(moved, fabs(work->u[k] - work->before[k]));
        }
        moving = least > smallest_least || moved > still * largest;
    }
    return true;
}

/* The events with a part in it, the largest parts first: of events alike in symbols, a refit keeps the first. */
static size_t find_support(const search *work)
{
    double largest = 0.0;
    size_t count = 0;
    for (size_t k = 0; k < work->columns; k++) {
        double size = fabs(work->u[k]);
        largest = fmax(largest, size);
        size_t place = count++;
        for (; place > 0 && work->scaled[place - 1] < size; place--) {
            work->scaled[place] = work->scaled[place - 1];
            work->support[place] = work->support[place - 1];
        }
        work->scaled[place] = size;
        work->support[place] = work->pool->events[k];
    }
    while (count > 0 && !(work->scaled[count - 1] > part_of_largest * largest))
        count--;
    return count;
}

cm_status cm_find_sparse(const cm_pool *pool, cm_take_events take, void *context, cm_error *error)
{
    search work = {.pool = pool, .columns = pool->columns, .rows = pool->rows};
    cm_status status = allocate_search(&work, error);
    bool stop = false;
    for (size_t k = 0; k < work.columns && status == CM_OK; k++)
        work.u[k] = 1.0;
    for (size_t stage = 0; stage < STAGES && status == CM_OK && work.columns > 0 && !stop; stage++) {
        size_t count = approach_stage(&work, stage) ? find_support(&work) : 0;
        if (count > 0)
            status = take(context, work.support, count, &stop, error);
    }
    clear_search(&work);
    return status;
}
