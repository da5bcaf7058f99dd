/* At most so many events whose sum is near a metric in symbols and on exact rows: sets grow by one event at a time, and
 * those that leave the least of the metric go on (a beam). All single events go on, so that of pairs none is missed. */
#include "analysis/numerics.h"
#include "core/base.h"
#include "analysis/solving/problem.h"

enum { WIDTH = 64, MOST_TRIES = 8 };
static const double independent_square = 1e-10;

/* Sets of as many events each, ranked by the part of the metric that they leave, in limits. */
typedef struct ranking {
    size_t count, capacity;
    size_t *columns; /* `most` a set, ascending */
    double *left;
} ranking;

typedef struct beam {
    const cm_pool *pool;
    size_t most;
    double *products, *along, whole; /* of exact rows: of columns with each other and the metric; of the metric */
    double *factor, *part;           /* of the set that grows: its products' factor; the metric's part, one a row */
    double *shared;                  /* `most` a column: its products with the set's directions */
    size_t *grown;                   /* a set */
    ranking rankings[2];
} beam;

/* Frees everything that the search has allocated. */
static void clear_beam(beam *work)
{
    free(work->products);
    free(work->along);
    free(work->factor);
    free(work->part);
    free(work->shared);
    free(work->grown);
    for (int i = 0; i < 2; i++) {
        free(work->rankings[i].columns);
        free(work->rankings[i].left);
    }
}

/* Allocates both rankings; false if memory is short. */
static bool make_rankings(beam *work)
{
    bool made = true;
    for (int i = 0; i < 2; i++) {
        ranking *list = &work->rankings[i];
        list->capacity = work->pool->columns > WIDTH ? work->pool->columns : WIDTH;
        list->columns = calloc((list->capacity + 1) * work->most, sizeof *list->columns);
        list->left = calloc(list->capacity + 1, sizeof *list->left);
        made &= list->columns != NULL && list->left != NULL;
    }
    return made;
}

/* Allocates the search, and works out the products that all steps share. */
static cm_status allocate_beam(beam *work, cm_error *error)
{
    const cm_pool *pool = work->pool;
    work->products = cm_pool_products(pool, pool->exact);
    work->along = calloc(pool->columns + 1, sizeof *work->along);
    work->factor = malloc(work->most * work->most * sizeof *work->factor);
    work->shared = malloc((pool->columns + 1) * work->most * sizeof *work->shared);
    work->part = malloc(work->most * sizeof *work->part);
    work->grown = malloc((work->most + 1) * sizeof *work->grown);
    if (work->products == NULL || work->along == NULL || work->factor == NULL || work->shared == NULL ||
        work->part == NULL || work->grown == NULL || !make_rankings(work))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < pool->exact; i++) {
        work->whole += pool->low[i] * pool->low[i];
        for (size_t k = 0; k < pool->columns; k++)
            work->along[k] += pool->low[i] * pool->matrix[i * pool->columns + k];
    }
    return CM_OK;
}

static double product_of(const beam *work, size_t one, size_t other)
{
    size_t large = one > other ? one : other, small = one + other - large;
    return work->products[large * work->pool->columns + small];
}

/* Factorises a set. Returns the part of the metric's square that it leaves; negative if its events are dependent. */
static double lay_out(beam *work, const size_t *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        work->part[i] = work->along[columns[i]];
        for (size_t j = 0; j <= i; j++)
            work->factor[i * count + j] = product_of(work, columns[i], columns[j]);
    }
    if (count > 0 && !cm_cholesky(work->factor, count))
        return -1.0;
    cm_cholesky_reduce(work->factor, count, work->part, 1);
    return fmax(work->whole - cm_vector_dot(work->part, work->part, count), 0.0);
}

/* Fills the products of each column with the columns of the chosen set. */
static void share_all(beam *work, const size_t *columns, size_t count)
{
    for (size_t k = 0; k < work->pool->columns; k++)
        for (size_t i = 0; i < count; i++)
            work->shared[k * count + i] = product_of(work, k, columns[i]);
    cm_cholesky_reduce(work->factor, count, work->shared, work->pool->columns);
}

