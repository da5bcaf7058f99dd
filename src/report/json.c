#include <math.h>

#include "core/error.h"
#include "core/json_value.h"
#include "core/json_writer.h"
#include "discovery/benchmark_result.h"
#include "report/controls_json.h"
#include "report/cores.h"
#include "report/json_equivalents.h"
#include "report/json_thresholds.h"
#include "report/law_json.h"
#include "report/proof_json.h"
#include "report/together_json.h"
#include "report/validation.h"
#include "report/results.h"
#include "report/sight_json.h"

static json_t *counts_json(const cm_benchmark_result *result)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "measured",
                     cm_json_count(cm_analysis_event_count(result->analysis)), "unavailable",
                     cm_json_count(result->unavailable), "zero", cm_json_count(result->status_counts[CM_EVENT_ZERO]),
                     "noisy", cm_json_count(result->status_counts[CM_EVENT_NOISY]), "unrepresentable",
                     cm_json_count(result->status_counts[CM_EVENT_UNREPRESENTABLE]), "dependent",
                     cm_json_count(result->status_counts[CM_EVENT_DEPENDENT]), "selected",
                     cm_json_count(result->status_counts[CM_EVENT_SELECTED]), "avoided",
                     cm_json_count(result->status_counts[CM_EVENT_AVOIDED]));
}

static const char *selected_name(const cm_analysis *analysis, size_t rank)
{
    return cm_analysis_event(analysis, cm_analysis_selected(analysis, rank)).event;
}

static json_t *selected_json(const cm_analysis *analysis)
{
    json_t *array = json_array();
    for (size_t i = 0; i < cm_analysis_selected_count(analysis); i++)
        if (json_array_append_new(array, json_string(selected_name(analysis, i))) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static void put_event(const cm_benchmark_result *result, size_t index, cm_json_writer *writer)
{
    const cm_analysis *analysis = result->analysis;
    cm_event_analysis event = cm_analysis_event(analysis, index);
    cm_json_begin_object(writer);
    cm_json_key(writer, "event");
    cm_json_put_text(writer, event.event);
    cm_json_key(writer, "status");
    cm_json_put_text(writer, cm_event_status_text(event.status));
    cm_json_key(writer, "max_rnmse");
    cm_json_put_real(writer, event.max_rnmse);
    cm_json_key(writer, "residual");
    cm_json_put_real(writer, event.residual);
    cm_json_key(writer, "offset");
    cm_json_put_real(writer, event.offset);
    cm_json_key(writer, "representation");
    cm_json_put_reals(writer, event.representation, result->basis->symbol_count);
    if (event.status == CM_EVENT_UNREPRESENTABLE) {
        cm_json_key(writer, "counts");
        cm_json_put_reals(writer, event.mean, result->basis->kernel_count);
    }
    if (cm_json_has_controls(result, index))
        cm_json_put_new(writer, "controls", cm_json_event_controls(result, index));
    cm_json_put_event_sight(result, index, writer);
    cm_json_key(writer, "equivalent_to");
    cm_json_put_text(writer, event.equivalent_to == CM_NO_EVENT
                                 ? NULL
                                 : cm_analysis_event(analysis, (size_t)event.equivalent_to).event);
    cm_json_end(writer);
}

/* One by one as they are written: there may be a million. */
static void put_events(const cm_benchmark_result *result, cm_json_writer *writer)
{
    cm_json_key(writer, "events");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < cm_analysis_event_count(result->analysis); i++)
        if (cm_benchmark_result_lists(result, i))
            put_event(result, i, writer);
    cm_json_end(writer);
}

/* The coefficients as solved, with their intervals. */
static json_t *terms_json(const cm_analysis *analysis, const cm_fit *fit)
{
    json_t *array = json_array();
    for (size_t i = 0; fit != NULL && i < fit->term_count && array != NULL; i++) {
        double value = fit->coefficients[i], half = fit->half_widths[i];
        const double interval[] = {value - half, value + half};
        array = cm_json_append(array, json_pack("{s:s, s:b, s:o, s:o}", "event",
                                                cm_analysis_event(analysis, fit->events[i]).event, "selected",
                                                cm_analysis_event(analysis, fit->events[i]).status == CM_EVENT_SELECTED,
                                                "coefficient", cm_json_number(value), "interval",
                                                cm_json_numbers(isfinite(half) ? interval : NULL, 2)));
    }
    return array;
}

/* The rounded coefficients that are not zero, and what may stand in for each event. */
static json_t *definition_json(const cm_benchmark_result *result, size_t metric)
{
    const cm_fit *fit = result->fits[metric];
    json_t *array = json_array();
    for (size_t i = 0; fit != NULL && i < fit->term_count && array != NULL; i++)
        if (fit->rounded[i] != 0.0)
            array = cm_json_append(array, json_pack("{s:s, s:o, s:o}", "event",
                                                    cm_analysis_event(result->analysis, fit->events[i]).event,
                                                    "coefficient", cm_json_number(fit->rounded[i]), "equivalents",
                                                    cm_json_term_equivalents(result, metric, i)));
    return array;
}

/* What is to be taken away per iteration: the offsets of the definition's events. */
static double constant_of(const cm_analysis *analysis, const cm_fit *fit)
{
    double sum = 0.0;
    for (size_t k = 0; fit != NULL && k < fit->term_count; k++)
        sum -= fit->rounded[k] * cm_analysis_event(analysis, fit->events[k]).offset;
    return sum;
}

static json_t *stability_json(const cm_stability *stability)
{
    if (stability == NULL)
        return json_null();
    return json_pack("{s:o, s:o}", "alpha", cm_json_numbers(stability->alpha, 2), "tau",
                     cm_json_numbers(stability->tau, 2));
}

json_t *cm_json_definition(const cm_benchmark_result *result, const cm_definition *definition)
{
    json_t *array = json_array();
    for (size_t k = 0; k < definition->count && array != NULL; k++)
        array = cm_json_append(array, json_pack("{s:s, s:o}", "event",
                                                cm_analysis_event(result->analysis, definition->events[k]).event,
                                                "coefficient", cm_json_number(definition->coefficients[k])));
    const cm_event_group group = cm_definition_group(result, definition);
    json_t *json = json_pack("{s:o, s:o, s:o, s:o, s:b}", "definition", array, "backward_error",
                             cm_json_number(definition->fitness.backward_error), "misfit",
                             cm_json_number(definition->fitness.misfit), "amplification",
                             cm_json_number(definition->fitness.amplification), "composable",
                             definition->composable && !cm_is_ranged(definition->doubts));
    if (definition->doubts != NULL) {
        json = cm_json_set(json, "confounded_with", cm_json_doubts(result, definition->doubts));
        json = cm_json_set_law(json, result, definition->doubts, definition->composable);
    }
    return cm_json_set_together(json, result, &group);
}

static json_t *check_json(const cm_fit *fit)
{
    if (fit == NULL)
        return json_null();
    const cm_check *check = &fit->check;
    return json_pack("{s:o, s:o, s:o, s:o}", "expected", cm_json_numbers(check->expected, check->kernel_count), "raw",
                     cm_json_numbers(check->raw, check->kernel_count), "rounded",
                     cm_json_numbers(check->rounded, check->kernel_count), "worst", cm_json_number(check->worst));
}

static json_t *alternatives_json(const cm_benchmark_result *result, size_t metric)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->alternatives[metric].count && array != NULL; i++)
        array = cm_json_append(array, cm_json_definition(result, &result->alternatives[metric].list[i]));
    return array;
}

