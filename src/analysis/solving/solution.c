/* Solutions: made and copied, whether they hold, and which of two is better. */
#include <stdlib.h>

#include "analysis/numerics.h"
#include "core/base.h"
#include "analysis/solving/problem.h"

cm_status cm_solution_create(size_t count, cm_solution *solution, cm_error *error)
{
    *solution = (cm_solution){.terms = calloc(count + 1, sizeof *solution->terms),
                              .solved = calloc(count + 1, sizeof *solution->solved),
                              .widths = calloc(count + 1, sizeof *solution->widths)};
    if (solution->terms != NULL && solution->solved != NULL && solution->widths != NULL)
        return CM_OK;
    cm_solution_clear(solution);
    return cm_error_no_memory(error);
}

cm_status cm_solution_copy(const cm_solution *from, cm_solution *copy, cm_error *error)
{
    cm_status status = cm_solution_create(from->count, copy, error);
    if (status != CM_OK)
        return status;
    copy->count = from->count;
    copy->verdict = from->verdict;
    memcpy(copy->terms, from->terms, from->count * sizeof *copy->terms);
    memcpy(copy->solved, from->solved, from->count * sizeof *copy->solved);
    memcpy(copy->widths, from->widths, from->count * sizeof *copy->widths);
    return CM_OK;
}

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

static bool subtracts_event(const cm_term *terms, size_t count)
{
    bool found = false;
    for (size_t k = 0; k < count; k++)
        found |= terms[k].coefficient < 0.0;
    return found;
}

bool cm_cancels_exactly(const cm_term *terms, size_t count)
{
    return !subtracts_event(terms, count) || cm_are_simple(terms, count);
}

/* If two definitions hold in as many tenths of programs, the one with fewer terms wins, then a sum before a difference,
 * whose noise may be that of counts that are much more frequent than the metric. */
static bool holds_in_more(const cm_solution *one, const cm_solution *other)
{
    double tenths = rint(10.0 * one->verdict.share) - rint(10.0 * other->verdict.share);
    if (tenths != 0.0)
        return tenths > 0.0;
    if (one->count != other->count)
        return one->count < other->count;
    bool difference = subtracts_event(one->terms, one->count);
    if (difference != subtracts_event(other->terms, other->count))
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

void cm_solution_clear(cm_solution *solution)
{
    free(solution->terms);
    free(solution->solved);
    free(solution->widths);
    *solution = (cm_solution){0};
}
