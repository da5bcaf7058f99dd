/* The coefficients of a definition over given events. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "core/base.h"
#include "analysis/solving/problem.h"

enum { MOST_TERMS = 2 }; /* for each symbol */
static const double independent = 1e-9;

/* Kernels whose meaning is one number, on which every event was counted, and any of them or the metric is something. */
static size_t choose_rows(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                          size_t *chosen)
{
    size_t found = 0;
    for (size_t r = 0; r < problem->rows - problem->programs; r++) {
        bool known = !isnan(target->low[r]) && cm_is_exact(target, r), any = target->low[r] != 0.0;
        for (size_t i = 0; known && i < count; i++) {
            double mean = problem->events[terms[i].event].mean[r];
            known = !isnan(mean);
            any |= mean != 0.0;
        }
        if (known && any)
            chosen[found++] = r;
    }
    return found;
}

/* Symbols above exact rows, each in what it may be off. */
typedef struct joint {
    size_t symbols, found; /* rows of the matrix: of symbols, and in all */
    size_t *rows;          /* of the problem, behind the symbols */
    double *units, *right_side;
    cm_matrix *matrix;
} joint;

static void clear_joint(joint *system)
{
    free(system->rows);
    free(system->units);
    free(system->right_side);
    cm_matrix_free(system->matrix);
}

/* The unit of an exact row, which weighs less than a symbol, as an event may miscount a fact there: its limit, with the
 * noise and the stray counts of the terms. */
static double unit_of(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                      size_t row)
{
    return cm_limit_on(problem, target, terms, count, row) / cm_the_rules.prior;
}

/* Fills the system of symbols and kernels, in units of what each may be off by. */
static void fill_joint(const cm_problem *problem, const cm_target *target, const cm_term *terms, joint *system)
{
    size_t count = system->matrix->columns;
    for (size_t i = 0; i < system->found; i++) {
        bool symbol = i < system->symbols;
        size_t row = symbol ? i : system->rows[i - system->symbols];
        double unit = symbol ? target->symbol_limits[row] : unit_of(problem, target, terms, count, row);
        system->units[i] = unit;
        system->right_side[i] = (symbol ? target->signature[row] : target->low[row]) / unit;
        for (size_t k = 0; k < count; k++) {
            const cm_usable_event *event = &problem->events[terms[k].event];
            *cm_matrix_at(system->matrix, i, k) = (symbol ? event->x[row] : event->mean[row]) / unit;
        }
    }
}

/* `terms`: what is known of the solution, for the noise of rows. */
static cm_status make_joint(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                            bool with_symbols, bool with_rows, joint *system, cm_error *error)
{
    size_t most = problem->symbols + problem->rows + 1;
    *system = (joint){.symbols = with_symbols ? problem->symbols : 0,
                      .rows = malloc(most * sizeof *system->rows),
                      .units = malloc(most * sizeof *system->units),
                      .right_side = malloc(most * sizeof *system->right_side)};
    if (system->rows == NULL || system->units == NULL || system->right_side == NULL)
        return cm_error_no_memory(error);
    system->found = system->symbols + (with_rows ? choose_rows(problem, target, terms, count, system->rows) : 0);
    cm_status status = cm_matrix_create(system->found, count, &system->matrix, error);
    if (status == CM_OK)
        fill_joint(problem, target, terms, system);
    return status;
}

/* Keeps the terms whose events those before them cannot replace, within the allowed errors, on symbols and,
 * `with_rows`, on exact rows. A single term stays, however much larger its counts on controls are than on a symbol: a
 * symbol may be one operation, and a kernel a hundred thousand. */
static cm_status keep_independent(const cm_problem *problem, const cm_target *target, bool with_rows, cm_term *terms,
                                  size_t *count, cm_error *error)
{
    joint system = {0};
    cm_status status = make_joint(problem, target, terms, *count, true, with_rows, &system, error);
    size_t kept = 0, most = MOST_TERMS * problem->symbols, size = system.found;
    const bool alone = *count == 1;
    double least = cm_the_rules.least / cm_vector_norm(target->signature, problem->symbols);
    for (size_t i = 0; status == CM_OK && i < *count && kept < most; i++) {
        double *directions = system.matrix->values, *next = directions + kept * size;
        memmove(next, directions + i * size, size * sizeof *next);
        double part = least * cm_event_size(problem, &problem->events[terms[i].event]) / cm_vector_norm(next, size);
        if (cm_extend_directions(directions, kept, size, alone ? independent : fmax(part, independent)))
            terms[kept++] = terms[i];
    }
    *count = kept;
    clear_joint(&system);
    return status;
}

