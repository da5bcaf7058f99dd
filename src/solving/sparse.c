/* Few events whose sum is near a metric, on symbols and on controls: least sum |u|, u = c |x|, by least squares whose
 * weights are its own solution (Gorodnitsky and Rao, "Sparse Signal Reconstruction from Limited Data", IEEE
 * Transactions on Signal Processing 45, 1997), and from there on towards still fewer. It needs nothing but a
 * factorisation, and is the same at every run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linear.h"
#include "analysis/rules.h"
#include "analysis/vector.h"
#include "analysis/weighted.h"
#include "core/error.h"
#include "solving/problem.h"

enum { STEPS = 40, STAGES = 3 };
static const double part_of_largest = 1e-4, looseness = 0.05, smallest_part = 0.1, smallest_least = 1e-9, still = 1e-6,
                    negligible = 1e-5;
static const double powers[STAGES] = {1.0, 1.5, 1.9}; /* weights are |u|^power: 1 is the sum of magnitudes */

typedef struct search {
    const cm_problem *problem;
    const cm_target *target;
    size_t columns, rows;
    size_t *events;        /* places, one a column */
    double *costs;         /* |x| of a column */
    double *matrix;        /* B: rows x columns, row-major, in limits and costs */
    cm_sparse_rows across; /* B^T */
    double *low, *high;    /* of each row, in limits */
    double *u, *aims, *gram, *products, *scaled;
    size_t *support, *active;
} search;

static void clear(search *work)
{
    void *arrays[] = {work->products, work->events, work->costs, work->matrix, work->low,     work->high,
                      work->u,        work->aims,   work->gram,  work->scaled, work->support, work->active};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    cm_sparse_rows_clear(&work->across);
}

/* ---- rows: symbols, then controls on which any of the events counts ---- */

static bool row_counts(const search *work, size_t row)
{
    bool any = false;
    for (size_t k = 0; k < work->columns; k++) {
        double mean = work->problem->events[work->events[k]].mean[row];
        if (isnan(mean))
            return false;
        any |= mean != 0.0;
    }
    return any || work->target->low[row] > 0.0 || work->target->high[row] < 0.0;
}

static void add_row(search *work, double limit, double low, double high, size_t from, bool symbol)
{
    double *row = work->matrix + work->rows * work->columns;
    for (size_t k = 0; k < work->columns; k++) {
        const cm_usable_event *event = &work->problem->events[work->events[k]];
        row[k] = (symbol ? event->x[from] : event->mean[from]) / limit / work->costs[k];
    }
    work->low[work->rows] = low / limit;
    work->high[work->rows++] = high / limit;
}

/* The noise that a control's value has anyhow, and what is counted once a run: that of the metric's worth of a typical
 * event. */
static double noise_of(const search *work, size_t row)
{
    const cm_problem *problem = work->problem;
    double sum = 0.0, size = cm_vector_norm(work->target->signature, problem->symbols);
    size_t count = work->columns; /* those that only cancel stand behind */
    while (count > 1 && problem->events[work->events[count - 1]].cancels)
        count--;
    for (size_t k = 0; k < count; k++)
        work->scaled[k] = problem->events[work->events[k]].error[row] / problem->events[work->events[k]].norm;
    double error = cm_median(work->scaled, count);
    for (size_t k = 0; k < count; k++)
        work->scaled[k] = problem->events[work->events[k]].slack / problem->events[work->events[k]].norm;
    double slack = cm_median(work->scaled, count);
    for (size_t j = 0; j < problem->symbols; j++)
        sum += fabs(work->target->signature[j]);
    return cm_the_rules.deviations * size * error + sum * slack / problem->iterations[row];
}

static void fill_rows(search *work, bool controls)
{
    const cm_problem *problem = work->problem;
    const cm_target *target = work->target;
    for (size_t j = 0; j < problem->symbols; j++)
        add_row(work, cm_the_rules.solving * target->symbol_limits[j], target->signature[j], target->signature[j], j,
                true);
    for (size_t r = problem->fitted; controls && r < problem->rows; r++)
        if (!isnan(target->low[r]) && row_counts(work, r))
            add_row(work, cm_the_rules.solving * target->limits[r] + noise_of(work, r), target->low[r], target->high[r],
                    r, false);
}

static void find_costs(search *work)
{
    double size = cm_vector_norm(work->target->signature, work->problem->symbols);
    for (size_t k = 0; k < work->columns; k++) {
        const cm_usable_event *event = &work->problem->events[work->events[k]];
        double largest = 0.0;
        for (size_t r = work->problem->fitted; r < work->problem->rows; r++)
            largest = fmax(largest, isnan(event->mean[r]) ? 0.0 : fabs(event->mean[r]));
        work->costs[k] = fmax(event->norm, smallest_part * smallest_part * largest) / size;
    }
}

