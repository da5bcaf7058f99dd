/* The definition that would be right if the benchmark of the metric has none that holds: a sum of the formula's events
 * and others with the same base name, else any event by itself, solved over all kernels and programs on which these and
 * the metric are known, and judged there. */
#include "audit/values.h"

enum { MOST_EVENTS = 32, LEAST_SOLVED_ROWS = 8 };

static const double tolerance = 1e-2; /* of the metric, on each row */
/* A row's metric is known if its facts leave no more open: the share that caches decide. */
static const double most_open = 1.1e-2;

/* A row on which the metric is known. */
typedef struct known_row {
    const cm_row_group *group;
    size_t row;
    double value;
} known_row;

typedef struct solver {
    cm_audit *audit;
    const cm_claimed_metric *metric;
    size_t known_count;
    known_row *known;
    size_t count; /* of events */
    const char *events[MOST_EVENTS];
    size_t row_count, telling;
    double *signature; /* 1 a row, 0 if the metric is not exercised */
    double *counts[MOST_EVENTS];
    cm_judge_term terms[MOST_EVENTS];
    double coefficients[MOST_EVENTS];
} solver;

/* ---- events ---- */

static void add_event(solver *in, const char *event)
{
    if (CM_FIND(event, in->events, in->count) == in->count && in->count < MOST_EVENTS)
        in->events[in->count++] = event;
}

static size_t base_length(const char *event)
{
    return strcspn(event, ":");
}

/* Events of the group that the formula needs, and behind them those with the same base names. */
static void choose_events(solver *in, const cm_row_group *group, const cm_formulas *formulas, size_t formula)
{
    size_t count = 0, parts[CM_MOST_PARTS];
    const size_t *needs = cm_formulas_needs(formulas, formula, &count);
    for (size_t i = 0; i < count; i++) {
        bool event = cm_formulas_quantity_kind(formulas, needs[i]) == CM_QUANTITY_EVENT;
        const char *name = cm_formulas_quantity_name(formulas, needs[i]);
        size_t found = event ? cm_audit_find_parts(in->audit, group->names, name, parts) : 0;
        for (size_t part = 0; part < found; part++)
            add_event(in, group->events[parts[part]]);
    }
    for (size_t own = in->count, i = 0; i < group->event_count; i++)
        for (size_t k = 0; k < own; k++) {
            size_t length = base_length(in->events[k]);
            if (length == base_length(group->events[i]) && strncmp(in->events[k], group->events[i], length) == 0)
                add_event(in, group->events[i]);
        }
}

/* ---- rows ---- */

/* *counted: one an event. False if the group does not have them all. */
static bool find_counted_events(const solver *in, const cm_row_group *group, const cm_row_event **counted)
{
    for (size_t i = 0; i < in->count; i++) {
        size_t place = 0, count = 0;
        if (cm_event_names_find(group->names, in->events[i], &place, 1, &count) != CM_NAME_FOUND ||
            group->counted[place].counts == NULL)
            return false;
        counted[i] = &group->counted[place];
    }
    return true;
}

/* Divided by the metric's value there, so that all rows weigh the same; rows without an event's count are left out. */
static void add_known_row(solver *in, const cm_row_event *const *counted, const known_row *known)
{
    for (size_t i = 0; i < in->count; i++)
        if (isnan(counted[i]->counts[known->row]))
            return;
    double size = known->value > 0.0 ? known->value : 1.0;
    in->signature[in->row_count] = known->value / size;
    for (size_t i = 0; i < in->count; i++)
        in->counts[i][in->row_count] = counted[i]->counts[known->row] / size;
    in->telling += known->value > 0.0;
    in->row_count++;
}

/* The rows of a group are one behind the other. */
static void add_rows(solver *in)
{
    const cm_row_event *counted[MOST_EVENTS];
    bool all = false;
    in->row_count = in->telling = 0;
    for (size_t i = 0; i < in->known_count; i++) {
        if (i == 0 || in->known[i].group != in->known[i - 1].group)
            all = find_counted_events(in, in->known[i].group, counted);
        if (all)
            add_known_row(in, counted, &in->known[i]);
    }
}

static void know_rows(solver *in, const cm_row_group *group)
{
    for (size_t row = 0; row < group->row_count; row++) {
        double allowed = 0.0, tolerated = 0.0;
        double value = cm_claimed_value(in->metric, group, row, &allowed, &tolerated);
        if (!isnan(value) && value >= 0.0 && allowed <= most_open * fmax(value, 1.0))
            in->known[in->known_count++] = (known_row){group, row, value};
    }
}

