/* At most so many events whose sum is near a metric in its symbols: sets grow by one event at a time, and those that
 * leave the least of the metric go on (a beam). All single events go on, so that of pairs none is missed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linear.h"
#include "analysis/vector.h"
#include "core/error.h"
#include "solving/problem.h"

enum { WIDTH = 64, MOST_TRIES = 32 };
static const double independent = 1e-9;

/* Sets of as many events each, by what they leave of the signature, in limits. */
typedef struct ranking {
    size_t count, room;
    size_t *columns; /* `most` a set, ascending */
    double *left;
} ranking;

typedef struct beam {
    const cm_problem *problem;
    const cm_target *target;
    size_t most, columns;
    size_t *places;            /* of the columns in the problem's events */
    double *vectors;           /* columns x symbols, in limits */
    double *directions, *rest; /* of the set that grows: most + 1 vectors, one vector */
    size_t *grown;             /* room for a set */
    ranking rankings[2];
} beam;

static void clear(beam *work)
{
    free(work->places);
    free(work->vectors);
    free(work->directions);
    free(work->grown);
    for (int i = 0; i < 2; i++) {
        free(work->rankings[i].columns);
        free(work->rankings[i].left);
    }
}

static bool make_rankings(beam *work)
{
    bool made = true;
    for (int i = 0; i < 2; i++) {
        ranking *list = &work->rankings[i];
        list->room = work->columns > WIDTH ? work->columns : WIDTH;
        list->columns = calloc((list->room + 1) * work->most, sizeof *list->columns);
        list->left = calloc(list->room + 1, sizeof *list->left);
        made &= list->columns != NULL && list->left != NULL;
    }
    return made;
}

static cm_status make_room(beam *work, const bool *usable, bool with_controls, cm_error *error)
{
    const cm_problem *problem = work->problem;
    size_t symbols = problem->symbols;
    cm_status status =
        cm_distinct_events(problem, work->target, usable, with_controls, &work->places, &work->columns, error);
    if (status != CM_OK)
        return status;
    work->vectors = malloc((work->columns + 1) * symbols * sizeof *work->vectors);
    work->directions = malloc((work->most + 2) * symbols * sizeof *work->directions);
    work->grown = malloc((work->most + 1) * sizeof *work->grown);
    if (work->vectors == NULL || work->directions == NULL || work->grown == NULL || !make_rankings(work))
        return cm_error_no_memory(error);
    work->rest = work->directions + (work->most + 1) * symbols;
    for (size_t k = 0; k < work->columns; k++)
        for (size_t j = 0; j < symbols; j++)
            work->vectors[k * symbols + j] = problem->events[work->places[k]].x[j] / work->target->symbol_limits[j];
    return CM_OK;
}

/* Directions and rest of a set; false where its events depend on each other. */
static bool lay_out(beam *work, const size_t *columns, size_t count)
{
    size_t symbols = work->problem->symbols;
    for (size_t i = 0; i < count; i++) {
        memcpy(work->directions + i * symbols, work->vectors + columns[i] * symbols, symbols * sizeof(double));
        if (!cm_extend_directions(work->directions, i, symbols, independent))
            return false;
    }
    for (size_t j = 0; j < symbols; j++)
        work->rest[j] = work->target->signature[j] / work->target->symbol_limits[j];
    cm_orthogonalise(work->rest, work->directions, count, symbols);
    return true;
}

/* `grown`: the set with one column more, in order. False where it has the column. */
static bool grow(beam *work, const size_t *columns, size_t count, size_t column)
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
static void rank(const beam *work, ranking *list, size_t count, double left, size_t width)
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
    size_t symbols = work->problem->symbols, width = count == 0 ? next->room : WIDTH;
    next->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        const size_t *columns = from->columns + i * work->most;
        if (!lay_out(work, columns, count))
            continue;
        double whole = cm_vector_dot(work->rest, work->rest, symbols), *part = work->directions + count * symbols;
        for (size_t k = 0; k < work->columns; k++) {
            memcpy(part, work->vectors + k * symbols, symbols * sizeof *part);
            if (!cm_extend_directions(work->directions, count, symbols, independent) || !grow(work, columns, count, k))
                continue;
            double along = cm_vector_dot(part, work->rest, symbols);
            rank(work, next, count + 1, sqrt(fmax(0.0, whole - along * along)), width);
        }
    }
}

static cm_status try_best(const beam *work, const ranking *list, size_t count, cm_take_events take, void *context,
                          bool *stop, cm_error *error)
{
    cm_status status = CM_OK;
    double least = sqrt((double)work->problem->symbols); /* more is off by more than a limit somewhere */
    for (size_t i = 0; i < list->count && i < MOST_TRIES && list->left[i] <= least && status == CM_OK && !*stop; i++) {
        for (size_t k = 0; k < count; k++)
            work->grown[k] = work->places[list->columns[i * work->most + k]];
        status = take(context, work->grown, count, stop, error);
    }
    return status;
}

cm_status cm_find_few(const cm_problem *problem, const cm_target *target, const bool *usable, size_t most,
                      bool with_controls, cm_take_events take, void *context, cm_error *error)
{
    beam work = {.problem = problem, .target = target, .most = most < problem->symbols ? most : problem->symbols};
    bool stop = false;
    cm_status status = make_room(&work, usable, with_controls, error);
    work.rankings[0].count = 1; /* the empty set */
    for (size_t count = 0; count < work.most && status == CM_OK && !stop; count++) {
        ranking *next = &work.rankings[(count + 1) % 2];
        grow_all(&work, &work.rankings[count % 2], count, next);
        status = try_best(&work, next, count + 1, take, context, &stop, error);
    }
    clear(&work);
    return status;
}
