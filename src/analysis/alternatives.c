/* The same metric from other events. */
#include <stdlib.h>
#include <string.h>

#include "analysis/pivoting.h"
#include "analysis/subset.h"
#include "core/error.h"

enum { MOST = 2 };

typedef struct search {
    const cm_analysis *analysis;
    const double *signature;
    bool *used; /* events of definitions so far */
    size_t *candidates, *chosen;
    const double **columns;
} search;

/* Selects among the events that are not used and solves; `shared` may be used again, CM_NO_EVENT: none. */
static cm_status solve_without(search *work, ptrdiff_t shared, cm_definition *definition, cm_error *error)
{
    const cm_analysis *analysis = work->analysis;
    size_t count = cm_analysis_candidates(analysis, analysis->thresholds.tau, work->candidates, work->columns);
    size_t kept = 0, chosen = 0;
    for (size_t i = 0; i < count; i++) {
        if (work->used[work->candidates[i]] && (ptrdiff_t)work->candidates[i] != shared)
            continue;
        work->candidates[kept] = work->candidates[i];
        work->columns[kept++] = work->columns[i];
    }
    cm_status status =
        cm_analysis_pivot(analysis, work->columns, kept, analysis->thresholds.alpha, work->chosen, &chosen, error);
    for (size_t k = 0; status == CM_OK && k < chosen; k++)
        work->chosen[k] = work->candidates[work->chosen[k]];
    return status == CM_OK ? cm_define_over(analysis, work->signature, work->chosen, chosen, definition, error)
                           : status;
}

/* The next definition; not composable where there is none. `first`: events of the definition to differ from. */
static cm_status find_next(search *work, const size_t *first, size_t first_count, cm_definition *definition,
                           cm_error *error)
{
    cm_status status = solve_without(work, CM_NO_EVENT, definition, error);
    for (size_t k = 0; status == CM_OK && !definition->composable && first_count > 1 && k < first_count; k++) {
        cm_definition_clear(definition);
        status = solve_without(work, (ptrdiff_t)first[k], definition, error);
    }
    return status;
}

static cm_status find_all(search *work, const size_t *first, size_t first_count, cm_definition *list, size_t *count,
                          cm_error *error)
{
    for (size_t k = 0; k < first_count; k++)
        work->used[first[k]] = true;
    cm_status status = CM_OK;
    for (*count = 0; *count < MOST; ++*count) {
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
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "alternatives need a composable definition");
    size_t events = analysis->event_count, symbols = analysis->basis->columns, terms = 0;
    search work = {.analysis = analysis, .signature = signature};
    work.used = calloc(events + 1, sizeof *work.used);
    work.candidates = malloc((events + 1) * sizeof *work.candidates);
    work.columns = malloc((events + 1) * sizeof *work.columns);
    work.chosen = malloc(symbols * sizeof *work.chosen);
    size_t *first = malloc(symbols * sizeof *first);
    cm_definition *list = calloc(MOST, sizeof *list);
    cm_status status = CM_OK;
    if (work.used == NULL || work.candidates == NULL || work.columns == NULL || work.chosen == NULL || first == NULL ||
        list == NULL)
        status = cm_error_no_memory(error);
    for (size_t k = 0; status == CM_OK && k < fit->term_count; k++)
        if (fit->rounded[k] != 0.0)
            first[terms++] = analysis->selected[k];
    size_t found = 0;
    if (status == CM_OK)
        status = find_all(&work, first, terms, list, &found, error);
    free(work.used);
    free(work.candidates);
    free(work.columns);
    free(work.chosen);
    free(first);
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
