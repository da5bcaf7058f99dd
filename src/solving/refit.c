/* The coefficients of a definition over given events. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linear.h"
#include "analysis/rounding.h"
#include "analysis/rules.h"
#include "analysis/simple.h"
#include "analysis/vector.h"
#include "core/error.h"
#include "solving/problem.h"

static const double independent = 1e-9, smallest_share = 0.01;

void cm_solution_clear(cm_solution *solution)
{
    free(solution->terms);
    free(solution->solved);
    free(solution->widths);
    *solution = (cm_solution){0};
}

/* Rows whose meaning is one number and on which every event was counted. */
static size_t choose_rows(const cm_problem *problem, const cm_target *target, const size_t *events, size_t count,
                          size_t *chosen)
{
    size_t found = 0, last = cm_the_rules.solve_with_controls ? problem->rows : problem->fitted;
    for (size_t r = 0; r < last; r++) {
        bool known = !isnan(target->low[r]) && cm_is_exact(target, r);
        for (size_t i = 0; known && i < count; i++)
            known = !isnan(problem->events[events[i]].mean[r]);
        if (known)
            chosen[found++] = r;
    }
    return found;
}

/* What a row of the joint system is measured in: symbols in their limits, exact rows, which weigh less, in theirs and
 * what noise and stray counts do to the terms there. */
static double unit_of(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                      size_t row)
{
    double value, error;
    cm_value_on(problem, terms, count, row, &value, &error);
    double limit = target->limits[row] + cm_the_rules.deviations * error + cm_slack_on(problem, terms, count, row);
    return limit / cm_the_rules.controls_weight;
}

/* Symbols above exact rows. `terms`: what is known of the solution, for the rows. */
static void fill_joint(const cm_problem *problem, const cm_target *target, const cm_term *terms, const size_t *events,
                       const size_t *rows, cm_matrix *matrix, double *right_side)
{
    size_t symbols = problem->symbols;
    for (size_t i = 0; i < matrix->rows; i++) {
        size_t row = i < symbols ? 0 : rows[i - symbols];
        double limit = i < symbols ? target->symbol_limits[i] : unit_of(problem, target, terms, matrix->columns, row);
        right_side[i] = (i < symbols ? target->signature[i] : target->low[row]) / limit;
        for (size_t k = 0; k < matrix->columns; k++) {
            const cm_usable_event *event = &problem->events[events[k]];
            *cm_matrix_at(matrix, i, k) = (i < symbols ? event->x[i] : event->mean[row]) / limit;
        }
    }
}

/* How many events are none of those that only cancel, which stand behind. */
static size_t count_plain(const cm_problem *problem, const size_t *events, size_t count)
{
    while (count > 0 && problem->events[events[count - 1]].cancels)
        count--;
    return count;
}

/* Leaves of the events those that are no combination of the ones before them; of those that only cancel the first,
 * behind all others: of several each may hide what another one leaves. */
static cm_status keep_independent(const cm_problem *problem, size_t *events, size_t *count, cm_error *error)
{
    size_t symbols = problem->symbols, kept = 0;
    double *directions = malloc((symbols + 1) * symbols * sizeof *directions);
    if (directions == NULL)
        return cm_error_no_memory(error);
    size_t none = cm_places(problem), cancels = none;
    for (size_t i = 0; i < *count && cancels == none; i++)
        cancels = problem->events[events[i]].cancels ? events[i] : none;
    for (size_t i = 0; i < *count && kept < symbols; i++) {
        memcpy(directions + kept * symbols, problem->events[events[i]].x, symbols * sizeof *directions);
        if (cm_extend_directions(directions, kept, symbols, independent))
            events[kept++] = events[i];
    }
    if (cancels != none)
        events[kept++] = cancels;
    *count = kept;
    free(directions);
    return CM_OK;
}

/* `terms`: NULL for symbols alone. */
static cm_status solve_over(const cm_problem *problem, const cm_target *target, const cm_term *terms,
                            const size_t *events, size_t count, double *coefficients, cm_error *error)
{
    cm_matrix *matrix = NULL;
    cm_least_squares *system = NULL;
    size_t *rows = malloc((problem->rows + 1) * sizeof *rows), found = 0;
    double *room = malloc((2 * (problem->rows + problem->symbols) + count) * sizeof *room);
    cm_status status = rows != NULL && room != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK) {
        found = (terms != NULL ? choose_rows(problem, target, events, count, rows) : 0) + problem->symbols;
        status = cm_matrix_create(found, count, &matrix, error);
    }
    if (status == CM_OK) {
        fill_joint(problem, target, terms, events, rows, matrix, room);
        status = cm_least_squares_create(matrix, &system, error);
    }
    if (status == CM_OK)
        cm_least_squares_solve(system, room, coefficients, room + found, room + 2 * found);
    cm_least_squares_free(system);
    cm_matrix_free(matrix);
    free(rows);
    free(room);
    return status;
}

