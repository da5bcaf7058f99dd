/* How far tau and alpha may move before a definition changes. Each is moved alone, the other stays as it is used. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linear.h"
#include "analysis/pivoting.h"
#include "analysis/rounding.h"
#include "analysis/state.h"
#include "core/error.h"

/* Where the walk over alpha ends. */
static const double smallest_alpha = 1e-12, largest_alpha = 0.5;
static const double same_coefficient = 1e-9; /* relative */
enum { STEPS_A_DECADE = 4, REFINEMENTS = 5, MOST_STEPS_OF_TAU = 64, MANY_EVENTS = 20000, SEVERAL_EVENTS = 2000 };

/* All definitions with some pair of thresholds. */
typedef struct definitions {
    size_t count;     /* of selected events */
    size_t *selected; /* indices of events, in pivot order; room for one a symbol */
    double *rounded;  /* [metric][rank], room for one a symbol each */
} definitions;

typedef struct walk {
    const cm_analysis *analysis;
    const double *const *signatures;
    size_t metrics;
    size_t *candidates;
    const double **columns;
    double *scratch; /* residual, step, solution */
    cm_matrix *matrix;
    definitions used, now;
    bool *open; /* metrics whose end has not been found yet */
    size_t open_count;
} walk;

static cm_status solve_all(walk *work, double alpha, cm_error *error)
{
    definitions *now = &work->now;
    size_t symbols = work->analysis->basis->columns;
    if (now->count == 0)
        return CM_OK;
    work->matrix->columns = now->count;
    for (size_t k = 0; k < now->count; k++)
        memcpy(cm_matrix_column(work->matrix, k), work->analysis->events[now->selected[k]].representation,
               symbols * sizeof(double));
    cm_least_squares *problem = NULL;
    cm_status status = cm_least_squares_create(work->matrix, &problem, error);
    if (status != CM_OK)
        return status;
    for (size_t m = 0; m < work->metrics; m++) {
        double *rounded = now->rounded + m * symbols;
        cm_least_squares_solve(problem, work->signatures[m], rounded, work->scratch, work->scratch + symbols);
        for (size_t k = 0; k < now->count; k++)
            rounded[k] = cm_round_coefficient(rounded[k], alpha);
    }
    cm_least_squares_free(problem);
    return CM_OK;
}

static cm_status define(walk *work, double tau, double alpha, cm_error *error)
{
    definitions *now = &work->now;
    size_t count = cm_analysis_candidates(work->analysis, tau, work->candidates, work->columns);
    cm_status status =
        cm_analysis_pivot(work->analysis, work->columns, count, alpha, now->selected, &now->count, error);
    for (size_t k = 0; status == CM_OK && k < now->count; k++)
        now->selected[k] = work->candidates[now->selected[k]];
    return status == CM_OK ? solve_all(work, alpha, error) : status;
}

static double coefficient_of(const definitions *set, size_t event, const double *rounded)
{
    for (size_t k = 0; k < set->count; k++)
        if (set->selected[k] == event)
            return rounded[k];
    return 0.0;
}

static bool contained(const definitions *some, const definitions *others, size_t offset)
{
    for (size_t k = 0; k < some->count; k++) {
        double mine = some->rounded[offset + k];
        double other = coefficient_of(others, some->selected[k], others->rounded + offset);
        if (fabs(mine - other) > same_coefficient * fabs(mine))
            return false;
    }
    return true;
}

/* Whether metric `m` is now defined as it is with the thresholds in use. */
static bool is_same(const walk *work, size_t m)
{
    size_t offset = m * work->analysis->basis->columns;
    return contained(&work->now, &work->used, offset) && contained(&work->used, &work->now, offset);
}

static void open_all(walk *work)
{
    for (size_t m = 0; m < work->metrics; m++)
        work->open[m] = true;
    work->open_count = work->metrics;
}

/* Between `inside`, where the definitions are as used, and `outside`, where those with `changed` are not: halves until
 * each has its end. Ends at `inside` of the last halving. */
static cm_status refine(walk *work, double inside, double outside, int depth, const bool *changed, size_t side,
                        cm_stability *stability, cm_error *error)
{
    if (depth == 0) {
        for (size_t m = 0; m < work->metrics; m++)
            if (changed[m])
                stability[m].alpha[side] = inside;
        return CM_OK;
    }
    bool *before = calloc(2 * work->metrics + 1, sizeof *before);
    if (before == NULL)
        return cm_error_no_memory(error);
    bool *behind = before + work->metrics, any_before = false, any_behind = false;
    double middle = sqrt(inside * outside);
    cm_status status = define(work, work->analysis->thresholds.tau, middle, error);
    for (size_t m = 0; status == CM_OK && m < work->metrics; m++) {
        bool same = !changed[m] || is_same(work, m);
        before[m] = !same;
        behind[m] = changed[m] && same;
        any_before |= before[m];
        any_behind |= behind[m];
    }
    if (status == CM_OK && any_before)
        status = refine(work, inside, middle, depth - 1, before, side, stability, error);
    if (status == CM_OK && any_behind)
        status = refine(work, middle, outside, depth - 1, behind, side, stability, error);
    free(before);
    return status;
}

