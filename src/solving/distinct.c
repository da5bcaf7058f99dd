/* Events to choose from: of those that count the same one. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "solving/problem.h"

enum { MOST_EVENTS = 320 };
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

cm_status cm_distinct_events(const cm_problem *problem, const bool *usable, bool controls, size_t **events,
                             size_t *count, cm_error *error)
{
    size_t most = problem->event_count < MOST_EVENTS ? problem->event_count : MOST_EVENTS;
    size_t *list = malloc((most + 1) * sizeof *list);
    if (list == NULL)
        return cm_error_no_memory(error);
    *count = 0;
    for (size_t i = 0; i < problem->event_count && *count < most; i++)
        if (usable[i] && problem->events[i].norm > 0.0 && is_new(problem, list, *count, i, controls))
            list[(*count)++] = i;
    *events = list;
    return CM_OK;
}