static cm_status make_room(search *work, cm_error *error)
{
    size_t rows = work->problem->symbols + work->problem->rows + 1, columns = work->columns + 1;
    work->support = malloc(columns * sizeof *work->support);
    work->active = malloc(columns * sizeof *work->active);
    work->costs = malloc(columns * sizeof *work->costs);
    work->u = malloc(columns * sizeof *work->u);
    work->matrix = malloc(rows * columns * sizeof *work->matrix);
    work->low = malloc(rows * sizeof *work->low);
    work->high = malloc(rows * sizeof *work->high);
    size_t most = rows < columns ? rows : columns;
    work->aims = malloc(rows * sizeof *work->aims);
    work->gram = malloc(most * most * sizeof *work->gram);
    work->products = malloc(columns * columns * sizeof *work->products);
    work->scaled = malloc(columns * sizeof *work->scaled);
    bool made = work->support != NULL && work->active != NULL && work->costs != NULL && work->u != NULL &&
                work->matrix != NULL && work->low != NULL && work->high != NULL && work->aims != NULL &&
                work->gram != NULL && work->products != NULL && work->scaled != NULL;
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
        work->aims[i] = fmin(fmax(work->aims[i], work->low[i]), work->high[i]);
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

/* B^T B, once. */
static void fill_products(search *work)
{
    memset(work->products, 0, work->columns * work->columns * sizeof *work->products);
    for (size_t i = 0; i < work->rows; i++) {
        const double *row = work->matrix + i * work->columns;
        for (size_t k = 0; k < work->columns; k++)
            if (row[k] != 0.0)
                cm_vector_add(work->products + k * work->columns, row[k], row, k + 1);
    }
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

/* One step; false where it cannot be solved. `roots` has room for a column each; what has no part any more has none. */
static bool step(search *work, double power, double least, double *roots)
{
    double largest = 0.0;
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

/* Steps until they move nothing; false where one cannot be solved. `room`: two numbers a column. */
static bool approach(search *work, size_t stage, double *room)
{
    double *roots = room, *before = room + work->columns;
    bool moving = true;
    for (int i = 0; i < STEPS && moving; i++) {
        double largest = 0.0, moved = 0.0, least = fmax(smallest_least, 0.1 * pow(0.4, i) * (stage == 0));
        memcpy(before, work->u, work->columns * sizeof *before);
        if (!step(work, powers[stage], least, roots))
            return false;
        for (size_t k = 0; k < work->columns; k++) {
            largest = fmax(largest, fabs(work->u[k]));
            moved = fmax(moved, fabs(work->u[k] - before[k]));
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
        work->support[place] = work->events[k];
    }
    while (count > 0 && !(work->scaled[count - 1] > part_of_largest * largest))
        count--;
    return count;
}

static cm_status iterate(search *work, cm_take_events take, void *context, cm_error *error)
{
    cm_status status = CM_OK;
    bool stop = false;
    double *room = malloc((2 * work->columns + 1) * sizeof *room);
    if (room == NULL)
        return cm_error_no_memory(error);
    fill_products(work);
    for (size_t k = 0; k < work->columns; k++)
        work->u[k] = 1.0;
    for (size_t stage = 0; stage < STAGES && status == CM_OK && !stop; stage++) {
        size_t count = approach(work, stage, room) ? find_support(work) : 0;
        if (count > 0)
            status = take(context, work->support, count, &stop, error);
    }
    free(room);
    return status;
}

cm_status cm_find_sparse(const cm_problem *problem, const cm_target *target, const bool *usable, bool with_controls,
                         cm_take_events take, void *context, cm_error *error)
{
    search work = {.problem = problem, .target = target};
    cm_status status = cm_distinct_events(problem, target, usable, with_controls, &work.events, &work.columns, error);
    if (status == CM_OK)
        status = make_room(&work, error);
    if (status == CM_OK) {
        find_costs(&work);
        fill_rows(&work, with_controls);
        cm_matrix across = {.rows = work.columns, .columns = work.rows, .values = work.matrix};
        if (!cm_sparse_rows_make(&across, &work.across))
            status = cm_error_no_memory(error);
        if (status == CM_OK && work.columns > 0)
            status = iterate(&work, take, context, error);
    }
    clear(&work);
    return status;
}
