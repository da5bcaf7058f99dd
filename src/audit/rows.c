/* The kernels on which formulas are judged, and the facts of each. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "audit/audit.h"

static const double least_tolerance = 1e-2;
static const double random_iterations = 65536.0; /* that sweeps run at least of kernels whose facts chance decides */
static const double run_overhead = 0.01; /* call, return and branches of a run come to no more in an iteration */

/* The basis of the results: the caller's, or ours if it has their kernels. NULL if there is none. */
static cm_status load_basis(const cm_defined_benchmark *benchmark, const char *own, cm_basis **whole, cm_error *error)
{
    char *path = NULL;
    cm_error none;
    cm_status status = CM_OK;
    if (own == NULL)
        status = cm_find_tables(benchmark->benchmark, benchmark->kernel_count, benchmark->kernels, false, &path, NULL,
                                &none);
    CM_THEN(status, cm_basis_load(own != NULL ? own : path, whole, &none));
    free(path);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* The rows of the kernels that are fitted; NULL if the symbols are others than those of the results. */
static cm_status restrict_basis(const cm_defined_benchmark *benchmark, const cm_basis *whole, cm_basis **basis,
                                cm_error *error)
{
    cm_basis *own = NULL;
    cm_error none;
    cm_status status = cm_basis_restrict_create(whole, benchmark->kernel_count, benchmark->kernels, &own, &none);
    bool same = status == CM_OK && own->symbol_count == benchmark->symbol_count;
    for (size_t i = 0; same && i < own->symbol_count; i++)
        same = strcmp(own->symbols[i], benchmark->symbols[i]) == 0;
    if (same)
        *basis = own;
    else
        cm_basis_free(own);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* Takes a row over, by the names of symbols. Not one that does something of a symbol that the results lack. */
static cm_status take_kernel_row(const cm_defined_benchmark *benchmark, const cm_basis *from, size_t kernel,
                                 cm_arena *arena, const double **does, cm_error *error)
{
    double *values = cm_arena_allocate(arena, (benchmark->symbol_count + 1) * sizeof *values);
    bool known = true;
    if (values == NULL)
        return cm_error_no_memory(error);
    memset(values, 0, (benchmark->symbol_count + 1) * sizeof *values);
    for (size_t j = 0; j < from->symbol_count; j++) {
        size_t place = CM_FIND(from->symbols[j], benchmark->symbols, benchmark->symbol_count);
        double value = *cm_matrix_at(from->expectations, kernel, j);
        known = known && (place < benchmark->symbol_count || value == 0.0);
        values[place] = value;
    }
    *does = known ? values : NULL;
    return CM_OK;
}

/* The facts of the caller's own controls. */
static cm_status take_controls(const cm_defined_benchmark *benchmark, const cm_basis *whole, const char *path,
                               cm_arena *arena, cm_row_group *group, cm_error *error)
{
    cm_basis *controls = NULL;
    cm_status status = cm_basis_load_controls(path, whole, &controls, error);
    for (size_t i = group->control; i < group->row_count && status == CM_OK; i++) {
        size_t at = CM_FIND(group->rows[i], controls->kernels, controls->kernel_count);
        if (at < controls->kernel_count)
            status = take_kernel_row(benchmark, controls, at, arena, &group->does[i], error);
    }
    cm_basis_free(controls);
    return status;
}

/* The symbols of the rows, if the basis of the results is known. */
static cm_status find_does(const cm_defined_benchmark *benchmark, cm_own_tables own, cm_arena *arena,
                           cm_row_group *group, cm_error *error)
{
    cm_basis *whole = NULL, *basis = NULL;
    group->does = cm_arena_allocate(arena, (group->row_count + 1) * sizeof *group->does);
    cm_status status =
        group->does != NULL ? load_basis(benchmark, own.basis, &whole, error) : cm_error_no_memory(error);
    for (size_t i = 0; i < group->row_count && status == CM_OK; i++)
        group->does[i] = NULL;
    if (status == CM_OK && whole != NULL)
        status = restrict_basis(benchmark, whole, &basis, error);
    for (size_t i = 0; basis != NULL && i < group->control && status == CM_OK; i++)
        status = take_kernel_row(benchmark, basis, i, arena, &group->does[i], error);
    if (basis != NULL && own.controls != NULL && status == CM_OK)
        status = take_controls(benchmark, whole, own.controls, arena, group, error);
    cm_basis_free(whole);
    cm_basis_free(basis);
    return status;
}

/* An event's counts on the fitted kernels: as counted, or by its representation. False if neither is known. */
static bool fill_fitted(const cm_defined_event *event, const cm_row_group *group, double *counts, double *uncertain)
{
    size_t count = group->control;
    bool zero = event->status == CM_EVENT_ZERO;
    bool represented = event->representation != NULL && count > 0 && group->does[0] != NULL &&
                       (event->status == CM_EVENT_SELECTED || event->status == CM_EVENT_DEPENDENT);
    for (size_t k = 0; k < count; k++) {
        counts[k] = event->counts != NULL ? event->counts[k] : 0.0;
        for (size_t j = 0; event->counts == NULL && represented && j < group->symbol_count; j++)
            counts[k] += group->does[k][j] * event->representation[j];
    }
    double share = event->counts != NULL ? event->max_rnmse : event->residual;
    for (size_t k = 0; k < count; k++)
        uncertain[k] = zero ? 0.0 : (isnan(share) ? 0.0 : share) * cm_vector_largest(counts, count);
    return event->counts != NULL || zero || represented;
}

/* Likewise on the controls. */
static void fill_controls(const cm_defined_event *event, const cm_defined_benchmark *benchmark, double *counts,
                          double *uncertain)
{
    for (size_t i = 0; i < benchmark->control_count; i++) {
        counts[i] = NAN;
        if (event->control_counts == NULL)
            continue;
        counts[i] = event->control_counts[i];
        uncertain[i] =
            cm_the_rules.z * event->control_errors[i] + event->control_strays / benchmark->control_iterations[i];
    }
}

/* The benchmark of a kernel on which the event counts, of all that the law uses: those of free facts are no rows. NULL:
 * it counts on none. */
static const char *benchmark_that_counts(const cm_defined_event *event, const cm_defined_benchmark *benchmark)
{
    for (size_t i = 0; i < event->law_count; i++)
        if (event->law_means[i] > CM_HALF_A_COUNT)
            return benchmark->law_kernels[event->law_places[i]].benchmark;
    return NULL;
}

/* Fills an event's counts on all rows of the group, and how far each may be off. */
static cm_status fill_event(const cm_defined_event *event, const cm_defined_benchmark *benchmark,
                            const cm_row_group *group, cm_arena *arena, cm_row_event *row, cm_error *error)
{
    size_t fitted = group->control, count = group->row_count;
    double *counts = cm_arena_allocate(arena, 2 * (count + 1) * sizeof *counts);
    if (counts == NULL)
        return cm_error_no_memory(error);
    double *uncertain = counts + count;
    *row = (cm_row_event){.status = event->status,
                          .shift = event->max_rnmse > 0.0 ? least_tolerance : 0.0,
                          .exact = event->max_rnmse == 0.0 || (isnan(event->max_rnmse) && isinf(benchmark->tau)),
                          .happens_in = benchmark_that_counts(event, benchmark)};
    if (!fill_fitted(event, group, counts, uncertain))
        return CM_OK;
    fill_controls(event, benchmark, counts + fitted, uncertain + fitted);
    row->counts = counts;
    row->uncertain = uncertain;
    return CM_OK;
}

cm_status cm_row_group_skip(cm_row_group *group, const cm_fact_table *facts, cm_arena *arena, cm_error *error)
{
    bool *skipped = cm_arena_allocate(arena, (group->row_count + 1) * sizeof *skipped);
    if (skipped == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < group->row_count; i++)
        skipped[i] = cm_fact_table_is_lacking(facts, group->facts[i]);
    group->skipped = skipped;
    return CM_OK;
}

cm_status cm_row_group_of_benchmark(const cm_definitions *definitions, size_t benchmark, cm_own_tables own,
                                    const cm_fact_table *facts, const cm_event_names *names, cm_arena *arena,
                                    cm_row_group *group, cm_error *error)
{
    const cm_defined_benchmark *defined = cm_definitions_benchmark(definitions, benchmark);
    cm_status status = CM_OK;
    size_t rows = defined->kernel_count + defined->control_count;
    const char **events = cm_arena_allocate(arena, (defined->event_count + 1) * sizeof *events);
    const char **names_of_rows = cm_arena_allocate(arena, (rows + 1) * sizeof *names_of_rows);
    *group = (cm_row_group){.name = defined->benchmark,
                            .names = names,
                            .event_count = defined->event_count,
                            .events = events,
                            .counted = cm_arena_allocate(arena, (defined->event_count + 1) * sizeof *group->counted),
                            .row_count = rows,
                            .rows = names_of_rows,
                            .facts = cm_arena_allocate(arena, (rows + 1) * sizeof *group->facts),
                            .symbol_count = defined->symbol_count,
                            .control = defined->kernel_count,
                            .control_floor = cm_the_rules.least,
                            .control_tolerance = defined->residual,
                            .tolerance = fmin(defined->residual, fmax(defined->alpha, least_tolerance)),
                            .iterations = random_iterations,
                            .overhead = run_overhead};
    if (events == NULL || names_of_rows == NULL || group->counted == NULL || group->facts == NULL)
        status = cm_error_no_memory(error);
    if (status == CM_OK) {
        /* Its kernels, and its controls after them. */
        for (size_t k = 0; k < group->row_count; k++) {
            names_of_rows[k] =
                k < defined->kernel_count ? defined->kernels[k] : defined->controls[k - defined->kernel_count];
            group->facts[k] = cm_fact_table_find(facts, defined->benchmark, names_of_rows[k]);
        }
        status = cm_row_group_skip(group, facts, arena, error);
    }
    CM_THEN(status, find_does(defined, own, arena, group, error));
    for (size_t i = 0; i < defined->event_count && status == CM_OK; i++) {
        const cm_defined_event *event = cm_definitions_event(definitions, benchmark, i);
        events[i] = event->event;
        status = fill_event(event, defined, group, arena, &group->counted[i], error);
    }
    return status;
}

bool cm_row_group_counts(const cm_row_group *group, size_t event, size_t first, double least)
{
    const cm_row_event *counted = &group->counted[event];
    bool counts = false;
    for (size_t row = first; counted->counts != NULL && row < group->row_count && !counts; row++)
        counts = fabs(counted->counts[row]) > fmax(counted->uncertain != NULL ? counted->uncertain[row] : 0.0, least);
    return counts;
}
