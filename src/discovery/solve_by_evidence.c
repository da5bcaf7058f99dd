/* Definitions of all metrics by all that was counted, in the form in which results have them. */
#include "analysis/rules.h"
#include "analysis/state.h"
#include "discovery/results.h"

enum { MOST_ALTERNATIVES = 2, MOST_SHARED = 8, MOST_TERMS = 12 }; /* no preset of PAPI has more */

/* Before the metric's fit is. */
static void clear_proof(cm_benchmark_result *result, size_t metric)
{
    cm_metric_proof *proof = &result->proofs[metric];
    size_t terms = result->fits != NULL && result->fits[metric] != NULL ? result->fits[metric]->term_count : 0;
    for (size_t k = 0; proof->equivalents != NULL && k < terms; k++)
        free(proof->equivalents[k].list);
    CM_FREE(proof->equivalents, proof->open_questions);
    *proof = (cm_metric_proof){0};
}

void cm_proofs_free(cm_benchmark_result *result)
{
    if (result->proofs == NULL)
        return;
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        clear_proof(result, m);
    free(result->proofs);
    result->proofs = NULL;
}

/* ---- how well a solution fits ---- */

/* The events and coefficients of a solution by indices of the analysis. */
static void copy_terms(const cm_problem *problem, const cm_solution *solution, size_t *events, double *rounded)
{
    for (size_t k = 0; k < solution->count; k++) {
        events[k] = problem->events[solution->terms[k].event].index;
        rounded[k] = solution->terms[k].coefficient;
    }
}

/* Measures how well a sum of events represents a signature. */
static cm_status measure_fitness(const cm_problem *problem, const double *signature, const cm_event_sum *sum,
                                 cm_fitness *fitness, cm_error *error)
{
    cm_matrix *columns = NULL;
    double norm = 0.0, *rest = malloc((problem->symbols + 1) * sizeof *rest);
    cm_status status = rest != NULL ? cm_gather_columns(problem->analysis, sum->events, sum->count, &columns, error)
                                    : cm_error_no_memory(error);
    if (status == CM_OK && sum->count > 0)
        status = cm_spectral_norm(columns, &norm, error);
    if (status == CM_OK)
        *fitness = cm_fitness_of(problem->analysis, sum, signature, norm, rest);
    cm_matrix_free(columns);
    free(rest);
    return status;
}

/* Fills the expected and the counted values on the fitted kernels, by coefficients as solved and as defined. */
static void fill_check(const cm_problem *problem, const cm_target *target, const cm_solution *solution,
                       cm_fit_check *check)
{
    for (size_t r = 0; r < problem->fitted; r++) {
        check->expected[r] = target->low[r];
        for (size_t k = 0; k < solution->count; k++) {
            double mean = problem->events[solution->terms[k].event].mean[r];
            check->raw[r] += solution->solved[k] * mean;
            check->rounded[r] += solution->terms[k].coefficient * mean;
        }
    }
    check->worst = cm_worst_deviation(check->expected, check->rounded, problem->fitted);
}

/* The solution as a fit; the caller frees *fit. */
static cm_status make_fit(const cm_problem *problem, const cm_target *target, const cm_solution *solution, cm_fit **fit,
                          cm_error *error)
{
    cm_fit *made = cm_fit_allocate(solution->count, problem->fitted);
    if (made == NULL)
        return cm_error_no_memory(error);
    copy_terms(problem, solution, made->events, made->rounded);
    for (size_t k = 0; k < solution->count; k++) {
        made->coefficients[k] = solution->solved[k];
        made->half_widths[k] = cm_the_rules.sure / cm_the_rules.z * solution->widths[k];
    }
    made->composable = solution->verdict.refusal == CM_REFUSED_NOT;
    fill_check(problem, target, solution, &made->check);
    const cm_event_sum solved = {solution->count, made->events, made->coefficients};
    const cm_event_sum rounded = {solution->count, made->events, made->rounded};
    cm_status status = measure_fitness(problem, target->signature, &solved, &made->fitness, error);
    CM_THEN(status, measure_fitness(problem, target->signature, &rounded, &made->rounded_fitness, error));
    CM_HAND_OVER(status, fit, made, cm_fit_free);
    return status;
}

