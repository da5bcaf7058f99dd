/* Drops the terms that a definition can do without. */
#include <math.h>

#include "core/base.h"
#include "analysis/solving/problem.h"

static double contribution(const cm_problem *problem, const cm_term *term)
{
    return fabs(term->coefficient) * problem->events[term->event].norm;
}

/* The term that contributes least but for `rank` others. */
static size_t term_of_rank(const cm_problem *problem, const cm_solution *solution, size_t rank)
{
    for (size_t k = 0; k < solution->count; k++) {
        double own = contribution(problem, &solution->terms[k]);
        size_t place = 0;
        for (size_t j = 0; j < solution->count; j++) {
            double other = contribution(problem, &solution->terms[j]);
            place += other < own || (other == own && j < k);
        }
        if (place == rank)
            return k;
    }
    return 0;
}

static size_t events_without(const cm_solution *solution, size_t term, size_t *events)
{
    size_t kept = 0;
    for (size_t k = 0; k < solution->count; k++)
        if (k != term)
            events[kept++] = solution->terms[k].event;
    return kept;
}

/* Replaces the solution by one without a term, if that holds as well. */
static cm_status try_without(const cm_problem *problem, const cm_target *target, size_t term, size_t *events,
                             cm_solution *solution, bool *fewer_hold, cm_error *error)
{
    cm_solution fewer = {0};
    size_t count = events_without(solution, term, events);
    cm_status status = cm_refit_events(problem, target, events, count, &fewer, error);
    *fewer_hold = status == CM_OK && cm_solution_is_usable(&fewer) && fewer.verdict.share >= solution->verdict.share;
    if (*fewer_hold)
        cm_solution_exchange(&fewer, solution);
    cm_solution_clear(&fewer);
    return status;
}

cm_status cm_prune_solution(const cm_problem *problem, const cm_target *target, cm_solution *solution, cm_error *error)
{
    size_t *events = malloc((solution->count + 1) * sizeof *events);
    cm_status status = events != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t rank = 0;
         status == CM_OK && cm_solution_is_usable(solution) && solution->count > 1 && rank < solution->count;) {
        bool gone = false;
        size_t term = term_of_rank(problem, solution, rank);
        status = try_without(problem, target, term, events, solution, &gone, error);
        rank += !gone;
    }
    free(events);
    return status;
}
