/* What results know of their definitions. */
#include "discovery/benchmark_result.h"
#include "discovery/together.h"

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

static cm_status try_group(const cm_benchmark_result *result, cm_event_group group, cm_error *error)
{
    cm_counted_together together = CM_TOGETHER_UNKNOWN;
    return cm_tried_sets_ask(result->tried, &group, &together, NULL, error);
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
    return status == CM_OK ? cm_try_groups(result, error) : status;
}