/* By symbols alone first: that says what noise the terms have on each kernel. */
static cm_status solve_joint(const cm_problem *problem, const cm_target *target, const size_t *events, size_t count,
                             cm_solution *solution, cm_error *error)
{
    size_t plain = count_plain(problem, events, count);
    if (plain == 0) { /* none has a part in the metric */
        memset(solution->solved, 0, count * sizeof *solution->solved);
        return CM_OK;
    }
    cm_status status = solve_over(problem, target, NULL, events, plain, solution->solved, error);
    for (size_t k = 0; k < count; k++)
        solution->terms[k] = (cm_term){events[k], k < plain ? solution->solved[k] : 0.0};
    return status == CM_OK ? solve_over(problem, target, solution->terms, events, count, solution->solved, error)
                           : status;
}

/* What a term contributes, in symbols, or on the kernel where it counts most. */
static bool contributes(const cm_problem *problem, const cm_target *target, const cm_term *term)
{
    const cm_usable_event *event = &problem->events[term->event];
    double largest = 0.0;
    for (size_t r = 0; r < problem->rows; r++)
        if (!isnan(event->mean[r]))
            largest = fmax(largest, fabs(event->mean[r]));
    double contribution = fabs(term->coefficient) * fmax(event->norm, smallest_share * largest);
    return contribution > cm_the_rules.negligible * problem->tolerance * target->smallest;
}

static size_t drop_small(const cm_problem *problem, const cm_target *target, size_t *events, const double *coefficients,
                         size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (contributes(problem, target, &(cm_term){events[i], coefficients[i]}))
            events[kept++] = events[i];
    return kept;
}

/* What the standard errors of the counts do to the coefficients: P e, P the pseudo-inverse of the counts. `count`: of
 * the terms that count on fitted kernels. */
static cm_status find_widths(const cm_problem *problem, size_t count, cm_solution *solution, cm_error *error)
{
    size_t rows = problem->fitted;
    cm_matrix *counts = NULL;
    cm_least_squares *system = NULL;
    double *shares = calloc(rows * count + 2 * count + 1, sizeof *shares), *slack = shares + rows * count;
    double *bias = slack + count;
    cm_status status = shares != NULL ? cm_matrix_create(rows, count, &counts, error) : cm_error_no_memory(error);
    for (size_t k = 0; status == CM_OK && k < count; k++)
        for (size_t r = 0; r < rows; r++)
            *cm_matrix_at(counts, r, k) = problem->events[solution->terms[k].event].mean[r] / problem->payloads[r];
    if (status == CM_OK)
        status = cm_least_squares_create(counts, &system, error);
    bool solvable = status == CM_OK && cm_least_squares_dependent(system) == count;
    if (solvable)
        cm_least_squares_shares(system, shares);
    for (size_t r = 0; solvable && r < rows; r++) {
        double value, deviation;
        cm_value_on(problem, solution->terms, count, r, &value, &deviation);
        double once = cm_slack_on(problem, solution->terms, count, r);
        if (deviation == 0.0 && once == 0.0)
            continue;
        for (size_t k = 0; k < count; k++) {
            double share = shares[k * rows + r] / problem->payloads[r];
            solution->widths[k] += pow(share * deviation, 2.0);
            bias[k] += share * once;
            slack[k] += pow(share * once, 2.0);
        }
    }
    for (size_t k = 0; status == CM_OK && k < count; k++)
        solution->widths[k] = cm_the_rules.deviations * sqrt(solution->widths[k]) + fabs(bias[k]) + sqrt(slack[k]);
    cm_least_squares_free(system);
    cm_matrix_free(counts);
    free(shares);
    return status;
}

/* Of the last term, which only cancels: what the errors of all terms on the controls where it counts do to its
 * coefficient, by least squares of these in their limits. */
static double width_of_cancelling(const cm_problem *problem, const cm_target *target, const cm_solution *solution)
{
    const cm_usable_event *event = &problem->events[solution->terms[solution->count - 1].event];
    double squares = 0.0, errors = 0.0, value, error;
    for (size_t r = problem->fitted; r < problem->rows; r++) {
        double limit = cm_limit_on(problem, target, solution->terms, solution->count, r);
        if (isnan(limit) || !cm_is_exact(target, r))
            continue;
        cm_value_on(problem, solution->terms, solution->count, r, &value, &error);
        squares += pow(event->mean[r] / limit, 2.0);
        errors += pow(event->mean[r] / limit * (error / limit), 2.0);
    }
    return squares > 0.0 ? cm_the_rules.deviations * sqrt(errors) / squares : 0.0;
}

static double misfit_of(const cm_problem *problem, const cm_target *target, const cm_solution *solution)
{
    double squares = 0.0, value, error;
    for (size_t r = 0; r < problem->fitted; r++) {
        cm_value_on(problem, solution->terms, solution->count, r, &value, &error);
        squares += pow(value - target->low[r], 2.0);
    }
    return sqrt(squares) / cm_vector_norm(target->low, problem->fitted);
}

static double freely_rounded(double value)
{
    return cm_round_coefficient(value, 0.04); /* a mutation of the method */
}

static void take_solved(cm_solution *solution)
{
    for (size_t k = 0; k < solution->count; k++)
        solution->terms[k].coefficient = solution->solved[k];
}

