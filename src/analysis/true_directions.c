#include "analysis/true_directions.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/linear.h"
#include "analysis/vector.h"
#include "core/error.h"

static const double rounding_error = 1e-9; /* what rounding may leave of an exact event */

static bool is_true(const cm_analysis *analysis, const cm_event_analysis *event)
{
    double residual = analysis->use_offsets ? event->offset_residual : event->residual;
    return cm_event_representable(analysis, event) && event->noise <= analysis->thresholds.residual &&
           (analysis->conditions != NULL || residual <= fmax(event->noise, rounding_error));
}

/* R x, as long as E x and at the same angles to others: what the event counts in the kernels, S elements for N. */
static void counts_of(const cm_least_squares *basis, const double *representation, double *counts)
{
    size_t symbols = basis->columns;
    for (size_t i = 0; i < symbols; i++)
        counts[i] = 0.0;
    for (size_t j = 0; j < symbols; j++)
        cm_vector_add(counts, representation[j], basis->triangle + j * symbols, j + 1);
}

cm_status cm_true_directions(const cm_analysis *analysis, const size_t *order, size_t count, size_t *needed,
                             cm_error *error)
{
    size_t symbols = analysis->basis->columns, found = 0;
    double *directions = malloc((symbols + 1) * symbols * sizeof *directions);
    if (directions == NULL)
        return cm_error_no_memory(error);
    *needed = 0;
    for (size_t i = 0; i < count && found < symbols; i++) {
        const cm_event_analysis *event = &analysis->events[order[i]];
        if (!is_true(analysis, event))
            continue;
        double *part = directions + found * symbols;
        counts_of(analysis->basis, event->representation, part);
        if (!cm_extend_directions(directions, found, symbols, analysis->thresholds.residual))
            continue;
        found++;
        *needed = i + 1;
    }
    free(directions);
    return CM_OK;
}
