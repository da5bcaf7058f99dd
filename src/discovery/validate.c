/* Definitions held against programs that nobody fitted. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/name_index.h"
#include "discovery/benchmark_result.h"
#include "discovery/results.h"
#include "discovery/solve_metrics.h"

/* The event of a term. */
static size_t term_event(const cm_benchmark_result *result, const cm_fit *fit, size_t term)
{
    (void)result;
    return fit->events[term];
}

/* ---- which events definitions have ---- */

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

static cm_status add_metric(struct listing *listing, const cm_benchmark_result *result, size_t metric, cm_error *error)
{
    const cm_fit *fit = result->fits[metric];
    const struct cm_metric_alternatives *others = &result->alternatives[metric];
    cm_status status = CM_OK;
    for (size_t k = 0; status == CM_OK && fit != NULL && fit->composable && k < fit->term_count; k++)
        if (fit->rounded[k] != 0.0)
            status = add_event(listing, cm_analysis_event(result->analysis, term_event(result, fit, k)).event, error);
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

cm_status cm_results_events_to_validate(const cm_results *results, const char ***events, size_t *count, cm_error *error)
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
        status = add_all(&listing, results, error);
    cm_name_index_free(listing.index);
    if (status == CM_OK) {
        *events = listing.events;
        *count = listing.count;
    } else {
        free(listing.events);
    }
    return status;
}

/* ---- judgement ---- */

/* Of `count` terms; room for as many. An event with an offset counts something beside what it measures. */
static cm_status judge(const cm_benchmark_result *result, size_t metric, const size_t *events,
                       const double *coefficients, size_t count, const cm_program_table *table,
                       cm_validation *validation, cm_error *error)
{
    cm_validated_term *terms = calloc(count + 1, sizeof *terms);
    cm_validated_claim claim = {.meaning = result->signatures->metrics[metric].meaning,
                                .tolerance = result->thresholds.residual,
                                .terms = terms};
    if (terms == NULL)
        return cm_error_no_memory(error);
    if (claim.meaning == NULL)
        claim.meaning = "";
    for (size_t k = 0; k < count; k++) {
        cm_event_analysis event = cm_analysis_event(result->analysis, events[k]);
        if (coefficients[k] != 0.0)
            terms[claim.term_count++] = (cm_validated_term){event.event, coefficients[k]};
        if (coefficients[k] != 0.0 && event.offset != 0.0)
            claim.meaning = "";
    }
    cm_status status = cm_validation_judge(&claim, table, validation, error);
    free(terms);
    return status;
}

static cm_status judge_fit(cm_benchmark_result *result, size_t metric, const cm_program_table *table, cm_error *error)
{
    cm_fit *fit = result->fits[metric];
    size_t *events = calloc(fit->term_count + 1, sizeof *events);
    if (events == NULL)
        return cm_error_no_memory(error);
    for (size_t k = 0; k < fit->term_count; k++)
        events[k] = term_event(result, fit, k);
    cm_status status =
        judge(result, metric, events, fit->rounded, fit->term_count, table, &result->validations[metric], error);
    if (status == CM_OK && result->validations[metric].refuted)
        fit->composable = false;
    free(events);
    return status;
}

static cm_status judge_definition(cm_benchmark_result *result, size_t metric, cm_definition *definition,
                                  const cm_program_table *table, cm_error *error)
{
    cm_validation validation = {0};
    cm_status status = judge(result, metric, definition->events, definition->coefficients, definition->count, table,
                             &validation, error);
    definition->composable = definition->composable && !validation.refuted;
    return status;
}

/* Alternatives that are refuted go: what is there can be used. */
static cm_status judge_others(cm_benchmark_result *result, size_t metric, const cm_program_table *table,
                              cm_error *error)
{
    struct cm_metric_alternatives *others = &result->alternatives[metric];
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < others->count; i++)
        status = judge_definition(result, metric, &others->list[i], table, error);
    if (status == CM_OK && others->limited != NULL)
        status = judge_definition(result, metric, others->limited, table, error);
    size_t kept = 0;
    for (size_t i = 0; status == CM_OK && i < others->count; i++) {
        cm_definition definition = others->list[i];
        others->list[i] = others->list[kept];
        others->list[kept] = definition;
        kept += definition.composable;
    }
    for (size_t i = kept; status == CM_OK && i < others->count; i++) {
        free(others->list[i].events);
        free(others->list[i].coefficients);
    }
    others->count = status == CM_OK ? kept : others->count;
    return status;
}

