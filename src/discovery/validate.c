/* Definitions held against programs that nobody fitted. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "discovery/benchmark_result.h"
#include "discovery/results.h"
#include "discovery/solve_metrics.h"

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

/* Events that cannot stand in for a term in the programs are not listed any more. `events`: those of the fit. */
static cm_status judge_stand_ins(cm_benchmark_result *result, size_t metric, size_t term, size_t *events,
                                 double *coefficients, const cm_program_table *table, cm_error *error)
{
    struct cm_term_equivalents *found = &result->proofs[metric].equivalents[term];
    const size_t event = events[term], count = found->count;
    const double coefficient = coefficients[term];
    cm_status status = CM_OK;
    found->count = 0;
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        cm_validation validation = {0};
        events[term] = found->list[i].event;
        coefficients[term] = coefficient / found->list[i].factor;
        status =
            judge(result, metric, events, coefficients, result->fits[metric]->term_count, table, &validation, error);
        if (!validation.refuted)
            found->list[found->count++] = found->list[i];
    }
    events[term] = event;
    coefficients[term] = coefficient;
    return status;
}

/* Of a definition that held; by the paper's method equivalents are those of events, and no definition's. */
static cm_status judge_equivalents(cm_benchmark_result *result, size_t metric, const cm_program_table *table,
                                   cm_error *error)
{
    cm_fit *fit = result->fits[metric];
    cm_status status = CM_OK;
    for (size_t k = 0; status == CM_OK && result->proofs != NULL && k < fit->term_count; k++)
        status = judge_stand_ins(result, metric, k, fit->events, fit->rounded, table, error);
    return status;
}

static cm_status judge_fit(cm_benchmark_result *result, size_t metric, const cm_program_table *table, cm_error *error)
{
    cm_fit *fit = result->fits[metric];
    cm_validation *validation = &result->validations[metric];
    cm_status status = judge(result, metric, fit->events, fit->rounded, fit->term_count, table, validation, error);
    if (status == CM_OK && validation->refuted)
        fit->composable = false;
    else if (status == CM_OK && validation->programs != 0)
        status = judge_equivalents(result, metric, table, error);
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

/* By alternatives of one event; then by events that are right elsewhere; then by any alternative. */
static cm_status replace(cm_benchmark_result *result, const cm_program_table *table, bool *events, cm_error *error)
{
    enum { SINGLE, BORNE_OUT, ANY, TRIES };
    size_t metrics = result->signatures->metric_count;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < TRIES * metrics; i++) {
        size_t try = i / metrics, metric = i % metrics;
        const struct cm_metric_alternatives *others = &result->alternatives[metric];
        if (!result->validations[metric].refuted)
            continue;
        if (try == BORNE_OUT) {
            list_borne_out(result, events);
            status = solve_again(result, metric, events, table, error);
        } else if (others->count > 0 && (try == ANY || others->list[0].count == 1)) {
            status = take_alternative(result, metric, events, table, error);
        }
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
