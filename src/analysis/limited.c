/* The best definition with few events: all combinations out of a pool are tried. */
#include "analysis/state.h"

enum { MOST_COMBINATIONS = 50000, MOST_EVENTS = 64 };

typedef struct pooled {
    size_t event;
    double nearness; /* cosine to the signature, in magnitude; 2 for selected events */
} pooled;

static int compare_nearness(const void *left, const void *right)
{
    const pooled *a = left, *b = right;
    if (a->nearness != b->nearness)
        return a->nearness > b->nearness ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

/* The number of sets of at most `most` of `pool` events. */
static double combinations(size_t pool, size_t most)
{
    double sum = 0.0, product = 1.0;
    for (size_t k = 1; k <= most && k <= pool; k++) {
        product *= (double)(pool - k + 1) / (double)k;
        sum += product;
    }
    return sum;
}

/* Selected events first, of the dependent ones those nearest to the signature. Returns how many are to be tried. */
static size_t fill_pool(const cm_analysis *analysis, const double *signature, size_t most, pooled *pool)
{
    size_t symbols = analysis->basis->columns, count = 0;
    double size = cm_vector_norm(signature, symbols);
    for (size_t i = 0; i < analysis->event_count; i++) {
        const cm_event_analysis *event = &analysis->events[i];
        if (event->status == CM_EVENT_SELECTED)
            pool[count++] = (pooled){i, 2.0};
        else if (event->status == CM_EVENT_DEPENDENT && event->equivalent_to == CM_NO_EVENT) {
            double norm = cm_vector_norm(event->representation, symbols);
            pool[count++] = (pooled){i, fabs(cm_vector_dot(event->representation, signature, symbols)) /
                                            (size * fmax(norm, 1e-300))};
        }
    }
    qsort(pool, count, sizeof *pool, compare_nearness);
    size_t tried = count < MOST_EVENTS ? count : MOST_EVENTS;
    while (tried > analysis->selected_count && combinations(tried, most) > MOST_COMBINATIONS)
        tried--;
    return tried;
}

/* Whether one definition is to be preferred: the one that holds, is nearer, shorter, quieter. */
static bool is_better(const cm_definition *one, const cm_definition *other)
{
    if (one->composable != other->composable)
        return one->composable;
    /* Equal but for rounding errors: fewer events, then less noise. */
    if (fabs(one->fitness.misfit - other->fitness.misfit) > 1e-9)
        return one->fitness.misfit < other->fitness.misfit;
    if (one->count != other->count)
        return one->count < other->count;
    return one->fitness.amplification < other->fitness.amplification - 1e-9;
}

/* The next combination of `count` indices below `pool` in lexical order; false after the last. */
static bool advance_combination(size_t *indices, size_t count, size_t pool)
{
    for (size_t k = count; k-- > 0;)
        if (indices[k] < pool - count + k) {
            indices[k]++;
            for (size_t j = k + 1; j < count; j++)
                indices[j] = indices[j - 1] + 1;
            return true;
        }
    return false;
}

/* Tries all combinations of so many events, and keeps the best definition. */
static cm_status try_all(const cm_analysis *analysis, const double *signature, const pooled *pool, size_t tried,
                         size_t count, cm_definition *best, cm_error *error)
{
    size_t indices[MOST_EVENTS], events[MOST_EVENTS];
    for (size_t k = 0; k < count; k++)
        indices[k] = k;
    do {
        cm_definition now;
        for (size_t k = 0; k < count; k++)
            events[k] = pool[indices[k]].event;
        cm_status status = cm_define_over(analysis, signature, events, count, &now, error);
        if (status != CM_OK)
            return status;
        if (is_better(&now, best)) {
            cm_definition worse = *best;
            *best = now;
            now = worse;
        }
        cm_definition_clear(&now);
    } while (advance_combination(indices, count, tried));
    return CM_OK;
}

cm_status cm_analysis_define_with(const cm_analysis *analysis, const double *signature, size_t most,
                                  cm_definition **definition, cm_error *error)
{
    if (analysis == NULL || !analysis->pivoted || signature == NULL || most == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a definition needs at least one event");
    pooled *pool = malloc((analysis->event_count + 1) * sizeof *pool);
    cm_definition *best = calloc(1, sizeof *best);
    cm_status status = pool != NULL && best != NULL ? cm_define_over(analysis, signature, NULL, 0, best, error)
                                                    : cm_error_no_memory(error);
    if (status == CM_OK) {
        size_t tried = fill_pool(analysis, signature, most, pool);
        for (size_t count = 1; status == CM_OK && count <= most && count <= tried &&
                               count <= analysis->basis->columns && !best->composable;
             count++)
            status = try_all(analysis, signature, pool, tried, count, best, error);
    }
    free(pool);
    if (status != CM_OK) {
        cm_definition_free(best, best != NULL);
        return status;
    }
    *definition = best;
    return CM_OK;
}