/* side 0: towards smaller alpha, 1: towards larger. */
static cm_status walk_alpha(walk *work, size_t side, cm_stability *stability, cm_error *error)
{
    double used = work->analysis->thresholds.alpha;
    double limit = side == 0 ? fmin(smallest_alpha, used) : fmax(largest_alpha, used);
    bool many = work->analysis->event_count > MANY_EVENTS;
    size_t steps = (size_t)ceil(fabs(log10(limit / used)) * (many ? 1 : STEPS_A_DECADE));
    bool *changed = calloc(work->metrics + 1, sizeof *changed);
    if (changed == NULL)
        return cm_error_no_memory(error);
    open_all(work);
    for (size_t m = 0; m < work->metrics; m++)
        stability[m].alpha[side] = limit;
    double inside = used;
    cm_status status = CM_OK;
    for (size_t i = 1; i <= steps && work->open_count > 0 && status == CM_OK; i++) {
        double alpha = i == steps ? limit : used * pow(limit / used, (double)i / (double)steps);
        status = define(work, work->analysis->thresholds.tau, alpha, error);
        bool any = false;
        for (size_t m = 0; status == CM_OK && m < work->metrics; m++) {
            changed[m] = work->open[m] && !is_same(work, m);
            work->open[m] = work->open[m] && !changed[m];
            work->open_count -= changed[m];
            any |= changed[m];
        }
        if (status == CM_OK && any)
            status = refine(work, inside, alpha, many ? 2 : REFINEMENTS, changed, side, stability, error);
        inside = alpha;
    }
    free(changed);
    return status;
}

/* Lowering tau changes nothing until it drops a selected event: the noisiest of them is the next end. */
static cm_status lower_tau(walk *work, cm_stability *stability, cm_error *error)
{
    open_all(work);
    cm_status status = define(work, work->analysis->thresholds.tau, work->analysis->thresholds.alpha, error);
    for (int step = 0; step < MOST_STEPS_OF_TAU && status == CM_OK && work->open_count > 0; step++) {
        double noisiest = 0.0;
        for (size_t k = 0; k < work->now.count; k++)
            noisiest = fmax(noisiest, work->analysis->events[work->now.selected[k]].max_rnmse);
        for (size_t m = 0; m < work->metrics; m++)
            if (work->open[m])
                stability[m].tau[0] = noisiest;
        if (noisiest == 0.0)
            break;
        status = define(work, nextafter(noisiest, 0.0), work->analysis->thresholds.alpha, error);
        for (size_t m = 0; status == CM_OK && m < work->metrics; m++)
            if (work->open[m] && !is_same(work, m)) {
                work->open[m] = false;
                work->open_count--;
            }
    }
    return status;
}

/* The noise of the quietest event above `tau` that would be selected beside those that now are; infinity if none. */
static cm_status next_noise(const walk *work, double tau, double *noise, cm_error *error)
{
    const cm_analysis *analysis = work->analysis;
    const definitions *now = &work->now;
    cm_pivot_chain *chain = NULL;
    for (size_t k = 0; k < now->count; k++)
        work->columns[k] = analysis->events[now->selected[k]].representation;
    cm_status status = cm_pivot_chain_create(work->columns, now->selected, now->count, analysis->basis->columns,
                                             analysis->thresholds.alpha, &chain, error);
    if (status != CM_OK)
        return status;
    *noise = INFINITY;
    for (size_t i = 0; i < analysis->event_count; i++) {
        const cm_event_analysis *event = &analysis->events[i];
        if (event->max_rnmse > tau && event->max_rnmse < *noise && cm_event_representable(analysis, event) &&
            cm_pivot_chain_accepts(chain, event->representation, i))
            *noise = event->max_rnmse;
    }
    cm_pivot_chain_free(chain);
    return CM_OK;
}

/* Raising tau changes nothing until it lets in an event that is then selected. */
static cm_status raise_tau(walk *work, cm_stability *stability, cm_error *error)
{
    open_all(work);
    for (size_t m = 0; m < work->metrics; m++)
        stability[m].tau[1] = INFINITY;
    double tau = work->analysis->thresholds.tau;
    cm_status status = define(work, tau, work->analysis->thresholds.alpha, error);
    for (int step = 0; step < MOST_STEPS_OF_TAU && status == CM_OK && work->open_count > 0 && isfinite(tau); step++) {
        status = next_noise(work, tau, &tau, error);
        if (status != CM_OK || isinf(tau))
            break;
        status = define(work, tau, work->analysis->thresholds.alpha, error);
        for (size_t m = 0; status == CM_OK && m < work->metrics; m++)
            if (work->open[m] && !is_same(work, m)) {
                work->open[m] = false;
                work->open_count--;
                stability[m].tau[1] = tau;
            }
    }
    return status;
}

