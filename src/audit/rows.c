#include "audit/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rules.h"
#include "core/error.h"
#include "tables/find_tables.h"

static const double least_tolerance = 1e-2;

/* The basis that the results were made with: ours, where it has their kernels and symbols. *basis stays NULL where it
 * is another one. */
static cm_status find_basis(const cm_defined_benchmark *benchmark, cm_basis **basis, cm_error *error)
{
    char *path = NULL;
    cm_basis *whole = NULL, *own = NULL;
    cm_error none;
    cm_status status =
        cm_find_tables(benchmark->benchmark, benchmark->kernel_count, benchmark->kernels, &path, NULL, &none);
    if (status == CM_OK)
        status = cm_basis_load(path, &whole, &none);
    if (status == CM_OK)
        status = cm_basis_restrict_create(whole, benchmark->kernel_count, benchmark->kernels, &own, &none);
    bool same = status == CM_OK && own->symbol_count == benchmark->symbol_count;
    for (size_t i = 0; same && i < own->symbol_count; i++)
        same = strcmp(own->symbols[i], benchmark->symbols[i]) == 0;
    if (same) {
        *basis = own;
        own = NULL;
    }
    cm_basis_free(own);
    cm_basis_free(whole);
    free(path);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

static double largest_of(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static double or_none(double figure)
{
    return isnan(figure) ? 0.0 : figure;
}

static cm_status fill_event(const cm_defined_event *event, const cm_defined_benchmark *benchmark, const cm_basis *basis,
                            cm_arena *arena, cm_row_event *row, cm_error *error)
{
    size_t count = benchmark->kernel_count;
    *row = (cm_row_event){
        .status = event->status, .counts = event->counts, .shift = event->max_rnmse > 0.0 ? least_tolerance : 0.0};
    bool zero = event->status == CM_EVENT_ZERO;
    bool represented = event->representation != NULL && basis != NULL &&
                       (event->status == CM_EVENT_SELECTED || event->status == CM_EVENT_DEPENDENT);
    if (event->counts != NULL)
        row->uncertainty = or_none(event->max_rnmse) * largest_of(event->counts, count);
    if (event->counts != NULL || (!zero && !represented))
        return CM_OK;
    double *counts = cm_arena_allocate(arena, (count + 1) * sizeof *counts);
    if (counts == NULL)
        return cm_error_no_memory(error);
    for (size_t k = 0; k < count; k++) {
        counts[k] = 0.0;
        for (size_t j = 0; represented && j < benchmark->symbol_count; j++)
            counts[k] += *cm_matrix_at(basis->expectations, k, j) * event->representation[j];
    }
    row->counts = counts;
    row->uncertainty = zero ? 0.0 : or_none(event->residual) * largest_of(counts, count);
    return CM_OK;
}

cm_status cm_row_group_of_benchmark(const cm_definitions *definitions, size_t benchmark, const cm_fact_table *facts,
                                    const cm_event_names *names, cm_arena *arena, cm_row_group *group, cm_error *error)
{
    const cm_defined_benchmark *defined = cm_definitions_benchmark(definitions, benchmark);
    cm_basis *basis = NULL;
    cm_status status = find_basis(defined, &basis, error);
    const char **events = cm_arena_allocate(arena, (defined->event_count + 1) * sizeof *events);
    *group = (cm_row_group){.name = defined->benchmark,
                            .names = names,
                            .event_count = defined->event_count,
                            .events = events,
                            .counted = cm_arena_allocate(arena, (defined->event_count + 1) * sizeof *group->counted),
                            .row_count = defined->kernel_count,
                            .rows = defined->kernels,
                            .facts = cm_arena_allocate(arena, (defined->kernel_count + 1) * sizeof *group->facts),
                            .basis = basis,
                            .tolerance = fmin(defined->residual, fmax(defined->alpha, least_tolerance)),
                            .iterations = cm_the_rules.random_iterations,
                            .overhead = cm_the_rules.run_overhead};
    if (status == CM_OK && (events == NULL || group->counted == NULL || group->facts == NULL))
        status = cm_error_no_memory(error);
    for (size_t k = 0; k < defined->kernel_count && status == CM_OK; k++)
        group->facts[k] = cm_fact_table_find(facts, defined->benchmark, defined->kernels[k]);
    for (size_t i = 0; i < defined->event_count && status == CM_OK; i++) {
        const cm_defined_event *event = cm_definitions_event(definitions, benchmark, i);
        events[i] = event->event;
        status = fill_event(event, defined, basis, arena, &group->counted[i], error);
    }
    return status;
}