static json_t *limited_json(const cm_benchmark_result *result, size_t metric)
{
    const cm_definition *limited = result->alternatives[metric].limited;
    return limited != NULL ? cm_json_definition(result, limited) : json_null();
}

static json_t *numbers_json(const cm_benchmark_result *result, size_t metric)
{
    static const cm_fitness unknown = {NAN, NAN, NAN};
    const cm_signature *signature = &result->signatures->metrics[metric];
    const cm_fit *fit = result->fits[metric];
    const cm_fitness *solved = fit != NULL ? &fit->fitness : &unknown;
    const cm_fitness *rounded = fit != NULL ? &fit->rounded_fitness : &unknown;
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}",
                     "metric", signature->metric, "preset", signature->preset, "description", signature->description,
                     "signature", cm_json_numbers(signature->values, result->signatures->symbol_count), "terms",
                     terms_json(result->analysis, fit), "backward_error", cm_json_number(solved->backward_error),
                     "misfit", cm_json_number(solved->misfit), "amplification", cm_json_number(solved->amplification),
                     "definition", definition_json(result, metric), "definition_backward_error",
                     cm_json_number(rounded->backward_error), "definition_misfit", cm_json_number(rounded->misfit),
                     "definition_amplification", cm_json_number(rounded->amplification), "check", check_json(fit),
                     "constant", cm_json_number(constant_of(result->analysis, fit)), "alternatives",
                     alternatives_json(result, metric), "limited", limited_json(result, metric), "firmness",
                     stability_json(cm_benchmark_result_stability(result, metric)), "composable",
                     fit != NULL && fit->composable && !cm_fit_is_ranged(result, metric), "measurable", fit != NULL);
}