/* Simple numbers inside the intervals. */
static void take_simple(const cm_problem *problem, const cm_target *target, cm_solution *solution)
{
    double misfit = misfit_of(problem, target, solution);
    for (size_t k = 0; k < solution->count; k++) {
        double value = solution->solved[k];
        double width = fmax(solution->widths[k], (1e-9 + 1.25 * fmin(misfit, cm_the_rules.rounding)) * fabs(value));
        solution->terms[k].coefficient = cm_the_rules.round_freely ? freely_rounded(value) : cm_simplest(value, width);
    }
}

static bool is_as_solved(const cm_solution *solution)
{
    bool same = true;
    for (size_t k = 0; k < solution->count; k++)
        same &= solution->terms[k].coefficient == solution->solved[k];
    return same;
}

/* With simple numbers, or as it is solved where only that is a definition. */
static cm_status round_solution(const cm_problem *problem, const cm_target *target, cm_solution *solution,
                                cm_error *error)
{
    take_simple(problem, target, solution);
    cm_status status = cm_give_verdict(problem, target, solution->terms, solution->count, &solution->verdict, error);
    if (status != CM_OK || cm_solution_is_usable(solution) || is_as_solved(solution))
        return status;
    take_solved(solution);
    return cm_give_verdict(problem, target, solution->terms, solution->count, &solution->verdict, error);
}

static cm_status make_room(const size_t *events, size_t count, cm_solution *solution, size_t **places, cm_error *error)
{
    *solution = (cm_solution){.terms = calloc(count + 1, sizeof *solution->terms),
                              .solved = calloc(count + 1, sizeof *solution->solved),
                              .widths = calloc(count + 1, sizeof *solution->widths)};
    *places = malloc((count + 1) * sizeof **places);
    if (solution->terms == NULL || solution->solved == NULL || solution->widths == NULL || *places == NULL) {
        cm_solution_clear(solution);
        free(*places);
        return cm_error_no_memory(error);
    }
    memcpy(*places, events, count * sizeof **places);
    return CM_OK;
}

static bool have_same(const cm_solution *one, const cm_solution *other)
{
    bool same = true;
    for (size_t k = 0; k < one->count; k++)
        same &= one->terms[k].coefficient == other->terms[k].coefficient;
    return same;
}

/* By symbols alone, where that is nearer to a definition, or nothing is one. */
static cm_status try_symbols(const cm_problem *problem, const cm_target *target, const size_t *places, size_t plain,
                             cm_solution *solution, cm_error *error)
{
    cm_solution other = {0};
    size_t *room = NULL;
    cm_status status = make_room(places, plain, &other, &room, error);
    if (status != CM_OK)
        return status;
    free(room);
    other.count = plain;
    memcpy(other.widths, solution->widths, plain * sizeof *other.widths);
    status = solve_over(problem, target, NULL, places, plain, other.solved, error);
    for (size_t k = 0; k < plain; k++)
        other.terms[k] = (cm_term){places[k], other.solved[k]};
    take_simple(problem, target, &other);
    bool same = plain == solution->count && cm_solution_is_usable(solution) && have_same(&other, solution);
    if (status == CM_OK && !same)
        status = round_solution(problem, target, &other, error);
    if (status == CM_OK && !same && (!cm_solution_is_usable(solution) || cm_solution_is_better(&other, solution)))
        cm_solution_exchange(&other, solution);
    cm_solution_clear(&other);
    return status;
}

/* Rounds what is solved. What does not hold is at least nearest to the metric in its symbols. */
static cm_status settle(const cm_problem *problem, const cm_target *target, const size_t *places, cm_solution *solution,
                        cm_error *error)
{
    size_t count = solution->count, plain = count_plain(problem, places, count);
    cm_status status = count > 0 ? find_widths(problem, plain, solution, error) : CM_OK;
    if (status == CM_OK && plain < count)
        solution->widths[plain] = width_of_cancelling(problem, target, solution);
    if (status == CM_OK)
        status = round_solution(problem, target, solution, error);
    if (status == CM_OK && plain > 0 && !cm_solution_holds(solution))
        status = try_symbols(problem, target, places, plain, solution, error);
    return status;
}

cm_status cm_refit(const cm_problem *problem, const cm_target *target, const size_t *events, size_t count,
                   cm_solution *solution, cm_error *error)
{
    size_t *places = NULL, before;
    cm_status status = make_room(events, count, solution, &places, error);
    if (status != CM_OK)
        return status;
    status = keep_independent(problem, places, &count, error);
    do {
        before = count;
        if (status == CM_OK && count > 0)
            status = solve_joint(problem, target, places, count, solution, error);
        if (status == CM_OK)
            count = drop_small(problem, target, places, solution->solved, count);
    } while (status == CM_OK && count < before);
    for (size_t k = 0; status == CM_OK && k < count; k++)
        solution->terms[k] = (cm_term){places[k], solution->solved[k]};
    solution->count = count;
    if (status == CM_OK)
        status = settle(problem, target, places, solution, error);
    free(places);
    if (status != CM_OK)
        cm_solution_clear(solution);
    return status;
}
