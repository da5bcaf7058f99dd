/* Finds the ranges of tau and of alpha in which a definition stays the same. Each moves alone. */
#include "analysis/state.h"

/* The ends of the walk over alpha. */
static const double first_alpha = 1e-12, last_alpha = 0.5;
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
    cm_selector selector;
    double *scratch; /* residual, step; behind them the rounded coefficients */
    cm_matrix *matrix;
    definitions used, now;
    bool *open; /* metrics whose end has not been found yet */
    size_t open_count;
    bool *changed; /* metrics whose end the last step found */
} walk;

/* Solves all metrics over the events selected now. */
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
    for (size_t m = 0; status == CM_OK && m < work->metrics; m++) {
        double *rounded = now->rounded + m * symbols;
        cm_least_squares_solve(problem, work->signatures[m], rounded, work->scratch, work->scratch + symbols);
        for (size_t k = 0; k < now->count; k++)
            rounded[k] = cm_round_coefficient(rounded[k], alpha);
    }
    cm_least_squares_free(problem);
    return status;
}

static cm_status define_metrics(walk *work, double tau, double alpha, cm_error *error)
{
    cm_selector_gather(&work->selector, tau, NULL);
    cm_status status = cm_selector_choose(&work->selector, alpha, error);
    work->now.count = work->selector.chosen_count;
    return status == CM_OK ? solve_all(work, alpha, error) : status;
}

static double coefficient_of(const definitions *set, size_t event, const double *rounded)
{
    for (size_t k = 0; k < set->count; k++)
        if (set->selected[k] == event)
            return rounded[k];
    return 0.0;
}

static bool are_contained(const definitions *some, const definitions *others, size_t offset)
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
    return are_contained(&work->now, &work->used, offset) && are_contained(&work->used, &work->now, offset);
}

static void open_all(walk *work)
{
    for (size_t m = 0; m < work->metrics; m++)
        work->open[m] = true;
    work->open_count = work->metrics;
}

/* Marks in `changed`, and closes, the open metrics whose definition is another now; returns whether there are any. */
static bool close_changed(walk *work)
{
    bool any = false;
    for (size_t m = 0; m < work->metrics; m++) {
        work->changed[m] = work->open[m] && !is_same(work, m);
        work->open[m] = work->open[m] && !work->changed[m];
        work->open_count -= work->changed[m];
        any |= work->changed[m];
    }
    return any;
}

/* The way of alpha to one side: 0 towards smaller values, 1 towards larger. */
typedef struct way {
    double used, limit;
    size_t steps;
} way;

static way way_of_alpha(const walk *work, size_t side, bool is_coarse)
{
    double used = work->analysis->thresholds.alpha;
    double limit = side == 0 ? fmin(first_alpha, used) : fmax(last_alpha, used);
    return (way){used, limit, (size_t)ceil(fabs(log10(limit / used)) * (is_coarse ? 1 : STEPS_A_DECADE))};
}

static double alpha_at(const way *to, size_t step)
{
    return step == to->steps ? to->limit : to->used * pow(to->limit / to->used, (double)step / (double)to->steps);
}

/* Between `inside`, at which the definitions are as used, and `outside`, at which those with `changed` are not: halves
 * until each has its end. Ends at `inside` of the last halving. */
static cm_status refine_range(walk *work, double inside, double outside, int depth, const bool *changed, size_t side,
                              cm_definition_stability *stability, cm_error *error)
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
    cm_status status = define_metrics(work, work->analysis->thresholds.tau, middle, error);
    for (size_t m = 0; status == CM_OK && m < work->metrics; m++) {
        bool same = !changed[m] || is_same(work, m);
        before[m] = !same;
        behind[m] = changed[m] && same;
        any_before |= before[m];
        any_behind |= behind[m];
    }
    if (status == CM_OK && any_before)
        status = refine_range(work, inside, middle, depth - 1, before, side, stability, error);
    if (status == CM_OK && any_behind)
        status = refine_range(work, middle, outside, depth - 1, behind, side, stability, error);
    free(before);
    return status;
}

/* Moves alpha one way until no definition is as it was, and keeps where each changed. */
static cm_status walk_alpha(walk *work, size_t side, cm_definition_stability *stability, cm_error *error)
{
    bool many = work->analysis->event_count > MANY_EVENTS;
    const way to = way_of_alpha(work, side, many);
    open_all(work);
    for (size_t m = 0; m < work->metrics; m++)
        stability[m].alpha[side] = to.limit;
    double inside = to.used;
    cm_status status = CM_OK;
    for (size_t i = 1; i <= to.steps && work->open_count > 0 && status == CM_OK; i++) {
        double alpha = alpha_at(&to, i);
        status = define_metrics(work, work->analysis->thresholds.tau, alpha, error);
        if (status == CM_OK && close_changed(work))
            status = refine_range(work, inside, alpha, many ? 2 : REFINEMENTS, work->changed, side, stability, error);
        inside = alpha;
    }
    return status;
}

