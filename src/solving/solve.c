/* The definition of one metric: what is tried, and in which order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linear.h"
#include "analysis/rules.h"
#include "analysis/vector.h"
#include "core/error.h"
#include "solving/problem.h"

enum { MOST_SINGLES = 64 };

typedef struct attempt {
    const cm_problem *problem;
    const cm_target *target;
    const bool *usable; /* one a place */
    size_t most;        /* terms; 0: any number */
    cm_solution *best;
} attempt;

/* Solves over these events and keeps what is better. */
static cm_status try_events(attempt *work, const size_t *events, size_t count, cm_error *error)
{
    cm_solution now = {0};
    cm_status status = cm_refit(work->problem, work->target, events, count, &now, error);
    if (status == CM_OK)
        status = cm_prune(work->problem, work->target, &now, error);
    if (status == CM_OK && (work->most == 0 || now.count <= work->most) && cm_solution_is_better(&now, work->best))
        cm_solution_exchange(&now, work->best);
    cm_solution_clear(&now);
    return status;
}

/* ---- one event ---- */

typedef struct single {
    size_t event;
    double noise, nearness;
    double power; /* of two, in sixteenths: how far the factor is from 1 */
} single;

static int compare_singles(const void *left, const void *right)
{
    const single *a = left, *b = right;
    if (a->noise != b->noise)
        return a->noise < b->noise ? -1 : 1;
    if (a->nearness != b->nearness)
        return a->nearness < b->nearness ? -1 : 1;
    if (a->power != b->power)
        return a->power < b->power ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

/* How far the nearest multiple of the event is from the signature, relative. */
static double distance(const cm_problem *problem, const cm_target *target, const cm_usable_event *event)
{
    size_t symbols = problem->symbols;
    double size = cm_vector_norm(target->signature, symbols), squares = 0.0;
    double factor = cm_vector_factor(target->signature, event->x, symbols);
    for (size_t j = 0; j < symbols; j++)
        squares += pow(factor * event->x[j] - target->signature[j], 2.0);
    return sqrt(squares) / size;
}

/* Noise by which single events are ordered. How large it is, is chance itself: not it decides which of two like events
 * is the definition, only whether it is little, some, or more than that. */
static double rank_of_noise(double noise, double tolerance)
{
    if (noise <= cm_the_rules.little * tolerance)
        return 0.0;
    return fmax(noise, cm_the_rules.some * tolerance);
}

static single make_single(const cm_problem *problem, const cm_target *target, size_t place, double far)
{
    const cm_usable_event *event = &problem->events[place];
    double factor = cm_vector_factor(target->signature, event->x, problem->symbols);
    return (single){place, rank_of_noise(event->noise, problem->tolerance),
                    far <= cm_the_rules.little * problem->tolerance ? 0.0 : far, rint(16.0 * fabs(log2(fabs(factor))))};
}

static cm_status try_singles(attempt *work, cm_error *error)
{
    const cm_problem *problem = work->problem;
    single *list = malloc((problem->event_count + 1) * sizeof *list);
    size_t count = 0;
    if (list == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < problem->event_count; i++) {
        const cm_usable_event *event = &problem->events[i];
        double far = work->usable[i] && event->norm > 0.0 ? distance(problem, work->target, event) : INFINITY;
        if (far < 2.0 * cm_the_rules.tolerances * problem->tolerance)
            list[count++] = make_single(problem, work->target, i, far);
    }
    qsort(list, count, sizeof *list, compare_singles);
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < count && i < MOST_SINGLES && !cm_solution_holds(work->best); i++)
        status = try_events(work, &list[i].event, 1, error);
    free(list);
    return status;
}

/* ---- several ---- */

static cm_status try_selected(attempt *work, cm_error *error)
{
    const cm_problem *problem = work->problem;
    size_t *events = malloc((problem->selected_count + 1) * sizeof *events), count = 0;
    if (events == NULL)
        return cm_error_no_memory(error);
    for (size_t k = 0; k < problem->selected_count; k++)
        if (work->usable[problem->selected[k]])
            events[count++] = problem->selected[k];
    cm_status status = count > 0 ? try_events(work, events, count, error) : CM_OK;
    free(events);
    return status;
}

static cm_status take(void *context, const size_t *events, size_t count, bool *stop, cm_error *error)
{
    attempt *work = context;
    cm_status status = try_events(work, events, count, error);
    *stop = cm_solution_holds(work->best);
    return status;
}

static bool is_exact(const cm_usable_event *event)
{
    return event->noise <= cm_the_rules.exact || isnan(event->noise);
}

/* Whether any combination of the events may meet the symbols' limits: what of the signature lies outside of their span
 * is no longer than these. */
