/* The events that a validation counts. */
#include "verify/validation/validation.h"

struct listing {
    cm_name_index *index;
    const char **events;
    size_t count;
};

static cm_status add_event(struct listing *listing, const char *event, cm_error *error)
{
    size_t position;
    if (cm_name_index_find(listing->index, event, &position))
        return CM_OK;
    cm_status status = cm_name_index_add(listing->index, event, listing->count, error);
    if (status == CM_OK)
        listing->events[listing->count++] = event;
    return status;
}

static cm_status add_definition(struct listing *listing, const cm_benchmark_result *result,
                                const cm_definition *definition, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t k = 0; status == CM_OK && k < definition->count; k++)
        status = add_event(listing, cm_analysis_event(result->analysis, definition->events[k]).event, error);
    return status;
}

/* A term's event, and its equivalents, as far as documents list them. */
static cm_status add_term(struct listing *listing, const cm_benchmark_result *result, size_t metric, size_t term,
                          cm_error *error)
{
    const struct cm_term_equivalents *found = cm_equivalents_of(result, metric, term);
    cm_status status =
        add_event(listing, cm_analysis_event(result->analysis, result->fits[metric]->events[term]).event, error);
    for (size_t i = 0; status == CM_OK && i < found->count && i < CM_LISTED_EQUIVALENTS; i++)
        status = add_event(listing, cm_analysis_event(result->analysis, found->list[i].event).event, error);
    return status;
}

/* Adds the events of a metric's definition and of its alternatives. */
static cm_status add_metric(struct listing *listing, const cm_benchmark_result *result, size_t metric, cm_error *error)
{
    const cm_fit *fit = result->fits[metric];
    const struct cm_metric_alternatives *others = &result->alternatives[metric];
    bool looked_at = fit != NULL && (fit->composable || cm_benchmark_result_pending(result, metric));
    cm_status status = CM_OK;
    for (size_t k = 0; status == CM_OK && looked_at && k < fit->term_count; k++)
        if (fit->rounded[k] != 0.0)
            status = add_term(listing, result, metric, k, error);
    for (size_t i = 0; status == CM_OK && i < others->count; i++)
        status = add_definition(listing, result, &others->list[i], error);
    if (status == CM_OK && others->limited != NULL && others->limited->composable)
        status = add_definition(listing, result, others->limited, error);
    return status;
}

/* Adds the events that definitions may use. */
static cm_status add_usable(struct listing *listing, const cm_benchmark_result *result, cm_error *error)
{
    const cm_problem *problem = &result->evidence->problem;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < problem->event_count; i++)
        status = add_event(listing, cm_analysis_event(result->analysis, problem->events[i].index).event, error);
    return status;
}

/* Whether the programs with that seed refute any definition of a benchmark that can be solved again. */
static bool is_refuted(const cm_benchmark_result *result, uint64_t seed)
{
    for (size_t i = 0; result->evidence != NULL && i < result->signatures->metric_count; i++) {
        const cm_validation *validation = cm_benchmark_result_validation(result, i);
        if (validation != NULL && validation->refuted && validation->seed == seed)
            return true;
    }
    return false;
}

/* Adds the events of the stage: of definitions, or for controls all usable ones if a definition is refuted. */
static cm_status add_benchmark(struct listing *listing, const cm_results *results, size_t benchmark,
                               cm_validation_stage stage, cm_error *error)
{
    const cm_benchmark_result *result = results->benchmarks[benchmark];
    bool fresh = stage == CM_STAGE_PROGRAMS_2 || stage == CM_STAGE_PROGRAMS_3;
    cm_status status = CM_OK;
    if (stage == CM_STAGE_CONTROLS || stage == CM_STAGE_CONTROLS_2) {
        uint64_t seed = cm_validation_seed(stage, results->program_seed);
        return is_refuted(result, seed) ? add_usable(listing, result, error) : CM_OK;
    }
    for (size_t i = 0; status == CM_OK && i < result->signatures->metric_count; i++)
        if (!fresh || cm_benchmark_result_pending(result, i))
            status = add_metric(listing, result, i, error);
    return status;
}

static cm_status add_measured_events(struct listing *listing, const cm_results *results, size_t benchmark,
                                     cm_error *error)
{
    const cm_analysis *analysis = results->benchmarks[benchmark]->analysis;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < cm_analysis_event_count(analysis); i++)
        status = add_event(listing, cm_analysis_event(analysis, i).event, error);
    return status;
}

/* Lists the events of a stage, or with `measured` of all stages. */
static cm_status list_events(const cm_results *results, bool measured, cm_validation_stage stage, const char ***events,
                             size_t *count, cm_error *error)
{
    struct listing listing = {0};
    size_t all = 0;
    if (results->origin.uncore)
        return CM_FAIL(
            error, CM_UNSUPPORTED,
            "these events count for a whole socket: programs move too little of memory to judge their definitions");
    for (size_t i = 0; i < results->benchmark_count; i++)
        all += cm_analysis_event_count(results->benchmarks[i]->analysis);
    listing.events = calloc(all + 1, sizeof *listing.events);
    cm_status status = listing.events != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_name_index_create(&listing.index, error));
    for (size_t b = 0; status == CM_OK && b < results->benchmark_count; b++)
        status = measured ? add_measured_events(&listing, results, b, error)
                          : add_benchmark(&listing, results, b, stage, error);
    cm_name_index_free(listing.index);
    if (status == CM_OK) {
        *events = listing.events;
        *count = listing.count;
    } else {
        free(listing.events);
    }
    return status;
}

cm_status cm_results_events_to_validate(const cm_results *results, cm_validation_stage stage, const char ***events,
                                        size_t *count, cm_error *error)
{
    return list_events(results, false, stage, events, count, error);
}

cm_status cm_results_measured_events(const cm_results *results, const char ***events, size_t *count, cm_error *error)
{
    return list_events(results, true, CM_STAGE_PROGRAMS, events, count, error);
}
