/* Finds other definitions of a metric, from other events. */
#include "analysis/state.h"

enum { MOST_DEFINITIONS = 2 };

typedef struct search {
    const double *signature;
    bool *used; /* events of definitions so far */
    cm_selector selector;
} search;

/* Selects among the events that are not used and solves. */
static cm_status solve_without(search *work, cm_definition *definition, cm_error *error)
{
    cm_selector *selector = &work->selector;
    const cm_analysis *analysis = selector->analysis;
    cm_selector_gather(selector, analysis->thresholds.tau, work->used);
    cm_status status = cm_selector_choose(selector, analysis->thresholds.alpha, error);
    return status == CM_OK
               ? cm_define_over(analysis, work->signature, selector->chosen, selector->chosen_count, definition, error)
               : status;
}

/* The next definition; not composable if there is none. `first`: events of the definition to differ from. */
static cm_status find_next(search *work, const size_t *first, size_t first_count, cm_definition *definition,
                           cm_error *error)
{
    cm_status status = solve_without(work, definition, error);
    for (size_t k = 0; status == CM_OK && !definition->composable && first_count > 1 && k < first_count; k++) {
        cm_definition_clear(definition);
        work->used[first[k]] = false;
        status = solve_without(work, definition, error);
        work->used[first[k]] = true;
    }
    return status;
}

/* Finds definitions one after another, none with an event of those before. */
static cm_status find_all(search *work, const size_t *first, size_t first_count, cm_definition *list, size_t *count,
                          cm_error *error)
{
    for (size_t k = 0; k < first_count; k++)
        work->used[first[k]] = true;
    cm_status status = CM_OK;
    for (*count = 0; *count < MOST_DEFINITIONS; ++*count) {
        cm_definition *next = &list[*count];
        status = find_next(work, first, first_count, next, error);
        if (status != CM_OK || !next->composable) {
            cm_definition_clear(next);
            break;
        }
        for (size_t k = 0; k < next->count; k++)
            work->used[next->events[k]] = true;
    }
    return status;
}

cm_status cm_analysis_alternatives(const cm_analysis *analysis, const double *signature, const cm_fit *fit,
                                   cm_definition **alternatives, size_t *count, cm_error *error)
{
    if (analysis == NULL || !analysis->pivoted || signature == NULL || fit == NULL || !fit->composable)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "alternatives need a composable definition");
    size_t terms = 0, found = 0;
    search work = {.signature = signature, .used = calloc(analysis->event_count + 1, sizeof *work.used)};
    size_t *first = malloc((fit->term_count + 1) * sizeof *first);
    cm_definition *list = calloc(MOST_DEFINITIONS, sizeof *list);
    cm_status status = cm_selector_make(analysis, &work.selector, error);
    if (work.used == NULL || first == NULL || list == NULL)
        status = cm_error_no_memory(error);
    for (size_t k = 0; status == CM_OK && k < fit->term_count; k++)
        if (fit->rounded[k] != 0.0)
            first[terms++] = analysis->selected[k];
    CM_THEN(status, find_all(&work, first, terms, list, &found, error));
    free(work.used);
    free(first);
    cm_selector_clear(&work.selector);
    if (status != CM_OK) {
        cm_definition_free(list, found);
        return status;
    }
    *alternatives = list;
    *count = found;
    return CM_OK;
}

void cm_definition_free(cm_definition *definitions, size_t count)
{
    for (size_t i = 0; definitions != NULL && i < count; i++)
        cm_definition_clear(&definitions[i]);
    free(definitions);
}
