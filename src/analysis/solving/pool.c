/* Events to choose from: of those that count the same one; and their counts on rows with a known meaning. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "core/base.h"
#include "analysis/solving/problem.h"

enum { GRADES = 64 };
static const double same = 1e-9, same_count = 1e-6;

void cm_pool_clear(cm_pool *pool)
{
    void *arrays[] = {pool->events, pool->costs, pool->matrix, pool->low, pool->high};
    for (size_t i = 0; i < CM_COUNT_OF(arrays); i++)
        free(arrays[i]);
    *pool = (cm_pool){0};
}

/* ---- events ---- */

/* The largest difference of their counts on a row: next to nothing on controls, elsewhere noise beside it. */
static double difference_on(const cm_problem *problem, const cm_usable_event *one, const cm_usable_event *other,
                            size_t row)
{
    double next_to_nothing = same_count * (fabs(one->mean[row]) + one->norm);
    return row >= problem->fitted ? next_to_nothing
                                  : next_to_nothing + cm_the_rules.z * (one->error[row] + other->error[row]) +
                                        (one->slack + other->slack) / problem->iterations[row];
}

static bool counts_alike(const cm_problem *problem, const cm_usable_event *one, const cm_usable_event *other)
{
    for (size_t j = 0; j < problem->symbols; j++)
        if (fabs(one->x[j] - other->x[j]) > same * one->norm)
            return false;
    for (size_t r = 0; r < problem->rows; r++)
        if (!(fabs(one->mean[r] - other->mean[r]) <= difference_on(problem, one, other, r)))
            return false;
    return true;
}

static bool is_new(const cm_problem *problem, const size_t *events, size_t count, size_t event)
{
    for (size_t i = 0; i < count; i++)
        if (counts_alike(problem, &problem->events[events[i]], &problem->events[event]))
            return false;
    return true;
}

/* An event among many, and the share of its counts that the metric has: the first of like ones stays the first. */
typedef struct candidate {
    size_t event;
    int share; /* in GRADES */
} candidate;

