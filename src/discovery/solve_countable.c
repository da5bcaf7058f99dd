/* Among definitions that hold, one whose events can be counted together wins: of those that refuse each other each is
 * left out in turn, and the metric solved without it, until a definition comes out that one event set takes. */
#include "discovery/results.h"

/* Definitions that are looked at for one metric: each is solved anew. */
enum { MOST_SEARCHED = 24 };

typedef struct search {
    const cm_benchmark_result *result;
    size_t metric, most;
    bool *usable;
    size_t left;          /* definitions that may still be solved */
    cm_solution *counted; /* the first that can be counted; none yet: without terms */
} search;

/* Asks or tries whether the solution's events can be counted together. */
static cm_status ask_together(const cm_benchmark_result *result, const cm_solution *solution,
                              cm_counted_together *together, bool *refusing, cm_error *error)
{
    const cm_problem *problem = &result->evidence->problem;
    size_t *events = calloc(solution->count + 1, sizeof *events);
    if (events == NULL)
        return cm_error_no_memory(error);
    for (size_t k = 0; k < solution->count; k++)
        events[k] = problem->events[solution->terms[k].event].index;
    const cm_event_group group = {.analysis = result->analysis, .count = solution->count, .events = events};
    cm_status status = cm_tried_sets_ask(result->tried, &group, together, refusing, error);
    free(events);
    return status;
}

static cm_status look_at(search *work, cm_solution *next, cm_error *error);

/* Solves without each of the refusing events in turn, until one solution can be counted. */
static cm_status search_without(search *work, const cm_solution *refused, const bool *refusing, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t k = 0; status == CM_OK && work->counted->count == 0 && k < refused->count && work->left > 0; k++) {
        cm_solution next = {0};
        if (!refusing[k])
            continue;
        work->left--;
        work->usable[refused->terms[k].event] = false;
        status = look_at(work, &next, error);
        work->usable[refused->terms[k].event] = true;
        cm_solution_clear(&next);
    }
    return status;
}

/* Solves by the events that are usable now; what holds and can be counted is taken out of `next`. */
static cm_status look_at(search *work, cm_solution *next, cm_error *error)
{
    const cm_evidence *evidence = work->result->evidence;
    cm_counted_together together = CM_TOGETHER_UNKNOWN;
    cm_status status =
        cm_solve_metric(&evidence->problem, &evidence->targets[work->metric], work->usable, work->most, next, error);
    if (status != CM_OK || next->count == 0 || !cm_solution_holds(next))
        return status;
    bool *refusing = calloc(next->count + 1, sizeof *refusing);
    status =
        refusing != NULL ? ask_together(work->result, next, &together, refusing, error) : cm_error_no_memory(error);
    if (status == CM_OK && together == CM_TOGETHER_YES)
        cm_solution_exchange(next, work->counted);
    else if (status == CM_OK && together == CM_TOGETHER_NO)
        status = search_without(work, next, refusing, error);
    free(refusing);
    return status;
}

cm_status cm_solve_countable(const cm_benchmark_result *result, size_t metric, const bool *usable, size_t most,
                             cm_solution *solution, cm_error *error)
{
    size_t count = result->evidence->problem.event_count;
    cm_solution counted = {0};
    search work = {result, metric, most, malloc(count + 1), MOST_SEARCHED, &counted};
    if (work.usable == NULL)
        return cm_error_no_memory(error);
    memset(work.usable, true, count + 1);
    if (usable != NULL)
        memcpy(work.usable, usable, count);
    cm_status status = look_at(&work, solution, error);
    if (status == CM_OK && counted.count > 0)
        cm_solution_exchange(&counted, solution);
    cm_solution_clear(&counted);
    free(work.usable);
    return status;
}

/* ---- stand-ins for a term ---- */

static void move_to(cm_equivalent_event *list, size_t from, size_t to)
{
    cm_equivalent_event moved = list[from];
    memmove(list + to + 1, list + to, (from - to) * sizeof *list);
    list[to] = moved;
}

cm_status cm_order_stand_ins(const cm_benchmark_result *result, const cm_fit *fit, size_t term,
                             struct cm_term_equivalents *found, cm_error *error)
{
    size_t first = 0, looked_at = found->count < CM_LISTED_EQUIVALENTS ? found->count : CM_LISTED_EQUIVALENTS;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && result->tried != NULL && i < looked_at; i++) {
        cm_counted_together together = CM_TOGETHER_UNKNOWN;
        cm_event_group group = cm_fit_group(result, fit);
        group.replaces = true;
        group.place = term;
        group.by = found->list[i].event;
        status = cm_tried_sets_ask(result->tried, &group, &together, NULL, error);
        if (status == CM_OK && together != CM_TOGETHER_NO)
            move_to(found->list, i, first++);
    }
    return status;
}