static cm_status is_possible(const attempt *work, const bool *usable, bool *possible, cm_error *error)
{
    const cm_problem *problem = work->problem;
    size_t symbols = problem->symbols, count = 0;
    double *directions = calloc((symbols + 1) * symbols, sizeof *directions);
    if (directions == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < problem->event_count && count < symbols; i++) {
        memcpy(directions + count * symbols, problem->events[i].x, symbols * sizeof *directions);
        count += usable[i] && cm_extend_directions(directions, count, symbols, 1e-12);
    }
    double *part = directions + count * symbols;
    memcpy(part, work->target->signature, symbols * sizeof *part);
    cm_orthogonalise(part, directions, count, symbols);
    *possible = cm_vector_norm(part, symbols) <= cm_vector_norm(work->target->symbol_limits, symbols);
    free(directions);
    return CM_OK;
}

static cm_status search(attempt *work, const bool *usable, cm_error *error)
{
    bool possible = false;
    cm_status status = is_possible(work, usable, &possible, error);
    if (status == CM_OK && possible)
        status =
            cm_find_sparse(work->problem, work->target, usable, cm_the_rules.solve_with_controls, take, work, error);
    return status;
}

/* Whether the event counts nothing that the metric does not have. */
static bool is_within(const attempt *work, const cm_usable_event *event)
{
    double most = 0.0;
    for (size_t j = 0; j < work->problem->symbols; j++)
        if (work->target->signature[j] == 0.0)
            most = fmax(most, fabs(event->x[j]));
    return most <= work->problem->tolerance * event->norm;
}

/* Likewise on controls alone, within what a definition may be off there. */
static bool is_clean(const attempt *work, size_t place)
{
    const cm_problem *problem = work->problem;
    const cm_target *target = work->target;
    const cm_usable_event *event = &problem->events[place];
    const cm_term term = {place, target->smallest / event->norm};
    bool clean = event->norm > 0.0;
    for (size_t r = problem->fitted; clean && r < problem->rows; r++)
        clean = target->low[r] != 0.0 || target->high[r] != 0.0 || isnan(event->mean[r]) ||
                fabs(term.coefficient * event->mean[r]) <= cm_limit_on(problem, target, &term, 1, r);
    return clean;
}

/* Among hundreds of events those that count nothing beside the metric come first, then those that do so in symbols
 * alone, where a hit is a miss less: sums of others that cancel are too many to be tried. */
static cm_status try_clean(attempt *work, cm_error *error)
{
    const cm_problem *problem = work->problem;
    if (problem->event_count <= CM_MANY_EVENTS)
        return CM_OK;
    bool *clean = calloc(2 * problem->event_count + 1, sizeof *clean), *within = clean + problem->event_count;
    if (clean == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < problem->event_count; i++) {
        clean[i] = work->usable[i] && is_clean(work, i);
        within[i] = clean[i] && is_within(work, &problem->events[i]);
    }
    cm_status status = search(work, within, error);
    if (status == CM_OK && !cm_solution_holds(work->best))
        status = search(work, clean, error);
    free(clean);
    return status;
}

/* Exact events first: a noisy one may hide what it counts beside the metric. */
static cm_status try_sparse(attempt *work, cm_error *error)
{
    const cm_problem *problem = work->problem;
    bool *tier = calloc(problem->event_count + 1, sizeof *tier);
    size_t exact = 0, all = 0;
    if (tier == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < problem->event_count; i++) {
        tier[i] = work->usable[i] && is_exact(&problem->events[i]);
        exact += tier[i];
        all += work->usable[i];
    }
    cm_status status = try_clean(work, error);
    if (status == CM_OK && !cm_solution_holds(work->best) && exact > 0 && exact < all)
        status = search(work, tier, error);
    if (status == CM_OK && !cm_solution_holds(work->best))
        status = search(work, work->usable, error);
    free(tier);
    return status;
}

/* Whether so many controls need the last term, which only cancels, that no other event would do as well. */
static bool is_needed(const cm_problem *problem, const cm_target *target, const cm_solution *solution)
{
    size_t plain = solution->count - 1, needing = 0;
    if (!problem->events[solution->terms[plain].event].cancels)
        return true;
    for (size_t r = problem->fitted; r < problem->rows; r++) {
        double value, error, limit = cm_limit_on(problem, target, solution->terms, plain, r);
        if (isnan(limit))
            continue;
        cm_value_on(problem, solution->terms, plain, r, &value, &error);
        needing += value < target->low[r] - limit || value > target->high[r] + limit;
    }
    return needing >= cm_the_rules.needing;
}