static void clear(walk *work)
{
    free(work->candidates);
    free(work->columns);
    free(work->scratch);
    cm_matrix_free(work->matrix);
    free(work->used.selected);
    free(work->used.rounded);
    free(work->now.selected);
    free(work->now.rounded);
    free(work->open);
}

static cm_status prepare(walk *work, cm_error *error)
{
    size_t symbols = work->analysis->basis->columns, events = work->analysis->event_count;
    work->candidates = malloc((events + 1) * sizeof *work->candidates);
    work->columns = malloc((events + symbols + 1) * sizeof *work->columns);
    work->scratch = malloc(2 * symbols * sizeof *work->scratch);
    work->open = malloc((work->metrics + 1) * sizeof *work->open);
    definitions *both[] = {&work->used, &work->now};
    bool complete = work->candidates != NULL && work->columns != NULL && work->scratch != NULL && work->open != NULL;
    for (size_t i = 0; i < 2; i++) {
        both[i]->selected = malloc(symbols * sizeof *both[i]->selected);
        both[i]->rounded = calloc((work->metrics + 1) * symbols, sizeof *both[i]->rounded);
        complete = complete && both[i]->selected != NULL && both[i]->rounded != NULL;
    }
    return complete ? cm_matrix_create(symbols, symbols, &work->matrix, error) : cm_error_no_memory(error);
}

cm_status cm_analysis_stability(const cm_analysis *analysis, const double *const *signatures, size_t count,
                                cm_stability *stability, cm_error *error)
{
    if (analysis == NULL || !analysis->pivoted || (count > 0 && (signatures == NULL || stability == NULL)))
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "stability needs selected events and signatures");
    walk work = {.analysis = analysis, .signatures = signatures, .metrics = count};
    cm_status status = prepare(&work, error);
    if (status == CM_OK)
        status = define(&work, analysis->thresholds.tau, analysis->thresholds.alpha, error);
    if (status == CM_OK) {
        size_t symbols = analysis->basis->columns;
        work.used.count = work.now.count;
        memcpy(work.used.selected, work.now.selected, symbols * sizeof *work.used.selected);
        memcpy(work.used.rounded, work.now.rounded, count * symbols * sizeof *work.used.rounded);
        status = walk_alpha(&work, 0, stability, error);
    }
    if (status == CM_OK)
        status = walk_alpha(&work, 1, stability, error);
    if (status == CM_OK)
        status = lower_tau(&work, stability, error);
    if (status == CM_OK)
        status = raise_tau(&work, stability, error);
    clear(&work);
    return status;
}

/* ---- which events are selected ---- */

static bool selects_the_same(const walk *work)
{
    size_t found = 0;
    for (size_t i = 0; i < work->now.count; i++)
        for (size_t k = 0; k < work->used.count; k++)
            found += work->now.selected[i] == work->used.selected[k];
    return found == work->used.count && found == work->now.count;
}

static cm_status walk_selected(walk *work, size_t side, double *end, cm_error *error)
{
    double used = work->analysis->thresholds.alpha, tau = work->analysis->thresholds.tau;
    double limit = side == 0 ? fmin(smallest_alpha, used) : fmax(largest_alpha, used);
    bool many = work->analysis->event_count > SEVERAL_EVENTS;
    size_t steps = (size_t)ceil(fabs(log10(limit / used)) * (many ? 1 : STEPS_A_DECADE));
    cm_status status = CM_OK;
    bool same = true;
    *end = used;
    for (size_t i = 1; i <= steps && same && status == CM_OK; i++) {
        double alpha = i == steps ? limit : used * pow(limit / used, (double)i / (double)steps);
        status = define(work, tau, alpha, error);
        same = status == CM_OK && selects_the_same(work);
        *end = same ? alpha : *end;
    }
    return status;
}

cm_status cm_analysis_selected_range(const cm_analysis *analysis, double alpha[2], cm_error *error)
{
    walk work = {.analysis = analysis};
    cm_status status = prepare(&work, error);
    if (status == CM_OK)
        status = define(&work, analysis->thresholds.tau, analysis->thresholds.alpha, error);
    if (status == CM_OK) {
        work.used.count = work.now.count;
        memcpy(work.used.selected, work.now.selected, work.now.count * sizeof *work.used.selected);
    }
    for (size_t side = 0; side < 2 && status == CM_OK; side++)
        status = walk_selected(&work, side, &alpha[side], error);
    clear(&work);
    return status;
}