/* With what the definition was held against. */
static json_t *metric_json(const cm_benchmark_result *result, size_t metric)
{
    json_t *json = numbers_json(result, metric), *proof = cm_json_proof(result, metric);
    bool made = json != NULL && proof != NULL && json_object_update(json, proof) == 0;
    json_decref(proof);
    if (made) {
        const cm_event_group group = cm_fit_group(result, result->fits[metric]);
        json = cm_json_set_together(json, result, &group);
        const char *lacks = result->lacking[metric];
        const char *meaning = result->signatures->metrics[metric].meaning;
        json = cm_json_set(json, "meaning", meaning != NULL && meaning[0] != '\0' ? json_string(meaning) : json_null());
        json = cm_json_set(json, "lacks", lacks != NULL ? json_string(lacks) : json_null());
        json = cm_json_set(json, "held_to", cm_json_held_to(result, metric));
        json = cm_json_set(json, "validation", cm_json_validation(result, metric));
        return cm_json_set(json, "workloads", cm_json_workloads(result, metric));
    }
    json_decref(json);
    return NULL;
}

static json_t *metrics_json(const cm_benchmark_result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->signatures->metric_count; i++)
        if (json_array_append_new(array, metric_json(result, i)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static void put_benchmark(const cm_benchmark_result *result, cm_json_writer *writer)
{
    const cm_thresholds *thresholds = &result->thresholds;
    const cm_basis *basis = result->basis;
    cm_json_begin_object(writer);
    cm_json_key(writer, "benchmark");
    cm_json_put_text(writer, result->benchmark);
    if (result->core[0] != '\0') {
        cm_json_key(writer, "core");
        cm_json_put_text(writer, result->core);
    }
    cm_json_put_member_real(writer, "tau", thresholds->tau);
    cm_json_put_member_real(writer, "alpha", thresholds->alpha);
    cm_json_put_member_real(writer, "residual", thresholds->residual);
    cm_json_put_member_real(writer, "quantum", thresholds->quantum);
    cm_json_put_member_real(writer, "amplification", thresholds->amplification);
    cm_json_put_new(writer, "thresholds", cm_json_thresholds(result));
    cm_json_put_new(writer, "kernels", cm_json_strings(basis->kernels, basis->kernel_count));
    cm_json_put_new(writer, "symbols", cm_json_strings(basis->symbols, basis->symbol_count));
    cm_json_put_new(writer, "dropped_symbols", cm_json_strings(result->dropped_symbols, result->dropped_symbol_count));
    cm_json_put_new(writer, "controls", cm_json_controls(result));
    cm_json_put_new(writer, "law", cm_json_sight(result));
    cm_json_put_new(writer, "counts", counts_json(result));
    cm_json_put_new(writer, "selected", selected_json(result->analysis));
    put_events(result, writer);
    if (result->code_names != NULL)
        cm_json_put_new(writer, "code_names", cm_code_names_create(result));
    cm_json_put_new(writer, "metrics", metrics_json(result));
    cm_json_end(writer);
}

static json_t *unavailable_json(const cm_results *results)
{
    json_t *array = json_array();
    for (size_t i = 0; i < results->unavailable_count; i++)
        if (json_array_append_new(array, json_pack("{s:s, s:s}", "event", results->unavailable[i].event, "reason",
                                                   results->unavailable[i].reason)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

cm_status cm_results_put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    const cm_results *results = content;
    cm_json_writer *writer = cm_json_writer_create(stream);
    cm_json_begin_object(writer);
    cm_json_key(writer, "schema");
    cm_json_put_text(writer, "catmint.metrics/1");
    cm_json_key(writer, "machine");
    cm_json_put(writer, results->machine);
    cm_json_key(writer, "pmu");
    cm_json_put_text(writer, results->pmu);
    cm_json_key(writer, "pmu_reason");
    cm_json_put_text(writer, results->pmu_reason);
    cm_json_put_new(writer, "findings", results->findings != NULL ? json_incref(results->findings) : json_null());
    if (results->uncore)
        cm_json_put_new(writer, "uncore", json_true());
    if (results->not_comparable != NULL)
        cm_json_put_new(writer, "not_comparable", json_incref(results->not_comparable));
    if (results->benchmark_count != 0 && results->benchmarks[0]->method == CM_METHOD_PAPER)
        cm_json_put_new(writer, "method", json_string("paper"));
    if (results->cache_levels != 0)
        cm_json_put_new(writer, "cache_levels", json_integer((json_int_t)results->cache_levels));
    if (results->incomplete != NULL)
        cm_json_put_new(writer, "incomplete", json_incref(results->incomplete));
    cm_json_key(writer, "benchmarks");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < results->benchmark_count; i++)
        put_benchmark(results->benchmarks[i], writer);
    cm_json_end(writer);
    cm_status status = results->part_count != 0 ? cm_cores_put_json(results, writer, error) : CM_OK;
    cm_json_put_new(writer, "tried_together", cm_json_tried_together(results->tried));
    cm_json_put_new(writer, "unavailable", unavailable_json(results));
    cm_json_end(writer);
    return cm_json_writer_finish(writer) ? status : cm_error_no_memory(error);
}
