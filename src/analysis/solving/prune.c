/* Which terms a definition can do without. */
#include <math.h>
#include <stdlib.h>

#include "analysis/numerics.h"
#include "core/base.h"
#include "analysis/solving/problem.h"

bool cm_solution_is_usable(const cm_solution *solution)
{
    return solution->count > 0 && solution->verdict.refusal == CM_REFUSED_NOT;
}

bool cm_solution_holds(const cm_solution *solution)
{
    return cm_solution_is_usable(solution) && solution->verdict.share >= 1.0;
}

/* A number that is none of the simple ones stays beside itself. */
static bool is_simple(double number)
{
    const double beside = 1e-10, width = 1e-9, same = 1e-12;
    return fabs(cm_simplest(number * (1.0 + beside), width * fabs(number)) - number) <= same * fabs(number);
}

bool cm_are_simple(const cm_term *terms, size_t count)
{
    bool simple = true;
    for (size_t k = 0; k < count; k++)
        simple &= is_simple(terms[k].coefficient);
    return simple;
}

static bool subtracts(const cm_term *terms, size_t count)
{
    bool found = false;
    for (size_t k = 0; k < count; k++)
        found |= terms[k].coefficient < 0.0;
    return found;
}

bool cm_cancels_exactly(const cm_term *terms, size_t count)
{
    return !subtracts(terms, count) || cm_are_simple(terms, count);
}

/* Of definitions that hold in as many tenths of programs, the one with fewer terms wins, then a sum before a
 * difference, whose noise may be that of counts that are much more frequent than the metric. */
static bool holds_in_more(const cm_solution *one, const cm_solution *other)
{
    double tenths = rint(10.0 * one->verdict.share) - rint(10.0 * other->verdict.share);
    if (tenths != 0.0)
        return tenths > 0.0;
    if (one->count != other->count)
        return one->count < other->count;
    bool difference = subtracts(one->terms, one->count);
    if (difference != subtracts(other->terms, other->count))
        return !difference;
    return one->verdict.share > other->verdict.share;
}

bool cm_solution_is_better(const cm_solution *one, const cm_solution *other)
{
    bool exact = cm_are_simple(one->terms, one->count);
    if (cm_solution_is_usable(one) != cm_solution_is_usable(other))
        return cm_solution_is_usable(one);
    if (cm_solution_is_usable(one) && exact != cm_are_simple(other->terms, other->count))
        return exact;
    if (cm_solution_is_usable(one))
        return holds_in_more(one, other);
    if (one->count == 0 || other->count == 0)
        return one->count > 0 && other->count == 0;
    return one->verdict.ratio < other->verdict.ratio * (1.0 - 1e-9); /* rounding errors decide nothing */
}

void cm_solution_exchange(cm_solution *one, cm_solution *other)
{
    cm_solution kept = *one;
    *one = *other;
    *other = kept;
}

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

static size_t without(const cm_solution *solution, size_t term, size_t *events)
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
    size_t count = without(solution, term, events);
    cm_status status = cm_refit(problem, target, events, count, &fewer, error);
    *fewer_hold = status == CM_OK && cm_solution_is_usable(&fewer) && fewer.verdict.share >= solution->verdict.share;
    if (*fewer_hold)
        cm_solution_exchange(&fewer, solution);
    cm_solution_clear(&fewer);
    return status;
}

cm_status cm_prune(const cm_problem *problem, const cm_target *target, cm_solution *solution, cm_error *error)
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