/* ---- refuted definitions ---- */

static cm_status solve_again(cm_benchmark_result *result, size_t metric, const bool *events,
                             const cm_program_table *table, cm_error *error)
{
    bool found = false;
    cm_status status = cm_solve_among(result, metric, events, &found, error);
    return status == CM_OK && found ? judge_fit(result, metric, table, error) : status;
}

/* An alternative that the programs bear out takes the place of a definition that they refute. */
static cm_status take_alternative(cm_benchmark_result *result, size_t metric, bool *events,
                                  const cm_program_table *table, cm_error *error)
{
    struct cm_metric_alternatives *others = &result->alternatives[metric];
    cm_definition first = others->list[0];
    memmove(others->list, others->list + 1, --others->count * sizeof *others->list);
    memset(events, false, cm_analysis_event_count(result->analysis));
    for (size_t k = 0; k < first.count; k++)
        events[first.events[k]] = true;
    cm_status status = solve_again(result, metric, events, table, error);
    free(first.events);
    free(first.coefficients);
    return status;
}

/* The events of definitions that held. */
static void list_borne_out(const cm_benchmark_result *result, bool *events)
{
    memset(events, false, cm_analysis_event_count(result->analysis));
    for (size_t i = 0; i < result->signatures->metric_count; i++) {
        const cm_fit *fit = result->fits[i];
        bool held = fit != NULL && fit->composable && cm_benchmark_result_validation(result, i) != NULL;
        for (size_t k = 0; held && k < fit->term_count; k++)
            events[fit->events[k]] = true;
    }
}

/* By an alternative; where there is none, by events that are right elsewhere. */
static cm_status replace(cm_benchmark_result *result, const cm_program_table *table, bool *events, cm_error *error)
{
    size_t metrics = result->signatures->metric_count;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < metrics; i++)
        if (result->validations[i].refuted && result->alternatives[i].count > 0)
            status = take_alternative(result, i, events, table, error);
    for (size_t i = 0; status == CM_OK && i < metrics; i++) {
        if (!result->validations[i].refuted)
            continue;
        list_borne_out(result, events);
        status = solve_again(result, i, events, table, error);
    }
    return status;
}

/* The paper's method has no second try. */
static cm_status replace_refuted(cm_benchmark_result *result, const cm_program_table *table, cm_error *error)
{
    if (result->evidence == NULL)
        return CM_OK;
    bool *events = calloc(cm_analysis_event_count(result->analysis) + 1, sizeof *events);
    cm_status status = events != NULL ? replace(result, table, events, error) : cm_error_no_memory(error);
    free(events);
    return status;
}

/* ---- a benchmark ---- */

static cm_status validate(cm_benchmark_result *result, const cm_program_table *table, cm_error *error)
{
    size_t metrics = result->signatures->metric_count;
    cm_validation *validations = calloc(metrics + 1, sizeof *validations);
    if (validations == NULL)
        return cm_error_no_memory(error);
    free(result->validations);
    result->validations = validations;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < metrics; i++) {
        if (result->fits[i] != NULL && result->fits[i]->composable)
            status = judge_fit(result, i, table, error);
        if (status == CM_OK)
            status = judge_others(result, i, table, error);
    }
    return status == CM_OK ? replace_refuted(result, table, error) : status;
}

cm_status cm_results_validate(cm_results *results, const cm_program_table *table, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < results->benchmark_count; i++)
        status = validate(results->benchmarks[i], table, error);
    results->program_count = status == CM_OK ? table->program_count : 0;
    results->program_seed = table->seed;
    return status;
}

const cm_validation *cm_benchmark_result_validation(const cm_benchmark_result *result, size_t metric)
{
    return result->validations != NULL && result->validations[metric].programs != 0 ? &result->validations[metric]
                                                                                    : NULL;
}
