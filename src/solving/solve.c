/* The definition of one metric: what is tried, and in which order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static bool holds(const cm_solution *solution)
{
    return solution->count > 0 && solution->verdict.refusal == CM_REFUSED_NOT;
}

/* What is nearer to a definition: one that holds; then the one with terms that is refused latest and least. */
static bool is_better(const cm_solution *one, const cm_solution *other)
{
    if (holds(one) || holds(other))
        return holds(one) && !holds(other);
    if (one->count == 0 || other->count == 0)
        return one->count > 0 && other->count == 0;
    return one->verdict.ratio < other->verdict.ratio;
}

static void exchange(cm_solution *one, cm_solution *other)
{
    cm_solution kept = *one;
    *one = *other;
    *other = kept;
}

static double contribution(const cm_problem *problem, const cm_term *term)
{
    return fabs(term->coefficient) * problem->events[term->event].norm;
}

/* The events without the term that contributes least but for `rank` others. */
static size_t without(const attempt *work, const cm_solution *solution, size_t rank, size_t *events)
{
    const cm_problem *problem = work->problem;
    size_t kept = 0;
    for (size_t k = 0; k < solution->count; k++) {
        double own = contribution(problem, &solution->terms[k]);
        size_t place = 0;
        for (size_t j = 0; j < solution->count; j++) {
            double other = contribution(problem, &solution->terms[j]);
            place += other < own || (other == own && j < k);
        }
        if (place != rank)
            events[kept++] = solution->terms[k].event;
    }
    return kept;
}

/* Leaves out terms without which the definition holds as well, the least first. */
static cm_status prune(const attempt *work, cm_solution *solution, cm_error *error)
{
    size_t *events = malloc((solution->count + 1) * sizeof *events);
    cm_status status = events != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t rank = 0; status == CM_OK && holds(solution) && solution->count > 1 && rank < solution->count;) {
        cm_solution fewer = {0};
        size_t count = without(work, solution, rank, events);
        status = cm_refit(work->problem, work->target, events, count, &fewer, error);
        if (status == CM_OK && holds(&fewer))
            exchange(&fewer, solution);
        else
            rank++;
        cm_solution_clear(&fewer);
    }
    free(events);
    return status;
}

/* Solves over these events and keeps what is better. */
static cm_status try_events(attempt *work, const size_t *events, size_t count, cm_error *error)
{
    cm_solution now = {0};
    cm_status status = cm_refit(work->problem, work->target, events, count, &now, error);
    if (status == CM_OK)
        status = prune(work, &now, error);
    if (status == CM_OK && (work->most == 0 || now.count <= work->most) && is_better(&now, work->best))
        exchange(&now, work->best);
    cm_solution_clear(&now);
    return status;
}

/* ---- one event ---- */

typedef struct single {
    size_t event;
    double noise, nearness;
} single;

static int compare_singles(const void *left, const void *right)
{
    const single *a = left, *b = right;
    if (a->noise != b->noise)
        return a->noise < b->noise ? -1 : 1;
    if (fabs(a->nearness - b->nearness) > 1e-4)
        return a->nearness < b->nearness ? -1 : 1;
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
            list[count++] = (single){i, event->noise <= cm_the_rules.exact ? 0.0 : event->noise, far};
    }
    qsort(list, count, sizeof *list, compare_singles);
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < count && i < MOST_SINGLES && !holds(work->best); i++)
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
    *stop = holds(work->best);
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
    double *directions = malloc((symbols + 1) * symbols * sizeof *directions);
    if (directions == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < problem->event_count && count < symbols; i++) {
        memcpy(directions + count * symbols, problem->events[i].x, symbols * sizeof *directions);
        count += usable[i] && cm_vector_extend(directions, count, symbols, 1e-12);
    }
    double *part = directions + count * symbols;
    memcpy(part, work->target->signature, symbols * sizeof *part);
    cm_vector_orthogonalise(part, directions, count, symbols);
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
    cm_status status = CM_OK;
    if (exact > 0 && exact < all)
        status = search(work, tier, error);
    if (status == CM_OK && !holds(work->best))
        status = search(work, work->usable, error);
    free(tier);
    return status;
}

static double amplification(const attempt *work, const cm_solution *solution)
{
    return cm_amplification_of(work->problem, work->target, solution->terms, solution->count);
}

/* Of two definitions that hold the one with fewer events wins, unless they cancel each other. */
static cm_status try_fewer(const attempt *work, cm_error *error)
{
    cm_solution fewer = {.verdict = {.refusal = CM_REFUSED_EMPTY}};
    attempt other = *work;
    other.best = &fewer;
    cm_status status = try_sparse(&other, error);
    if (status == CM_OK && holds(&fewer) && fewer.count < work->best->count &&
        amplification(work, &fewer) <= amplification(work, work->best))
        exchange(&fewer, work->best);
    cm_solution_clear(&fewer);
    return status;
}

cm_status cm_solve_metric(const cm_problem *problem, const cm_target *target, const bool *usable, size_t most,
                          cm_solution *solution, cm_error *error)
{
    attempt work = {problem, target, usable, most, solution};
    bool *all = NULL;
    *solution = (cm_solution){.verdict = {.refusal = CM_REFUSED_EMPTY}};
    if (usable == NULL) {
        all = malloc(problem->event_count + 1);
        if (all == NULL)
            return cm_error_no_memory(error);
        memset(all, true, problem->event_count + 1);
        work.usable = all;
    }
    cm_status status = try_singles(&work, error);
    if (status == CM_OK && !holds(solution) && most != 1)
        status = try_selected(&work, error);
    if (status == CM_OK && !holds(solution) && most != 1)
        status = try_sparse(&work, error);
    else if (status == CM_OK && solution->count > 2)
        status = try_fewer(&work, error);
    if (status == CM_OK && !holds(solution) && most > 1)
        status = cm_find_few(problem, target, work.usable, most, cm_the_rules.solve_with_controls, take, &work, error);
    free(all);
    if (status != CM_OK)
        cm_solution_clear(solution);
    return status;
}