/* What no event says that counts in the benchmark, with those that count on controls alone: of an event that is the
 * metric but for these, they take that away. Only by simple numbers, and where several controls need it, since one
 * alone would be met by any event that counts there. Of many events those that are within the metric. */
static cm_status try_cancelling(attempt *work, cm_error *error)
{
    cm_problem wider = *work->problem;
    cm_solution found = {.verdict = {.refusal = CM_REFUSED_EMPTY}};
    bool *usable = calloc(cm_places(&wider) + 1, sizeof *usable), many = wider.event_count > CM_MANY_EVENTS;
    if (usable == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < cm_places(&wider); i++)
        usable[i] = work->usable[i] && (!many || is_within(work, &wider.events[i]));
    wider.event_count = cm_places(&wider);
    wider.cancelling = 0;
    attempt other = {&wider, work->target, usable, work->most, &found};
    cm_status status = search(&other, usable, error);
    if (status == CM_OK && cm_solution_holds(&found) && cm_cancels_exactly(found.terms, found.count) &&
        is_needed(&wider, work->target, &found))
        cm_solution_exchange(&found, work->best);
    cm_solution_clear(&found);
    free(usable);
    return status;
}

static bool is_sum(const cm_solution *solution)
{
    bool sum = cm_solution_holds(solution);
    for (size_t k = 0; k < solution->count; k++)
        sum &= solution->terms[k].coefficient > 0.0;
    return sum;
}

/* Of two definitions that hold the one with fewer events wins, where it is a sum: nothing cancels. */
static cm_status try_fewer(const attempt *work, cm_error *error)
{
    const cm_problem *problem = work->problem;
    cm_solution fewer = {.verdict = {.refusal = CM_REFUSED_EMPTY}};
    bool *within = calloc(problem->event_count + 1, sizeof *within);
    if (within == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < problem->event_count; i++)
        within[i] = work->usable[i] && is_within(work, &problem->events[i]);
    attempt other = {problem, work->target, within, work->most, &fewer};
    cm_status status = try_sparse(&other, error);
    if (status == CM_OK && is_sum(&fewer) && fewer.count < work->best->count)
        cm_solution_exchange(&fewer, work->best);
    cm_solution_clear(&fewer);
    free(within);
    return status;
}

static bool comes_before(const cm_problem *problem, const cm_term *one, const cm_term *other)
{
    bool added = one->coefficient > 0.0, other_added = other->coefficient > 0.0;
    if (added != other_added)
        return added;
    return problem->events[one->event].index < problem->events[other->event].index;
}

static void exchange_terms(cm_solution *solution, size_t one, size_t other)
{
    const cm_term term = solution->terms[one];
    const double solved = solution->solved[one], width = solution->widths[one];
    solution->terms[one] = solution->terms[other];
    solution->solved[one] = solution->solved[other];
    solution->widths[one] = solution->widths[other];
    solution->terms[other] = term;
    solution->solved[other] = solved;
    solution->widths[other] = width;
}

/* Terms in an order that no chance decides: those that are added first, and then as the table has their events. */
static void order_terms(const cm_problem *problem, cm_solution *solution)
{
    for (size_t k = 1; k < solution->count; k++)
        for (size_t i = k; i > 0 && comes_before(problem, &solution->terms[i], &solution->terms[i - 1]); i--)
            exchange_terms(solution, i, i - 1);
}

cm_status cm_solve_metric(const cm_problem *problem, const cm_target *target, const bool *usable, size_t most,
                          cm_solution *solution, cm_error *error)
{
    attempt work = {problem, target, usable, most, solution};
    bool *all = NULL;
    *solution = (cm_solution){.verdict = {.refusal = CM_REFUSED_EMPTY}};
    if (usable == NULL) {
        all = malloc(cm_places(problem) + 1);
        if (all == NULL)
            return cm_error_no_memory(error);
        memset(all, true, cm_places(problem) + 1);
        work.usable = all;
    }
    cm_status status = try_singles(&work, error);
    if (status == CM_OK && !cm_solution_holds(solution) && most != 1)
        status = try_selected(&work, error);
    if (status == CM_OK && !cm_solution_holds(solution) && most != 1)
        status = try_sparse(&work, error);
    else if (status == CM_OK && solution->count > 2)
        status = try_fewer(&work, error);
    if (status == CM_OK && !cm_solution_holds(solution) && most > 1)
        status = cm_find_few(problem, target, work.usable, most, cm_the_rules.solve_with_controls, take, &work, error);
    if (status == CM_OK && !cm_solution_holds(solution) && most != 1 && problem->cancelling > 0)
        status = try_cancelling(&work, error);
    free(all);
    if (status != CM_OK)
        cm_solution_clear(solution);
    else
        order_terms(problem, solution);
    return status;
}