/* The solution as a definition; the caller frees its arrays. */
static cm_status make_definition(const cm_evidence *evidence, size_t metric, const cm_solution *solution,
                                 cm_definition *definition, cm_error *error)
{
    const cm_problem *problem = &evidence->problem;
    *definition = (cm_definition){.count = solution->count,
                                  .events = calloc(solution->count + 1, sizeof *definition->events),
                                  .coefficients = calloc(solution->count + 1, sizeof *definition->coefficients),
                                  .composable = solution->verdict.refusal == CM_REFUSED_NOT};
    if (definition->events == NULL || definition->coefficients == NULL)
        return cm_error_no_memory(error);
    copy_terms(problem, solution, definition->events, definition->coefficients);
    const cm_event_sum sum = {definition->count, definition->events, definition->coefficients};
    cm_status status = measure_fitness(problem, evidence->targets[metric].signature, &sum, &definition->fitness, error);
    return status == CM_OK ? cm_find_open_questions(evidence, metric, solution, &definition->open_questions, error)
                           : status;
}

/* ---- alternatives ---- */

typedef struct others {
    const cm_benchmark_result *result;
    size_t metric;
    bool *usable;
    struct cm_metric_alternatives *found;
} others;

static void use_events(const others *work, const cm_solution *solution, bool usable)
{
    for (size_t k = 0; k < solution->count; k++)
        work->usable[solution->terms[k].event] = usable;
}

static bool holds(const cm_solution *solution)
{
    return solution->count <= MOST_TERMS && cm_solution_holds(solution) &&
           cm_cancels_exactly(solution->terms, solution->count);
}

/* Solves the metric without the events used so far, or else with one of the first definition's. A definition of many
 * terms would have as many such alternatives, which nobody reads, so that its events stay out. */
static cm_status solve_next(const others *work, const cm_solution *first, cm_solution *next, cm_error *error)
{
    cm_status status = cm_solve_countable(work->result, work->metric, work->usable, 0, next, error);
    bool few = first->count > 1 && first->count <= MOST_SHARED;
    for (size_t k = 0; status == CM_OK && !holds(next) && few && k < first->count; k++) {
        cm_solution_clear(next);
        work->usable[first->terms[k].event] = true;
        status = cm_solve_countable(work->result, work->metric, work->usable, 0, next, error);
        work->usable[first->terms[k].event] = false;
    }
    return status;
}

/* Finds definitions of other events beside the first, until none holds. */
static cm_status find_others(const others *work, const cm_solution *first, cm_error *error)
{
    cm_status status = CM_OK;
    bool more = true;
    if (!CM_ALLOCATE(work->found->list, MOST_ALTERNATIVES))
        return cm_error_no_memory(error);
    use_events(work, first, false);
    while (status == CM_OK && more && work->found->count < MOST_ALTERNATIVES) {
        cm_solution next = {0};
        status = solve_next(work, first, &next, error);
        more = status == CM_OK && holds(&next);
        if (more) {
            use_events(work, &next, false);
            status = make_definition(work->result->evidence, work->metric, &next,
                                     &work->found->list[work->found->count++], error);
        }
        cm_solution_clear(&next);
    }
    return status;
}

/* Finds other definitions of a metric from all events that are not in the first. */
static cm_status find_metric_alternatives(cm_benchmark_result *result, size_t metric, const cm_solution *solution,
                                          cm_error *error)
{
    const cm_problem *problem = &result->evidence->problem;
    others work = {result, metric, calloc(problem->event_count + 1, 1), &result->alternatives[metric]};
    if (work.usable == NULL)
        return cm_error_no_memory(error);
    memset(work.usable, true, problem->event_count);
    cm_status status = find_others(&work, solution, error);
    free(work.usable);
    return status;
}

