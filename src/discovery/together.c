/* Definitions as event sets: each one, and several side by side as performance groups have them. */
#include "discovery/results.h"

typedef struct group {
    size_t count, events[CM_GROUP_COUNTERS];
} group;

static bool group_has(const group *one, size_t event)
{
    for (size_t i = 0; i < one->count; i++)
        if (one->events[i] == event)
            return true;
    return false;
}

/* False if there is no room; the group is then of no use any more. */
static bool add_fit_events(group *one, const cm_fit *fit)
{
    for (size_t k = 0; k < fit->term_count; k++) {
        if (fit->rounded[k] == 0.0 || group_has(one, fit->events[k]))
            continue;
        if (one->count == CM_GROUP_COUNTERS)
            return false;
        one->events[one->count++] = fit->events[k];
    }
    return true;
}

/* Into the first group that has room and does not refuse it, else into a new one. */
static cm_status place_fit(const cm_benchmark_result *result, const cm_fit *fit, group *groups, size_t *count,
                           cm_error *error)
{
    cm_status status = CM_OK;
    group alone = {0};
    if (!add_fit_events(&alone, fit))
        return CM_OK;
    for (size_t i = 0; status == CM_OK && i < *count; i++) {
        group wider = groups[i];
        cm_counted_together together = CM_TOGETHER_UNKNOWN;
        if (!add_fit_events(&wider, fit))
            continue;
        const cm_event_group events = {.analysis = result->analysis, .count = wider.count, .events = wider.events};
        status = cm_tried_sets_ask(result->tried, &events, &together, NULL, error);
        if (status == CM_OK && together != CM_TOGETHER_NO) {
            groups[i] = wider;
            return CM_OK;
        }
    }
    groups[(*count)++] = alone;
    return status;
}

/* Tries the definitions that hold in groups of CM_GROUP_COUNTERS events at most, as LIKWID's files will have them. */
static cm_status try_groups(const cm_benchmark_result *result, cm_error *error)
{
    size_t metrics = result->signatures->metric_count, count = 0;
    group *groups = calloc(metrics + 1, sizeof *groups);
    cm_status status = groups != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t m = 0; status == CM_OK && m < metrics; m++)
        if (result->fits[m] != NULL && result->fits[m]->composable)
            status = place_fit(result, result->fits[m], groups, &count, error);
    free(groups);
    return status;
}

cm_event_group cm_fit_group(const cm_benchmark_result *result, const cm_fit *fit)
{
    if (fit == NULL)
        return (cm_event_group){.analysis = result->analysis};
    return (cm_event_group){result->analysis, fit->term_count, fit->events, fit->rounded, false, 0, 0};
}

cm_event_group cm_definition_group(const cm_benchmark_result *result, const cm_definition *definition)
{
    return (cm_event_group){
        result->analysis, definition->count, definition->events, definition->coefficients, false, 0, 0};
}

static cm_status try_group(const cm_benchmark_result *result, cm_event_group events, cm_error *error)
{
    cm_counted_together together = CM_TOGETHER_UNKNOWN;
    return cm_tried_sets_ask(result->tried, &events, &together, NULL, error);
}

cm_status cm_try_definitions(const cm_benchmark_result *result, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t m = 0; status == CM_OK && m < result->signatures->metric_count; m++) {
        const cm_fit *fit = result->fits[m];
        const struct cm_metric_alternatives *others = &result->alternatives[m];
        if (fit != NULL)
            status = try_group(result, cm_fit_group(result, fit), error);
        for (size_t i = 0; status == CM_OK && i < others->count; i++)
            status = try_group(result, cm_definition_group(result, &others->list[i]), error);
        if (status == CM_OK && others->limited != NULL)
            status = try_group(result, cm_definition_group(result, others->limited), error);
    }
    return status == CM_OK ? try_groups(result, error) : status;
}