/* Takes the terms with simple numbers to the right side, and leaves the columns of the others. */
static void take_out_simple(const cm_term *terms, joint *system)
{
    size_t count = system->matrix->columns;
    system->matrix->columns = 0;
    for (size_t k = 0; k < count; k++) {
        double *column = cm_matrix_column(system->matrix, k);
        if (cm_are_simple(&terms[k], 1))
            cm_vector_add(system->right_side, -terms[k].coefficient, column, system->found);
        else
            memmove(cm_matrix_column(system->matrix, system->matrix->columns++), column,
                    system->found * sizeof *column);
    }
}

/* Solves over symbols, and `with_rows` over exact rows, too, for all terms or those that have no simple number. */
static cm_status solve_over(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                            bool with_rows, bool all, double *coefficients, cm_error *error)
{
    joint system = {0};
    cm_least_squares *squares = NULL;
    double *buffer = malloc((problem->symbols + problem->rows + count + 1) * sizeof *buffer);
    cm_status status = buffer != NULL ? make_joint(problem, target, terms, count, true, with_rows, &system, error)
                                      : cm_error_no_memory(error);
    if (status == CM_OK && !all)
        take_out_simple(terms, &system);
    CM_THEN(status, cm_least_squares_create(system.matrix, &squares, error));
    if (status == CM_OK)
        cm_least_squares_solve(squares, system.right_side, coefficients, buffer, buffer + system.found);
    cm_least_squares_free(squares);
    clear_joint(&system);
    free(buffer);
    return status;
}

static bool term_contributes(const cm_problem *problem, const cm_target *target, const cm_term *term)
{
    double contribution = fabs(term->coefficient) * cm_event_size(problem, &problem->events[term->event]);
    return contribution > cm_the_rules.fit * problem->tolerance * target->smallest;
}

/* Whether any term went. */
static bool drop_small(const cm_problem *problem, const cm_target *target, cm_solution *solution)
{
    size_t before = solution->count;
    solution->count = 0;
    for (size_t k = 0; k < before; k++)
        if (term_contributes(problem, target, &solution->terms[k])) {
            solution->solved[solution->count] = solution->solved[k];
            solution->widths[solution->count] = solution->widths[k];
            solution->terms[solution->count++] = solution->terms[k];
        }
    return solution->count < before;
}

/* The errors of the coefficients, of all or of those without simple numbers alone, by the standard errors of the counts
 * on exact rows: P e, P the pseudo-inverse of the counts. They stay 0 where rows do not determine the coefficients. */