static size_t count_rows(const cm_audit *audit)
{
    size_t count = audit->programs != NULL ? audit->programs->rows.row_count : 0;
    for (size_t i = 0; i < audit->context_count; i++)
        count += audit->kernels[i]->row_count;
    return count;
}

/* Gathers the rows on which the metric's value is known, and allocates the equations. */
static cm_status gather_rows(solver *in, cm_error *error)
{
    size_t rows = count_rows(in->audit);
    if (!CM_ALLOCATE(in->known, rows + 1) || !CM_ALLOCATE(in->signature, (MOST_EVENTS + 1) * (rows + 1)))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < MOST_EVENTS; i++)
        in->counts[i] = in->signature + (i + 1) * (rows + 1);
    for (size_t i = 0; i < in->audit->context_count; i++)
        know_rows(in, in->audit->kernels[i]);
    if (in->audit->programs != NULL)
        know_rows(in, &in->audit->programs->rows);
    return CM_OK;
}

/* ---- the definition ---- */

/* Keeps the solved sum, without terms of 0, as the definition that would be right. */
static cm_status keep_solved_definition(solver *in, cm_audited_sum *sum, cm_error *error)
{
    cm_defined_term *terms = cm_arena_allocate(&in->audit->arena, in->count * sizeof *terms);
    if (terms == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < in->count; i++)
        if (in->coefficients[i] != 0.0)
            terms[sum->definition_count++] =
                (cm_defined_term){.event = in->events[i], .coefficient = in->coefficients[i]};
    sum->definition = terms;
    return CM_OK;
}

/* Solves for the coefficients with which the chosen events are the metric on all rows. */
static cm_status solve_sum(solver *in, bool *found, cm_error *error)
{
    for (size_t i = 0; i < in->count; i++)
        in->terms[i] = (cm_judge_term){0.0, CM_EVENT_SELECTED, 0.0, in->counts[i]};
    const cm_judge_case asked = {.symbol_count = in->row_count,
                                 .signature = in->signature,
                                 .alpha = tolerance,
                                 .residual = tolerance,
                                 .factor = 1.0,
                                 .term_count = in->count,
                                 .terms = in->terms};
    return cm_judge_repair(&asked, in->coefficients, found, error);
}

/* Solves over the chosen events if the metric is there on enough rows. */
static cm_status try_events(solver *in, bool *found, cm_error *error)
{
    add_rows(in);
    return in->count > 0 && in->telling >= LEAST_SOLVED_ROWS ? solve_sum(in, found, error) : CM_OK;
}

/* Each event of the group by itself. */
static cm_status try_singles(solver *in, const cm_row_group *group, bool *found, cm_error *error)
{
    cm_status status = CM_OK;
    in->count = 1;
    for (size_t i = 0; status == CM_OK && !*found && i < group->event_count; i++) {
        in->events[0] = group->events[i];
        status = try_events(in, found, error);
    }
    return status;
}

/* Tries events of each benchmark together, then one by one. */
static cm_status try_groups(solver *in, const cm_formulas *formulas, size_t formula, bool *found, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && !*found && i < in->audit->context_count; i++) {
        in->count = 0;
        choose_events(in, in->audit->kernels[i], formulas, formula);
        status = try_events(in, found, error);
    }
    for (size_t i = 0; status == CM_OK && !*found && i < in->audit->context_count; i++)
        status = try_singles(in, in->audit->kernels[i], found, error);
    return status;
}

/* Whether the results' own definition is right on the kernels, and no program refutes it. */
static bool definition_holds(const cm_audit *audit, const cm_defined_metric *metric)
{
    return metric != NULL && metric->composable &&
           !(metric->validation_count > 0 &&
             metric->validation_median > CM_VALIDATION_FACTOR * cm_audit_residual(audit, metric->benchmark));
}

cm_status cm_audit_find_right(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                              const cm_claimed_metric *metric, cm_audited_sum *sum, cm_error *error)
{
    solver in = {.audit = audit, .metric = metric};
    bool found = false;
    if (definition_holds(audit, metric->metric)) {
        sum->definition_count = metric->metric->term_count;
        sum->definition = metric->metric->terms;
        return CM_OK;
    }
    cm_status status = gather_rows(&in, error);
    CM_THEN(status, try_groups(&in, formulas, formula, &found, error));
    CM_FREE(in.signature, in.known);
    return status == CM_OK && found ? keep_solved_definition(&in, sum, error) : status;
}