/* Finds the best definition of at most max_events events. */
static cm_status find_limited(cm_benchmark_result *result, size_t metric, cm_error *error)
{
    cm_solution solution = {0};
    cm_definition *limited = calloc(1, sizeof *limited);
    if (limited == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_solve_countable(result, metric, NULL, result->max_events, &solution, error);
    CM_THEN(status, make_definition(result->evidence, metric, &solution, limited, error));
    cm_solution_clear(&solution);
    if (status != CM_OK)
        cm_definition_free(limited, 1);
    else
        result->alternatives[metric].limited = limited;
    return status;
}

/* ---- all of a metric ---- */

/* tau may be anything from the noise of the noisiest event to that of the next one that would come in; alpha chooses
 * which events are selected, and thereby sums of these alone. */
static void note_stability(const cm_evidence *evidence, const cm_solution *solution, cm_definition_stability *stability)
{
    const cm_problem *problem = &evidence->problem;
    bool by_selected = solution->count > 1;
    *stability = (cm_definition_stability){.alpha = {1e-12, 0.5}, .tau = {0.0, evidence->next_noise}};
    for (size_t k = 0; k < solution->count; k++) {
        const cm_usable_event *event = &problem->events[solution->terms[k].event];
        cm_event_status status = cm_analysis_event(problem->analysis, event->index).status;
        bool by_tau = status != CM_EVENT_NOISY && !isnan(event->noise);
        stability->tau[0] = fmax(stability->tau[0], by_tau ? event->noise : 0.0);
        by_selected &= status == CM_EVENT_SELECTED;
    }
    for (size_t side = 0; side < 2 && by_selected; side++)
        stability->alpha[side] = evidence->alphas[side];
}

/* Finds the events that can stand in for each term, nearest first. */
static cm_status find_stand_ins(cm_benchmark_result *result, size_t metric, const cm_solution *solution,
                                cm_error *error)
{
    struct cm_term_equivalents *found = calloc(solution->count + 1, sizeof *found);
    result->proofs[metric].equivalents = found;
    cm_status status =
        found != NULL ? cm_find_stand_ins(result->evidence, &result->evidence->targets[metric], solution, found, error)
                      : cm_error_no_memory(error);
    for (size_t k = 0; status == CM_OK && k < solution->count; k++)
        status = cm_order_stand_ins(result, result->fits[metric], k, &found[k], error);
    return status;
}

/* Makes the solution the metric's definition. */
static cm_status take_solution(cm_benchmark_result *result, size_t metric, const cm_solution *solution, cm_error *error)
{
    const cm_evidence *evidence = result->evidence;
    cm_status status = make_fit(&evidence->problem, &evidence->targets[metric], solution, &result->fits[metric], error);
    if (status == CM_OK) {
        result->proofs[metric].verdict = solution->verdict;
        result->proofs[metric].resolution = cm_resolution_of(evidence, metric, solution);
        status = cm_find_open_questions(evidence, metric, solution, &result->proofs[metric].open_questions, error);
    }
    if (status == CM_OK) {
        note_stability(evidence, solution, &result->stability[metric]);
        status = find_stand_ins(result, metric, solution, error);
    }
    return status;
}

/* With alternatives, and with at most as many events as are asked for. */
static cm_status take_all(cm_benchmark_result *result, size_t metric, const cm_solution *solution, cm_error *error)
{
    cm_status status = take_solution(result, metric, solution, error);
    if (status == CM_OK && result->fits[metric]->composable)
        status = find_metric_alternatives(result, metric, solution, error);
    if (status == CM_OK && result->max_events != 0 && solution->count > result->max_events)
        status = find_limited(result, metric, error);
    return status;
}

/* Solves a metric and all that belongs to its definition; a metric that is 0 everywhere has none. */
static cm_status solve_metric(cm_benchmark_result *result, size_t metric, cm_error *error)
{
    const cm_evidence *evidence = result->evidence;
    const cm_target *target = &evidence->targets[metric];
    cm_solution solution = {0};
    if (cm_vector_is_zero(target->signature, evidence->problem.symbols))
        return CM_OK;
    cm_status status = cm_solve_countable(result, metric, NULL, 0, &solution, error);
    CM_THEN(status, take_all(result, metric, &solution, error));
    cm_solution_clear(&solution);
    return status;
}

cm_status cm_solve_again(cm_benchmark_result *result, size_t metric, const bool *usable, bool *found, cm_error *error)
{
    cm_solution solution = {0};
    cm_status status = cm_solve_countable(result, metric, usable, 0, &solution, error);
    *found = status == CM_OK && solution.count > 0 && solution.verdict.refusal == CM_REFUSED_NOT;
    if (*found) {
        clear_proof(result, metric);
        cm_definition_free(result->alternatives[metric].list, result->alternatives[metric].count);
        cm_definition_free(result->alternatives[metric].limited, result->alternatives[metric].limited != NULL);
        result->alternatives[metric] = (struct cm_metric_alternatives){0};
        cm_fit_free(result->fits[metric]);
        result->fits[metric] = NULL;
        status = take_all(result, metric, &solution, error);
    }
    cm_solution_clear(&solution);
    return status;
}

/* ---- sums of metrics ---- */

static bool is_defined(const cm_benchmark_result *result, size_t metric)
{
    return result->fits[metric] != NULL && result->fits[metric]->composable;
}

static bool is_sum(const cm_benchmark_result *result, size_t metric, size_t one, size_t other)
{
    const cm_target *targets = result->evidence->targets;
    bool sum = is_defined(result, one) && is_defined(result, other);
    for (size_t j = 0; j < result->evidence->problem.symbols && sum; j++)
        sum = targets[metric].signature[j] == targets[one].signature[j] + targets[other].signature[j];
    return sum;
}

static void mark_terms(const cm_benchmark_result *result, size_t metric, bool *usable)
{
    const cm_fit *fit = result->fits[metric];
    const cm_problem *problem = &result->evidence->problem;
    for (size_t k = 0; k < fit->term_count; k++)
        for (size_t i = 0; i < problem->event_count; i++)
            usable[i] |= fit->rounded[k] != 0.0 && problem->events[i].index == fit->events[k];
}

/* By the events of two metrics of which it is the sum: among all events so many terms are hard to find. */
static cm_status solve_as_sum(cm_benchmark_result *result, size_t metric, cm_error *error)
{
    size_t count = result->evidence->problem.event_count;
    bool *usable = calloc(count + 1, sizeof *usable), found = false;
    cm_status status = usable != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t one = 0; one < result->signatures->metric_count && status == CM_OK; one++)
        for (size_t other = 0; other < one && status == CM_OK && !found; other++) {
            if (!is_sum(result, metric, one, other))
                continue;
            memset(usable, 0, count * sizeof *usable);
            mark_terms(result, one, usable);
            mark_terms(result, other, usable);
            status = cm_solve_again(result, metric, usable, &found, error);
        }
    free(usable);
    return status;
}

cm_status cm_solve_by_evidence(cm_benchmark_result *result, cm_error *error)
{
    size_t metrics = result->signatures->metric_count;
    result->fits = calloc(metrics + 1, sizeof(cm_fit *));
    result->stability = calloc(metrics + 1, sizeof *result->stability);
    result->alternatives = calloc(metrics + 1, sizeof *result->alternatives);
    result->proofs = calloc(metrics + 1, sizeof *result->proofs);
    bool made =
        result->fits != NULL && result->stability != NULL && result->alternatives != NULL && result->proofs != NULL;
    cm_status status = made ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_evidence_make_law(result->evidence, error));
    for (size_t m = 0; status == CM_OK && m < metrics; m++)
        status = solve_metric(result, m, error);
    for (size_t m = 0; status == CM_OK && m < metrics; m++)
        if (result->fits[m] != NULL && !is_defined(result, m))
            status = solve_as_sum(result, m, error);
    return status;
}
