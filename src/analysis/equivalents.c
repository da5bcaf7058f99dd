/* All events that measure the same, ordered by noise. */
#include <math.h>
#include <stdlib.h>

#include "analysis/equivalence.h"
#include "analysis/state.h"
#include "analysis/vector.h"
#include "core/error.h"

typedef struct ranked {
    cm_equivalent equivalent;
    double noise;
} ranked;

static int compare(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->noise != b->noise)
        return a->noise < b->noise ? -1 : 1;
    return (a->equivalent.event > b->equivalent.event) - (a->equivalent.event < b->equivalent.event);
}

/* The pivoting has found out of dependent events whether any selected one is equivalent: of a million few are. */
static bool may_be_equivalent(const cm_event_analysis *other, const cm_event_analysis *event)
{
    return other->status == CM_EVENT_SELECTED ||
           (other->status == CM_EVENT_DEPENDENT &&
            (event->status != CM_EVENT_SELECTED || other->equivalent_to != CM_NO_EVENT));
}

/* Fills `list`, which may be NULL, and gives the number. */
static size_t find(const cm_analysis *analysis, size_t event, ranked *list)
{
    size_t symbols = analysis->basis->columns, count = 0;
    const double *own = analysis->events[event].representation;
    cm_matrix column = {.rows = symbols, .columns = 1, .values = (double *)own};
    for (size_t i = 0; i < analysis->event_count; i++) {
        const cm_event_analysis *other = &analysis->events[i];
        if (i == event || !may_be_equivalent(other, &analysis->events[event]) ||
            cm_equivalent_column(other->representation, &column, analysis->thresholds.alpha) < 0)
            continue;
        if (list != NULL) {
            double factor = cm_vector_dot(other->representation, own, symbols) / cm_vector_dot(own, own, symbols);
            list[count] = (ranked){{i, factor}, isnan(other->max_rnmse) ? 0.0 : other->max_rnmse};
        }
        count++;
    }
    return count;
}

cm_status cm_equivalents_create(const cm_analysis *analysis, size_t event, cm_equivalent **equivalents, size_t *count,
                                cm_error *error)
{
    if (analysis == NULL || !analysis->pivoted || event >= analysis->event_count ||
        analysis->events[event].representation == NULL)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "equivalents need an event with a representation");
    size_t found = find(analysis, event, NULL);
    ranked *list = malloc((found + 1) * sizeof *list);
    cm_equivalent *created = malloc((found + 1) * sizeof *created);
    if (list == NULL || created == NULL) {
        free(list);
        free(created);
        return cm_error_no_memory(error);
    }
    find(analysis, event, list);
    qsort(list, found, sizeof *list, compare);
    for (size_t i = 0; i < found; i++)
        created[i] = list[i].equivalent;
    free(list);
    *equivalents = created;
    *count = found;
    return CM_OK;
}