static int compare_candidates(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

static int compare_places(const void *left, const void *right)
{
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* A grade of an event, by the share of its squares in symbols of the metric. Its largest count on a control without the
 * metric is held against it as other symbols are. */
static int share_of(const cm_problem *problem, const cm_target *target, const cm_usable_event *event)
{
    double inside = 0.0, outside = 0.0, stray = 0.0;
    for (size_t j = 0; j < problem->symbols; j++)
        *(target->signature[j] != 0.0 ? &inside : &outside) += event->x[j] * event->x[j];
    for (size_t r = problem->fitted; r < problem->rows; r++)
        if (target->low[r] == 0.0 && target->high[r] == 0.0 && !isnan(event->mean[r]))
            stray = fmax(stray, event->mean[r] * event->mean[r]);
    double all = inside + outside + stray;
    return all > 0.0 ? (int)rint(GRADES * inside / all) : 0;
}

/* Lists the events that are usable and count anything; if there are many, those with the best grades first. */
static size_t list_candidates(const cm_problem *problem, const cm_target *target, const bool *usable, candidate *list)
{
    size_t count = 0;
    bool many = problem->event_count > CM_MANY_EVENTS;
    for (size_t i = 0; i < problem->event_count; i++)
        if (usable[i] && cm_event_size(problem, &problem->events[i]) > 0.0)
            list[count++] = (candidate){i, many ? share_of(problem, target, &problem->events[i]) : 0};
    if (many)
        qsort(list, count, sizeof *list, compare_candidates);
    return count;
}

/* Chooses the events of the pool, of those that count the same only the first, and their costs. */
static cm_status choose_events(cm_pool *pool, const bool *usable, cm_error *error)
{
    const cm_problem *problem = pool->problem;
    size_t most = problem->event_count < CM_MANY_EVENTS ? problem->event_count : CM_MANY_EVENTS;
    candidate *candidates = malloc((problem->event_count + 1) * sizeof *candidates);
    pool->events = malloc((most + 1) * sizeof *pool->events);
    pool->costs = malloc((most + 1) * sizeof *pool->costs);
    bool made = pool->events != NULL && pool->costs != NULL && candidates != NULL;
    size_t all = made ? list_candidates(problem, pool->target, usable, candidates) : 0;
    for (size_t i = 0; i < all && pool->columns < most; i++)
        if (is_new(problem, pool->events, pool->columns, candidates[i].event))
            pool->events[pool->columns++] = candidates[i].event;
    free(candidates);
    if (!made)
        return cm_error_no_memory(error);
    qsort(pool->events, pool->columns, sizeof *pool->events, compare_places);
    double size = cm_vector_norm(pool->target->signature, problem->symbols);
    for (size_t k = 0; k < pool->columns; k++)
        pool->costs[k] = cm_event_size(problem, &problem->events[pool->events[k]]) / size;
    return CM_OK;
}

/* ---- rows: symbols, exact kernels, and those on which the machine decides ---- */

/* The count of an event there; 0 if it is unknown. */
static double count_on(const cm_usable_event *event, size_t row)
{
    return isnan(event->mean[row]) ? 0.0 : event->mean[row];
}

/* Whether any event counts there, or the metric is there. */
static bool row_counts(const cm_pool *pool, size_t row)
{
    bool any = pool->target->low[row] > 0.0 || pool->target->high[row] < 0.0;
    for (size_t k = 0; k < pool->columns && !any; k++)
        any = count_on(&pool->problem->events[pool->events[k]], row) != 0.0;
    return any;
}

static void add_row(cm_pool *pool, double limit, double low, double high, size_t from, bool symbol)
{
    double *row = pool->matrix + pool->rows * pool->columns;
    for (size_t k = 0; k < pool->columns; k++) {
        const cm_usable_event *event = &pool->problem->events[pool->events[k]];
        row[k] = (symbol ? event->x[from] : count_on(event, from)) / limit / pool->costs[k];
    }
    pool->low[pool->rows] = low / limit;
    pool->high[pool->rows++] = high / limit;
}

/* The median of the columns' counts, for each of the metric. `buffer`: a number a column. */
static double typical_count(const cm_pool *pool, double *buffer)
{
    size_t some = 0;
    for (size_t k = 0; k < pool->columns; k++) {
        buffer[k] /= pool->costs[k];
        some += buffer[k] > 0.0;
    }
    return 2 * some > pool->columns ? cm_median(buffer, pool->columns) : 0.0;
}

static double typical_slack(const cm_pool *pool, double *buffer)
{
    for (size_t k = 0; k < pool->columns; k++)
        buffer[k] = pool->problem->events[pool->events[k]].slack;
    return typical_count(pool, buffer);
}

static double typical_error(const cm_pool *pool, size_t row, double *buffer)
{
    for (size_t k = 0; k < pool->columns; k++)
        buffer[k] = pool->problem->events[pool->events[k]].error[row];
    return typical_count(pool, buffer);
}

/* Adds rows of kernels, each in units of its limit and the noise of its value. `slack`: counts of an empty run. */
static void add_kernels(cm_pool *pool, bool exact, double slack, double *buffer)
{
    const cm_problem *problem = pool->problem;
    const cm_target *target = pool->target;
    for (size_t r = 0; r < problem->rows; r++) {
        if (isnan(target->low[r]) || cm_is_exact(target, r) != exact || !row_counts(pool, r))
            continue;
        double noise = cm_the_rules.z * typical_error(pool, r, buffer) + slack / problem->iterations[r];
        double weight = r < problem->fitted ? cm_the_rules.prior : 1.0;
        add_row(pool, (target->limits[r] + noise) / weight, target->low[r], target->high[r], r, false);
    }
}

/* Fills the rows of the symbols, and then of the kernels, in units of their limits. */
static cm_status fill_rows(cm_pool *pool, cm_error *error)
{
    const cm_target *target = pool->target;
    size_t symbols = pool->problem->symbols, most = symbols + pool->problem->rows + 1;
    double *buffer = malloc((pool->columns + 1) * sizeof *buffer);
    pool->matrix = malloc(most * (pool->columns + 1) * sizeof *pool->matrix);
    pool->low = malloc(most * sizeof *pool->low);
    pool->high = malloc(most * sizeof *pool->high);
    bool made = buffer != NULL && pool->matrix != NULL && pool->low != NULL && pool->high != NULL;
    for (size_t j = 0; made && j < symbols; j++)
        add_row(pool, target->symbol_limits[j], target->signature[j], target->signature[j], j, true);
    double slack = made ? typical_slack(pool, buffer) : 0.0;
    if (made)
        add_kernels(pool, true, slack, buffer);
    pool->exact = pool->rows;
    if (made)
        add_kernels(pool, false, slack, buffer);
    free(buffer);
    return made ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_pool_make(const cm_problem *problem, const cm_target *target, const bool *usable, cm_pool *pool,
                       cm_error *error)
{
    *pool = (cm_pool){.problem = problem, .target = target};
    cm_status status = choose_events(pool, usable, error);
    CM_THEN(status, fill_rows(pool, error));
    if (status != CM_OK)
        cm_pool_clear(pool);
    return status;
}

double *cm_pool_products(const cm_pool *pool, size_t rows)
{
    size_t columns = pool->columns;
    double *products = calloc(columns * columns + 1, sizeof *products);
    for (size_t i = 0; products != NULL && i < rows; i++) {
        const double *row = pool->matrix + i * columns;
        for (size_t k = 0; k < columns; k++)
            if (row[k] != 0.0)
                cm_vector_add(products + k * columns, row[k], row, k + 1);
    }
    return products;
}
