/* The options of an analysis: their defaults, their faults, and the request that they are for one table. */
#include "discovery/results.h"

static cm_threshold_source source_of(bool chosen, double given)
{
    return chosen ? CM_THRESHOLD_AUTO : isnan(given) ? CM_THRESHOLD_DEFAULT : CM_THRESHOLD_GIVEN;
}

cm_benchmark_request cm_analyze_request(const cm_analyze_job *job, cm_results *results,
                                        const cm_event_components *components)
{
    const cm_analyze_options *options = job->options;
    cm_benchmark_request request = {.method = options->method,
                                    .controls = job->controls,
                                    .control_count = job->control_count,
                                    .tau_source = source_of(options->tau_auto, options->tau),
                                    .alpha_source = source_of(options->alpha_auto, options->alpha),
                                    .avoid = options->avoid,
                                    .avoid_count = options->avoid_count,
                                    .only = options->only,
                                    .only_count = options->only_count,
                                    .components = components,
                                    .max_events = options->max_events,
                                    .tried = results->tried,
                                    .facts = &results->facts,
                                    .architecture =
                                        json_string_value(json_object_get(results->origin.machine, "architecture")),
                                    .deterministic = results->origin.deterministic,
                                    .leave_unknown = true,
                                    .note = options->note,
                                    .note_data = options->note_data,
                                    .with_offset_events = options->with_offset_events,
                                    .stop = options->stop,
                                    .events_detail = options->events_detail};
    cm_thresholds *thresholds = &request.thresholds;
    cm_thresholds_default(thresholds);
    thresholds->tau = request.tau_source == CM_THRESHOLD_GIVEN ? options->tau : job->defaults->tau;
    thresholds->alpha = request.alpha_source == CM_THRESHOLD_GIVEN ? options->alpha : job->defaults->alpha;
    thresholds->residual = isnan(options->residual) ? job->defaults->residual : options->residual;
    thresholds->quantum = job->defaults->quantum;
    if (options->method != CM_METHOD_PAPER) { /* counts are not rounded, and noise is held against each definition */
        thresholds->quantum = 0.0;
        if (request.tau_source != CM_THRESHOLD_GIVEN)
            thresholds->tau = thresholds->residual;
    }
    return request;
}

/* The error names all benchmarks, and the one that was probably meant. */
static cm_status unknown_benchmark(const cm_benchmarks *benchmarks, const char *name, cm_error *error)
{
    const char **known = calloc(benchmarks->count + 1, sizeof *known);
    for (size_t i = 0; i < benchmarks->count && known != NULL; i++)
        known[i] = benchmarks->items[i].name;
    cm_status status =
        known != NULL ? cm_refuse_benchmark(name, known, benchmarks->count, error) : cm_error_no_memory(error);
    free(known);
    return status;
}

cm_status cm_analyze_check_names(const cm_analyze_options *options, const cm_benchmarks *benchmarks, cm_error *error)
{
    for (size_t i = 0; i < options->benchmark_count; i++)
        if (cm_benchmarks_find(benchmarks, options->benchmarks[i]) == NULL)
            return unknown_benchmark(benchmarks, options->benchmarks[i], error);
    if (options->controls != NULL && options->basis == NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "controls are for a basis of your own: name that, too");
    if ((options->basis != NULL || options->signatures != NULL) && options->benchmark_count > 1)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a basis or signatures file applies to one benchmark, %zu were named",
                       options->benchmark_count);
    return CM_OK;
}

/* Whether a pattern fits an event of any benchmark. */
static bool fits_any(const char *pattern, const cm_results *results)
{
    const cm_event_components components = cm_component_list_events(results->components);
    for (size_t b = 0; b < results->benchmark_count; b++) {
        const cm_analysis *analysis = results->benchmarks[b]->analysis;
        for (size_t i = 0; i < cm_analysis_event_count(analysis); i++)
            if (cm_event_fits(cm_analysis_event(analysis, i).event, pattern, &components))
                return true;
    }
    return false;
}

/* CM_BAD_INPUT that suggests a similar event. */
static cm_status refuse_only(const char *pattern, const cm_results *results, const char *path, cm_error *error)
{
    cm_near near = {.wanted = pattern};
    char offered[CM_NEAR_TEXT];
    for (size_t b = 0; b < results->benchmark_count; b++) {
        const cm_analysis *analysis = results->benchmarks[b]->analysis;
        for (size_t i = 0; i < cm_analysis_event_count(analysis); i++)
            cm_near_offer(&near, cm_analysis_event(analysis, i).event);
    }
    return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "no event matches '%s'%s", pattern,
                        cm_near_text(&near, offered));
}

/* A pattern that fits nothing is a slip: the rest would be taken for all that there is. */
cm_status cm_analyze_check_only(const cm_analyze_options *options, const cm_results *results, const char *path,
                                cm_error *error)
{
    for (size_t i = 0; i < options->only_count; i++)
        if (!fits_any(options->only[i], results))
            return refuse_only(options->only[i], results, path, error);
    return CM_OK;
}
