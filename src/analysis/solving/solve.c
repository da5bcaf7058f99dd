/* The definition of one metric: the sets of events that are tried, and their order. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "core/base.h"
#include "analysis/solving/problem.h"

enum { MOST_SINGLES = 64 };

typedef struct attempt {
    const cm_problem *problem;
    const cm_target *target;
    const bool *usable; /* one an event */
    size_t most;        /* terms; 0: any number */
    cm_solution *best;
} attempt;

/* Whether so many controls need a term that is no part of the metric that no other event would do as well. Controls on
 * which its event counts alike are one, which some fraction of some event would meet: they need whole numbers, or
 * halves. */
static bool is_needed(const cm_problem *problem, const cm_target *target, const cm_solution *solution, size_t term)
{
    const cm_term *needed = &solution->terms[term];
    const cm_usable_event *event = &problem->events[needed->event];
    size_t needing = 0;
    double least = INFINITY, most = 0.0;
    for (size_t r = problem->fitted; r < problem->rows; r++) {
        double value, error, limit = cm_limit_on(problem, target, solution->terms, solution->count, r);
        if (isnan(limit))
            continue;
        cm_value_on(problem, solution->terms, solution->count, r, &value, &error);
        value -= needed->coefficient * event->mean[r];
        if (value >= target->low[r] - limit && value <= target->high[r] + limit)
            continue;
        needing++;
        least = fmin(least, event->mean[r]);
        most = fmax(most, event->mean[r]);
    }
    bool differ = most - least > cm_the_rules.alike * most;
    return (double)needing >= cm_the_rules.few &&
           (differ || 2.0 * needed->coefficient == rint(2.0 * needed->coefficient));
}

/* Whether terms without counts in the benchmark cancel counts of others on controls well: by simple numbers alone, and
 * only if several controls need them, since any event that counts there would meet one alone. */
static bool cancels_well(const cm_problem *problem, const cm_target *target, const cm_solution *solution)
{
    bool well = true;
    for (size_t k = 0; k < solution->count && well; k++)
        if (problem->events[solution->terms[k].event].norm == 0.0)
            well = cm_are_simple(solution->terms, solution->count) && is_needed(problem, target, solution, k);
    return well;
}

/* Solves over these events and keeps the better definition. */
static cm_status try_events(attempt *work, const size_t *events, size_t count, cm_error *error)
{
    cm_solution now = {0};
    cm_status status = cm_refit_events(work->problem, work->target, events, count, &now, error);
    CM_THEN(status, cm_prune_solution(work->problem, work->target, &now, error));
    bool allowed = work->most == 0 || now.count <= work->most;
    if (status == CM_OK && allowed && cancels_well(work->problem, work->target, &now) &&
        cm_solution_is_better(&now, work->best))
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

/* Orders single events: quiet before noisy, near before far. */
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

/* The relative distance of the nearest multiple of the event from the signature. */
static double distance(const cm_problem *problem, const cm_target *target, const cm_usable_event *event)
{
    size_t symbols = problem->symbols;
    double size = cm_vector_norm(target->signature, symbols), squares = 0.0;
    double factor = cm_vector_factor(target->signature, event->x, symbols);
    for (size_t j = 0; j < symbols; j++)
        squares += pow(factor * event->x[j] - target->signature[j], 2.0);
    return sqrt(squares) / size;
}

/* The noise by which single events are ordered: 0 for next to none, else no less than a definition may well have. The
 * exact size of little noise is chance, which must not choose between two like events. */
static double rank_of_noise(double noise, double tolerance)
{
    return noise <= cm_the_rules.least * tolerance ? 0.0 : fmax(noise, tolerance / cm_the_rules.sure);
}

static single make_single(const cm_problem *problem, const cm_target *target, size_t place, double far)
{
    const cm_usable_event *event = &problem->events[place];
    double factor = cm_vector_factor(target->signature, event->x, problem->symbols);
    return (single){place, rank_of_noise(event->noise, problem->tolerance),
                    far <= cm_the_rules.least * problem->tolerance ? 0.0 : far, rint(16.0 * fabs(log2(fabs(factor))))};
}

/* Tries single events that come near the metric, until one holds. */
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
        if (far < 2.0 * problem->tolerance)
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

/* Tries the events that the pivoting selected. */
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

static cm_status try_set(void *context, const size_t *events, size_t count, bool *stop, cm_error *error)
{
    attempt *work = context;
    cm_status status = try_events(work, events, count, error);
    *stop = cm_solution_holds(work->best);
    return status;
}

/* Whether any combination of the events may meet the symbols' limits: the part of the signature outside of their span
 * is no longer than these. */
static cm_status is_possible(const attempt *work, bool *possible, cm_error *error)
{
    const cm_problem *problem = work->problem;
    size_t symbols = problem->symbols, count = 0;
    double *directions = calloc((symbols + 1) * symbols, sizeof *directions);
    if (directions == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < problem->event_count && count < symbols; i++) {
        memcpy(directions + count * symbols, problem->events[i].x, symbols * sizeof *directions);
        count += work->usable[i] && cm_extend_directions(directions, count, symbols, 1e-12);
    }
    double *part = directions + count * symbols;
    memcpy(part, work->target->signature, symbols * sizeof *part);
    cm_orthogonalise(part, directions, count, symbols);
    *possible = cm_vector_norm(part, symbols) <= cm_vector_norm(work->target->symbol_limits, symbols);
    free(directions);
    return CM_OK;
}

/* A set of few events may hold as well as the others: then the one nearer to a definition stays. */
static cm_status try_few(attempt *work, const cm_pool *pool, cm_error *error)
{
    cm_solution found = {.verdict = {.refusal = CM_REFUSED_EMPTY}};
    attempt other = {work->problem, work->target, work->usable, work->most, &found};
    cm_status status =
        cm_find_few(pool, work->most == 0 ? (size_t)cm_the_rules.few : work->most, try_set, &other, error);
    if (status == CM_OK && cm_solution_is_better(&found, work->best))
        cm_solution_exchange(&found, work->best);
    cm_solution_clear(&found);
    return status;
}

/* Tries all events: few that leave the least of the metric, then any number. */
static cm_status try_pool(attempt *work, cm_error *error)
{
    cm_pool pool = {0};
    bool possible = false;
    cm_status status = is_possible(work, &possible, error);
    if (status != CM_OK || !possible)
        return status;
    status = cm_pool_make(work->problem, work->target, work->usable, &pool, error);
    CM_THEN(status, try_few(work, &pool, error));
    if (status == CM_OK && !cm_solution_holds(work->best))
        status = cm_find_sparse(&pool, try_set, work, error);
    cm_pool_clear(&pool);
    return status;
}

static bool comes_before(const cm_problem *problem, const cm_term *one, const cm_term *other)
{
    bool added = one->coefficient > 0.0, other_added = other->coefficient > 0.0;
    if (added != other_added)
        return added;
    return problem->events[one->event].index < problem->events[other->event].index;
}

/* Exchanges two terms with all that is known of them. */
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
        all = malloc(problem->event_count + 1);
        if (all == NULL)
            return cm_error_no_memory(error);
        memset(all, true, problem->event_count + 1);
        work.usable = all;
    }
    cm_status status = try_singles(&work, error);
    if (status == CM_OK && !cm_solution_holds(solution) && most != 1)
        status = try_selected(&work, error);
    if (status == CM_OK && most != 1 && (!cm_solution_holds(solution) || solution->count > 2))
        status = try_pool(&work, error);
    free(all);
    if (status != CM_OK)
        cm_solution_clear(solution);
    else
        order_terms(problem, solution);
    return status;
}
