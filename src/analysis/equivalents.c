/* Events that are multiples of each other. */
#include "analysis/state.h"

/* The square of ||x - c y|| with the best c, computed directly: a difference of squares would end at 1e-8. */
static double squared_distance(const double *x, const double *y, size_t count)
{
    double factor = cm_vector_factor(x, y, count);
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        double difference = x[i] - factor * y[i];
        sum += difference * difference;
    }
    return sum;
}

ptrdiff_t cm_equivalent_column(const double *column, const cm_matrix *selected, double alpha)
{
    if (cm_score(column, selected->rows, alpha) == 0.0)
        return -1;
    double closest = alpha * alpha * cm_vector_dot(column, column, selected->rows);
    ptrdiff_t found = -1;
    for (size_t k = 0; k < selected->columns; k++) {
        double distance = squared_distance(column, cm_matrix_column(selected, k), selected->rows);
        if (found < 0 ? distance <= closest : distance < closest) {
            closest = distance;
            found = (ptrdiff_t)k;
        }
    }
    return found;
}

/* ---- all events that measure the same, ordered by noise ---- */

typedef struct ranked_equivalent {
    cm_equivalent_event equivalent;
    double noise;
} ranked_equivalent;

static int compare_noise(const void *left, const void *right)
{
    const ranked_equivalent *a = left, *b = right;
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

/* Fills `list`, which has room for all events, and gives the number. */
static size_t find_equivalents(const cm_analysis *analysis, size_t event, ranked_equivalent *list)
{
    size_t symbols = analysis->basis->columns, count = 0;
    const double *own = analysis->events[event].representation;
    cm_matrix column = {.rows = symbols, .columns = 1, .values = (double *)own};
    for (size_t i = 0; i < analysis->event_count; i++) {
        const cm_event_analysis *other = &analysis->events[i];
        if (i == event || !may_be_equivalent(other, &analysis->events[event]) ||
            cm_equivalent_column(other->representation, &column, analysis->thresholds.alpha) < 0)
            continue;
        double factor = cm_vector_dot(other->representation, own, symbols) / cm_vector_dot(own, own, symbols);
        list[count++] = (ranked_equivalent){{i, factor}, isnan(other->max_rnmse) ? 0.0 : other->max_rnmse};
    }
    return count;
}

cm_status cm_equivalents_create(const cm_analysis *analysis, size_t event, cm_equivalent_event **equivalents,
                                size_t *count, cm_error *error)
{
    if (analysis == NULL || !analysis->pivoted || event >= analysis->event_count ||
        analysis->events[event].representation == NULL)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "equivalents need an event with a representation");
    ranked_equivalent *list = malloc((analysis->event_count + 1) * sizeof *list);
    size_t found = list != NULL ? find_equivalents(analysis, event, list) : 0;
    cm_equivalent_event *created = list != NULL ? malloc((found + 1) * sizeof *created) : NULL;
    if (created != NULL) {
        qsort(list, found, sizeof *list, compare_noise);
        for (size_t i = 0; i < found; i++)
            created[i] = list[i].equivalent;
        *equivalents = created;
        *count = found;
    }
    free(list);
    return created != NULL ? CM_OK : cm_error_no_memory(error);
}