static cm_status find_widths(const cm_problem *problem, const cm_target *target, const cm_solution *solution, bool all,
                             double *widths, cm_error *error)
{
    joint system = {0};
    cm_least_squares *squares = NULL;
    size_t count = solution->count, columns = 0;
    double *shares = calloc(problem->rows * count + 2 * count + 1, sizeof *shares);
    double *slack = shares + problem->rows * count, *bias = slack + count;
    cm_status status = shares != NULL ? make_joint(problem, target, solution->terms, count, false, true, &system, error)
                                      : cm_error_no_memory(error);
    if (status == CM_OK && !all)
        take_out_simple(solution->terms, &system);
    if (status == CM_OK)
        columns = system.matrix->columns;
    if (status == CM_OK && system.found >= columns)
        status = cm_least_squares_create(system.matrix, &squares, error);
    bool solvable = squares != NULL && cm_least_squares_dependent(squares) == columns;
    if (solvable)
        cm_least_squares_shares(squares, shares);
    for (size_t i = 0; solvable && i < system.found; i++) {
        double value, deviation, once = cm_stray_counts_on(problem, solution->terms, count, system.rows[i]);
        cm_value_on(problem, solution->terms, count, system.rows[i], &value, &deviation);
        for (size_t k = 0; k < columns; k++) {
            double share = shares[k * system.found + i] / system.units[i];
            widths[k] += pow(share * deviation, 2.0);
            bias[k] += share * once;
            slack[k] += pow(share * once, 2.0);
        }
    }
    for (size_t k = 0; status == CM_OK && k < columns; k++)
        widths[k] = cm_the_rules.z * sqrt(widths[k]) + fabs(bias[k]) + sqrt(slack[k]);
    cm_least_squares_free(squares);
    clear_joint(&system);
    free(shares);
    return status;
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

static void take_solved(cm_solution *solution)
{
    for (size_t k = 0; k < solution->count; k++)
        solution->terms[k].coefficient = solution->solved[k];
}

/* The most by which a coefficient would be larger without a neighbour, if its event counts the hits that one moves. */
static double taken_by_neighbour(const cm_problem *problem, const cm_target *target, const cm_term *term)
{
    const double *mean = problem->events[term->event].mean;
    double moved = 0.0, squares = 0.0;
    for (size_t r = 0; r < problem->rows && problem->interference > 0.0; r++)
        if (!isnan(mean[r])) {
            moved += problem->interference * problem->hits[r] * mean[r];
            squares += mean[r] * mean[r];
        }
    return moved > 0.0 ? target->smallest * moved / squares : 0.0;
}

/* Takes simple numbers inside the intervals. A coefficient has no part in a rest that no noise explains and that a
 * neighbour may have caused. */
static void take_simple(const cm_problem *problem, const cm_target *target, cm_solution *solution)
{
    double misfit = misfit_of(problem, target, solution);
    for (size_t k = 0; k < solution->count; k++) {
        cm_term *term = &solution->terms[k];
        double value = solution->solved[k];
        double width =
            fmax(solution->widths[k], (1e-9 + fmin(cm_the_rules.sure * misfit, cm_the_rules.alike)) * fabs(value));
        double less = taken_by_neighbour(problem, target, term) / 2.0, middle = value + copysign(less, value);
        bool may_be_whole = less > width && fabs(round(middle) - middle) <= less + width && round(middle) != 0.0;
        term->coefficient = cm_simplest(value, width);
        if (may_be_whole && !cm_are_simple(term, 1))
            term->coefficient = round(middle);
    }
}

/* Solves once more for the terms without simple numbers: what rounding moved, they move with it, and are surer. */
static cm_status solve_others(const cm_problem *problem, const cm_target *target, cm_solution *solution,
                              cm_error *error)
{
    size_t others = 0, count = solution->count, next = 0;
    for (size_t k = 0; k < count; k++)
        others += !cm_are_simple(&solution->terms[k], 1);
    if (others == 0 || others == count)
        return CM_OK;
    double *found = calloc(2 * count, sizeof *found), *widths = found + count;
    cm_status status = found != NULL ? solve_over(problem, target, solution->terms, count, true, false, found, error)
                                     : cm_error_no_memory(error);
    CM_THEN(status, find_widths(problem, target, solution, false, widths, error));
    for (size_t k = 0; status == CM_OK && k < count; k++)
        if (!cm_are_simple(&solution->terms[k], 1)) {
            solution->terms[k].coefficient = cm_simplest(found[next], widths[next]);
            next++;
        }
    free(found);
    return status;
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
    cm_status status = solve_others(problem, target, solution, error);
    CM_THEN(status, cm_give_verdict(problem, target, solution->terms, solution->count, &solution->verdict, error));
    if (status != CM_OK || cm_solution_is_usable(solution) || is_as_solved(solution))
        return status;
    take_solved(solution);
    return cm_give_verdict(problem, target, solution->terms, solution->count, &solution->verdict, error);
}

static bool have_same(const cm_solution *one, const cm_solution *other)
{
    bool same = one->count == other->count;
    for (size_t k = 0; same && k < one->count; k++)
        same = one->terms[k].event == other->terms[k].event && one->terms[k].coefficient == other->terms[k].coefficient;
    return same;
}

/* Tries symbols alone, where that is nearer to a definition or there is none, by events that symbols distinguish. */
static cm_status try_symbols(const cm_problem *problem, const cm_target *target, cm_solution *solution, cm_error *error)
{
    cm_solution other = {0};
    cm_status status = cm_solution_copy(solution, &other, error);
    if (status != CM_OK)
        return status;
    status = keep_independent(problem, target, false, other.terms, &other.count, error);
    if (status == CM_OK && other.count == solution->count && other.count > 0) {
        status = solve_over(problem, target, other.terms, other.count, false, true, other.solved, error);
        if (status == CM_OK) {
            take_solved(&other);
            drop_small(problem, target, &other);
            take_simple(problem, target, &other);
        }
        bool same = cm_solution_is_usable(solution) && have_same(&other, solution);
        if (status == CM_OK && !same)
            status = round_solution(problem, target, &other, error);
        if (status == CM_OK && !same && (!cm_solution_is_usable(solution) || cm_solution_is_better(&other, solution)))
            cm_solution_exchange(&other, solution);
    }
    cm_solution_clear(&other);
    return status;
}

/* Drops the term whose interval says least of it, if it may be 0. */
static bool drop_least_sure(cm_solution *solution)
{
    size_t least = 0;
    for (size_t k = 1; k < solution->count; k++)
        if (fabs(solution->solved[k]) * solution->widths[least] < fabs(solution->solved[least]) * solution->widths[k])
            least = k;
    if (solution->count < 2 || fabs(solution->solved[least]) > solution->widths[least])
        return false;
    cm_term *term = &solution->terms[least];
    memmove(term, term + 1, (--solution->count - least) * sizeof *term);
    return true;
}

/* Tries without the terms that may be 0, one after the other, where more numbers are fitted than kernels prove: of
 * those that can nearly replace each other, noise decides the proportions. Simple numbers alone show that those left
 * are enough. */
static cm_status try_sure_terms(const cm_problem *problem, const cm_target *target, cm_solution *solution,
                                cm_error *error)
{
    cm_solution other = {0};
    cm_status status = cm_solution_copy(solution, &other, error);
    while (status == CM_OK && drop_least_sure(&other)) {
        status = solve_over(problem, target, other.terms, other.count, true, true, other.solved, error);
        if (status == CM_OK)
            take_solved(&other);
        memset(other.widths, 0, other.count * sizeof *other.widths);
        CM_THEN(status, find_widths(problem, target, &other, true, other.widths, error));
    }
    if (status == CM_OK && other.count < solution->count)
        status = round_solution(problem, target, &other, error);
    if (status == CM_OK && cm_solution_is_usable(&other) && cm_are_simple(other.terms, other.count))
        cm_solution_exchange(&other, solution);
    cm_solution_clear(&other);
    return status;
}

/* Rounds the solution. One that does not hold is at least nearest to the metric in its symbols. */
static cm_status settle_solution(const cm_problem *problem, const cm_target *target, cm_solution *solution,
                                 cm_error *error)
{
    cm_status status =
        solution->count > 0 ? find_widths(problem, target, solution, true, solution->widths, error) : CM_OK;
    CM_THEN(status, round_solution(problem, target, solution, error));
    if (status == CM_OK && !cm_solution_holds(solution))
        status = try_symbols(problem, target, solution, error);
    if (status == CM_OK && solution->verdict.refusal == CM_REFUSED_UNCONTROLLED)
        status = try_sure_terms(problem, target, solution, error);
    return status;
}

cm_status cm_refit_events(const cm_problem *problem, const cm_target *target, const size_t *events, size_t count,
                          cm_solution *solution, cm_error *error)
{
    bool more = count > 0;
    cm_status status = cm_solution_create(count, solution, error);
    if (status != CM_OK)
        return status;
    double size = cm_vector_norm(target->signature, problem->symbols);
    for (size_t k = 0; k < count; k++) /* each as if it were the metric: for the noise of rows */
        solution->terms[k] = (cm_term){events[k], size / cm_event_size(problem, &problem->events[events[k]])};
    solution->count = count;
    status = keep_independent(problem, target, true, solution->terms, &solution->count, error);
    while (status == CM_OK && more && solution->count > 0) {
        status = solve_over(problem, target, solution->terms, solution->count, true, true, solution->solved, error);
        if (status == CM_OK)
            take_solved(solution);
        more = status == CM_OK && drop_small(problem, target, solution);
    }
    CM_THEN(status, settle_solution(problem, target, solution, error));
    if (status != CM_OK)
        cm_solution_clear(solution);
    return status;
}