/* Lowering tau changes nothing until it drops a selected event: the noisiest of them is the next end. */
static cm_status lower_tau(walk *work, cm_definition_stability *stability, cm_error *error)
{
    open_all(work);
    cm_status status = define_metrics(work, work->analysis->thresholds.tau, work->analysis->thresholds.alpha, error);
    for (int step = 0; step < MOST_STEPS_OF_TAU && status == CM_OK && work->open_count > 0; step++) {
        double noisiest = 0.0;
        for (size_t k = 0; k < work->now.count; k++)
            noisiest = fmax(noisiest, work->analysis->events[work->now.selected[k]].max_rnmse);
        for (size_t m = 0; m < work->metrics; m++)
            if (work->open[m])
                stability[m].tau[0] = noisiest;
        if (noisiest == 0.0)
            break;
        status = define_metrics(work, nextafter(noisiest, 0.0), work->analysis->thresholds.alpha, error);
        if (status == CM_OK)
            close_changed(work);
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
        work->selector.columns[k] = analysis->events[now->selected[k]].representation;
    cm_status status = cm_pivot_chain_create(work->selector.columns, now->selected, now->count,
                                             analysis->basis->columns, analysis->thresholds.alpha, &chain, error);
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
static cm_status raise_tau(walk *work, cm_definition_stability *stability, cm_error *error)
{
    open_all(work);
    for (size_t m = 0; m < work->metrics; m++)
        stability[m].tau[1] = INFINITY;
    double tau = work->analysis->thresholds.tau;
    cm_status status = define_metrics(work, tau, work->analysis->thresholds.alpha, error);
    for (int step = 0; step < MOST_STEPS_OF_TAU && status == CM_OK && work->open_count > 0 && isfinite(tau); step++) {
        status = next_noise(work, tau, &tau, error);
        if (status != CM_OK || isinf(tau))
            break;
        status = define_metrics(work, tau, work->analysis->thresholds.alpha, error);
        bool any = status == CM_OK && close_changed(work);
        for (size_t m = 0; any && m < work->metrics; m++)
            if (work->changed[m])
                stability[m].tau[1] = tau;
    }
    return status;
}

static void clear_walk(walk *work)
{
    cm_selector_clear(&work->selector);
    free(work->scratch);
    cm_matrix_free(work->matrix);
    free(work->used.selected);
    free(work->open);
}

/* Finds the definitions with the thresholds in use. */
static cm_status prepare_walk(walk *work, cm_error *error)
{
    const cm_thresholds *thresholds = &work->analysis->thresholds;
    size_t symbols = work->analysis->basis->columns, rounded = (work->metrics + 1) * symbols;
    work->scratch = calloc(2 * (symbols + rounded), sizeof *work->scratch);
    work->open = calloc(2 * (work->metrics + 1), sizeof *work->open);
    work->used.selected = malloc(symbols * sizeof *work->used.selected);
    cm_status status = cm_selector_make(work->analysis, &work->selector, error);
    if (status == CM_OK && (work->scratch == NULL || work->open == NULL || work->used.selected == NULL))
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_matrix_create(symbols, symbols, &work->matrix, error));
    if (status != CM_OK)
        return status;
    work->changed = work->open + work->metrics + 1;
    work->used.rounded = work->scratch + 2 * symbols;
    work->now = (definitions){.selected = work->selector.chosen, .rounded = work->used.rounded + rounded};
    status = define_metrics(work, thresholds->tau, thresholds->alpha, error);
    work->used.count = work->now.count;
    memcpy(work->used.selected, work->now.selected, work->now.count * sizeof *work->used.selected);
    memcpy(work->used.rounded, work->now.rounded, rounded * sizeof *work->used.rounded);
    return status;
}

cm_status cm_analysis_stability(const cm_analysis *analysis, const double *const *signatures, size_t count,
                                cm_definition_stability *stability, cm_error *error)
{
    if (analysis == NULL || !analysis->pivoted || (count > 0 && (signatures == NULL || stability == NULL)))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "stability needs selected events and signatures");
    walk work = {.analysis = analysis, .signatures = signatures, .metrics = count};
    cm_status status = prepare_walk(&work, error);
    CM_THEN(status, walk_alpha(&work, 0, stability, error));
    CM_THEN(status, walk_alpha(&work, 1, stability, error));
    CM_THEN(status, lower_tau(&work, stability, error));
    CM_THEN(status, raise_tau(&work, stability, error));
    clear_walk(&work);
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

/* Finds the alpha, one way from the one in use, at which other events are selected. */
static cm_status walk_selected(walk *work, size_t side, double *end, cm_error *error)
{
    const way to = way_of_alpha(work, side, work->analysis->event_count > SEVERAL_EVENTS);
    cm_status status = CM_OK;
    bool same = true;
    *end = to.used;
    for (size_t i = 1; i <= to.steps && same && status == CM_OK; i++) {
        status = define_metrics(work, work->analysis->thresholds.tau, alpha_at(&to, i), error);
        same = status == CM_OK && selects_the_same(work);
        *end = same ? alpha_at(&to, i) : *end;
    }
    return status;
}

cm_status cm_analysis_selected_range(const cm_analysis *analysis, double alpha[2], cm_error *error)
{
    walk work = {.analysis = analysis};
    cm_status status = prepare_walk(&work, error);
    for (size_t side = 0; side < 2 && status == CM_OK; side++)
        status = walk_selected(&work, side, &alpha[side], error);
    clear_walk(&work);
    return status;
}
