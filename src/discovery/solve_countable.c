/* Among definitions that hold, one whose events can be counted together wins: of those that refuse each other each is
 * left out in turn, and the metric solved without it, until a definition comes out that one event set takes. */
#include "discovery/results.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* Definitions that are looked at for one metric: each is solved anew. */
enum { MOST_SEARCHED = 24 };

typedef struct search {
    const cm_benchmark_result *result;
    size_t metric, most;
    bool *usable;
    size_t left; /* definitions that may still be solved */
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

static cm_status search_without(search *work, const cm_solution *refused, const bool *refusing, cm_solution *best,
                                bool *found, cm_error *error);

/* Looks at the definition by the events that are usable now. */
static cm_status look_at_next(search *work, cm_solution *best, bool *found, cm_error *error)
{
    const cm_evidence *evidence = work->result->evidence;
    cm_solution next = {0};
    cm_counted_together together = CM_TOGETHER_UNKNOWN;
    cm_status status =
        cm_solve_metric(&evidence->problem, &evidence->targets[work->metric], work->usable, work->most, &next, error);
    bool *refusing = calloc(next.count + 1, sizeof *refusing);
    if (status == CM_OK && refusing == NULL)
        status = cm_error_no_memory(error);
    bool holds = status == CM_OK && next.count > 0 && cm_solution_holds(&next);
    if (holds)
        status = ask_together(work->result, &next, &together, refusing, error);
    *found = status == CM_OK && holds && together == CM_TOGETHER_YES;
    if (*found)
        cm_solution_exchange(&next, best);
    else if (status == CM_OK && holds && together == CM_TOGETHER_NO)
        status = search_without(work, &next, refusing, best, found, error);
    free(refusing);
    cm_solution_clear(&next);
    return status;
}

/* Solves without each of the refusing events in turn, until one solution can be counted. */
static cm_status search_without(search *work, const cm_solution *refused, const bool *refusing, cm_solution *best,
                                bool *found, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t k = 0; status == CM_OK && !*found && k < refused->count && work->left > 0; k++) {
        if (!refusing[k])
            continue;
        work->left--;
        work->usable[refused->terms[k].event] = false;
        status = look_at_next(work, best, found, error);
        work->usable[refused->terms[k].event] = true;
    }
    return status;
}

/* Exchanges the solution for one that can be counted. */
static cm_status find_other(const cm_benchmark_result *result, size_t metric, const bool *usable, size_t most,
                            const bool *refusing, cm_solution *solution, cm_error *error)
{
    size_t count = result->evidence->problem.event_count;
    search work = {result, metric, most, malloc(count + 1), MOST_SEARCHED};
    cm_solution best = {0};
    bool found = false;
    if (work.usable == NULL)
        return cm_error_no_memory(error);
    memset(work.usable, true, count + 1);
    if (usable != NULL)
        memcpy(work.usable, usable, count);
    cm_status status = search_without(&work, solution, refusing, &best, &found, error);
    if (status == CM_OK && found)
        cm_solution_exchange(&best, solution);
    cm_solution_clear(&best);
    free(work.usable);
    return status;
}

cm_status cm_solve_countable(const cm_benchmark_result *result, size_t metric, const bool *usable, size_t most,
                             cm_solution *solution, cm_error *error)
{
    const cm_evidence *evidence = result->evidence;
    cm_counted_together together = CM_TOGETHER_UNKNOWN;
    cm_status status = cm_solve_metric(&evidence->problem, &evidence->targets[metric], usable, most, solution, error);
    if (status != CM_OK || solution->count == 0 || !cm_solution_holds(solution))
        return status;
    bool *refusing = calloc(solution->count + 1, sizeof *refusing);
    status = refusing != NULL ? ask_together(result, solution, &together, refusing, error) : cm_error_no_memory(error);
    if (status == CM_OK && together == CM_TOGETHER_NO)
        status = find_other(result, metric, usable, most, refusing, solution, error);
    free(refusing);
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
