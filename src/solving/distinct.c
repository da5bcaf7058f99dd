/* Events to choose from: of those that count the same one. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "solving/problem.h"

enum { GRADES = 64 };
static const double same = 1e-9, same_count = 1e-6;

static bool counts_alike(const cm_problem *problem, const cm_usable_event *one, const cm_usable_event *other,
                         bool controls)
{
    for (size_t j = 0; j < problem->symbols; j++)
        if (fabs(one->x[j] - other->x[j]) > same * one->norm)
            return false;
    for (size_t r = problem->fitted; controls && r < problem->rows; r++)
        if (!(fabs(one->mean[r] - other->mean[r]) <= same_count * (fabs(one->mean[r]) + one->norm)))
            return false;
    return true;
}

static bool is_new(const cm_problem *problem, const size_t *events, size_t count, size_t event, bool controls)
{
    for (size_t i = 0; i < count; i++)
        if (counts_alike(problem, &problem->events[events[i]], &problem->events[event], controls))
            return false;
    return true;
}

/* An event among many, and how much of what it counts the metric has: the first of like ones stays the first. */
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

/* Of its squares those in symbols that the metric has; what it counts on a control where the metric is none is of no
 * use either. */
static int share_of(const cm_problem *problem, const cm_target *target, const cm_usable_event *event, bool controls)
{
    double inside = 0.0, outside = 0.0, stray = 0.0;
    for (size_t j = 0; j < problem->symbols; j++)
        *(target->signature[j] != 0.0 ? &inside : &outside) += event->x[j] * event->x[j];
    for (size_t r = problem->fitted; controls && r < problem->rows; r++)
        if (target->low[r] == 0.0 && target->high[r] == 0.0 && !isnan(event->mean[r]))
            stray = fmax(stray, event->mean[r] * event->mean[r]);
    double all = inside + outside + stray;
    return all > 0.0 ? (int)rint(GRADES * inside / all) : 0;
}

/* Those that are usable: where there are many, those first of which the metric has most. */
static size_t list_candidates(const cm_problem *problem, const cm_target *target, const bool *usable, bool controls,
                              candidate *list)
{
    size_t count = 0;
    bool many = problem->event_count > CM_MANY_EVENTS;
    for (size_t i = 0; i < problem->event_count; i++)
        if (usable[i] && (problem->events[i].norm > 0.0 || problem->events[i].cancels))
            list[count++] = (candidate){i, many ? share_of(problem, target, &problem->events[i], controls) : 0};
    if (many)
        qsort(list, count, sizeof *list, compare_candidates);
    return count;
}

cm_status cm_distinct_events(const cm_problem *problem, const cm_target *target, const bool *usable, bool controls,
                             size_t **events, size_t *count, cm_error *error)
{
    size_t most = problem->event_count < CM_MANY_EVENTS ? problem->event_count : CM_MANY_EVENTS;
    size_t *list = malloc((most + 1) * sizeof *list);
    candidate *candidates = malloc((problem->event_count + 1) * sizeof *candidates);
    bool made = list != NULL && candidates != NULL;
    size_t all = made ? list_candidates(problem, target, usable, controls, candidates) : 0;
    *count = 0;
    for (size_t i = 0; i < all && *count < most; i++)
        if (is_new(problem, list, *count, candidates[i].event, controls))
            list[(*count)++] = candidates[i].event;
    free(candidates);
    if (made) {
        qsort(list, *count, sizeof *list, compare_places);
        *events = list;
        return CM_OK;
    }
    free(list);
    return cm_error_no_memory(error);
}
