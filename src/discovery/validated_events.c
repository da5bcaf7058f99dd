/* Which events a validation counts. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/name_index.h"
#include "discovery/benchmark_result.h"
#include "discovery/results.h"

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

/* A term's event, and what may stand in for it, as far as documents list that. */
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

static cm_status add_metric(struct listing *listing, const cm_benchmark_result *result, size_t metric, cm_error *error)
{
    const cm_fit *fit = result->fits[metric];
    const struct cm_metric_alternatives *others = &result->alternatives[metric];
    cm_status status = CM_OK;
    for (size_t k = 0; status == CM_OK && fit != NULL && fit->composable && k < fit->term_count; k++)
        if (fit->rounded[k] != 0.0)
            status = add_term(listing, result, metric, k, error);
    for (size_t i = 0; status == CM_OK && i < others->count; i++)
        status = add_definition(listing, result, &others->list[i], error);
    if (status == CM_OK && others->limited != NULL && others->limited->composable)
        status = add_definition(listing, result, others->limited, error);
    return status;
}

static cm_status add_all(struct listing *listing, const cm_results *results, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t b = 0; b < results->benchmark_count; b++)
        for (size_t i = 0; status == CM_OK && i < results->benchmarks[b]->signatures->metric_count; i++)
            status = add_metric(listing, results->benchmarks[b], i, error);
    return status;
}

static cm_status add_measured(struct listing *listing, const cm_results *results, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t b = 0; b < results->benchmark_count; b++) {
        const cm_analysis *analysis = results->benchmarks[b]->analysis;
        for (size_t i = 0; status == CM_OK && i < cm_analysis_event_count(analysis); i++)
            status = add_event(listing, cm_analysis_event(analysis, i).event, error);
    }
    return status;
}

static cm_status list_events(const cm_results *results, bool all_events, const char ***events, size_t *count,
                             cm_error *error)
{
    struct listing listing = {0};
    size_t all = 0;
    for (size_t i = 0; i < results->benchmark_count; i++)
        all += cm_analysis_event_count(results->benchmarks[i]->analysis);
    listing.events = calloc(all + 1, sizeof *listing.events);
    cm_status status = listing.events != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK)
        status = cm_name_index_create(&listing.index, error);
    if (status == CM_OK)
        status = all_events ? add_measured(&listing, results, error) : add_all(&listing, results, error);
    cm_name_index_free(listing.index);
    if (status == CM_OK) {
        *events = listing.events;
        *count = listing.count;
    } else {
        free(listing.events);
    }
    return status;
}

cm_status cm_results_events_to_validate(const cm_results *results, const char ***events, size_t *count, cm_error *error)
{
    return list_events(results, false, events, count, error);
}

cm_status cm_results_measured_events(const cm_results *results, const char ***events, size_t *count, cm_error *error)
{
    return list_events(results, true, events, count, error);
}