/* `grown`: the set with one column more, in order. False if it has the column. */
static bool grow_set(beam *work, const size_t *columns, size_t count, size_t column)
{
    size_t place = 0;
    while (place < count && columns[place] < column)
        place++;
    if (place < count && columns[place] == column)
        return false;
    memcpy(work->grown, columns, place * sizeof *columns);
    work->grown[place] = column;
    memcpy(work->grown + place + 1, columns + place, (count - place) * sizeof *columns);
    return true;
}

/* Takes the grown set of `count` columns, unless it is there, or `width` sets leave less. */
static void rank_set(const beam *work, ranking *list, size_t count, double left, size_t width)
{
    size_t place = list->count, size = work->most * sizeof *list->columns;
    while (place > 0 && left < list->left[place - 1] * (1.0 - 1e-9))
        place--;
    if (place >= width)
        return;
    for (size_t i = place; i-- > 0 && list->left[i] >= left * (1.0 - 1e-6);)
        if (memcmp(list->columns + i * work->most, work->grown, count * sizeof *work->grown) == 0)
            return;
    size_t moved = (list->count < width ? list->count++ : width - 1) - place;
    memmove(list->left + place + 1, list->left + place, moved * sizeof *list->left);
    memmove(list->columns + (place + 1) * work->most, list->columns + place * work->most, moved * size);
    memcpy(list->columns + place * work->most, work->grown, count * sizeof *work->grown);
    list->left[place] = left;
}

/* All sets with one event more than those of `from`, which have `count`. */
static void grow_all(beam *work, const ranking *from, size_t count, ranking *next)
{
    size_t width = count == 0 ? next->capacity : WIDTH;
    next->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        const size_t *columns = from->columns + i * work->most;
        double whole = lay_out(work, columns, count);
        if (whole < 0.0)
            continue;
        share_all(work, columns, count);
        for (size_t k = 0; k < work->pool->columns; k++) {
            const double *shared = work->shared + k * count;
            double own = product_of(work, k, k), rest = own - cm_vector_dot(shared, shared, count);
            double along = work->along[k] - cm_vector_dot(shared, work->part, count);
            if (rest > independent_square * own && grow_set(work, columns, count, k))
                rank_set(work, next, count + 1, sqrt(fmax(0.0, whole - along * along / rest)), width);
        }
    }
}

/* Hands the sets that leave least of the metric over, until one is taken. */
static cm_status try_best(const beam *work, const ranking *list, size_t count, cm_take_events take, void *context,
                          bool *stop, cm_error *error)
{
    cm_status status = CM_OK;
    double least = sqrt((double)work->pool->exact); /* more is off by more than a limit somewhere */
    for (size_t i = 0; i < list->count && i < MOST_TRIES && list->left[i] <= least && status == CM_OK && !*stop; i++) {
        for (size_t k = 0; k < count; k++)
            work->grown[k] = work->pool->events[list->columns[i * work->most + k]];
        status = take(context, work->grown, count, stop, error);
    }
    return status;
}

cm_status cm_find_few(const cm_pool *pool, size_t most, cm_take_events take, void *context, cm_error *error)
{
    beam work = {.pool = pool, .most = most < pool->columns ? most : pool->columns};
    bool stop = false;
    if (work.most == 0)
        return CM_OK;
    cm_status status = allocate_beam(&work, error);
    work.rankings[0].count = 1; /* the empty set */
    for (size_t count = 0; count < work.most && status == CM_OK && !stop; count++) {
        ranking *next = &work.rankings[(count + 1) % 2];
        grow_all(&work, &work.rankings[count % 2], count, next);
        if (count > 0) /* those of one were tried */
            status = try_best(&work, next, count + 1, take, context, &stop, error);
    }
    clear_beam(&work);
    return status;
}
