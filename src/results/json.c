#include <math.h>

#include "core/error.h"
#include "results/benchmark_result.h"
#include "results/json_text.h"
#include "results/results.h"

/* jansson hands NULL on when memory is short: json_pack of a NULL is NULL, so only the whole needs a look. */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value == 0.0 ? 0.0 : value) : json_null();
}

static json_t *numbers(const double *values, size_t count)
{
    if (values == NULL)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, number(values[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *strings(char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_string(texts[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *count_json(size_t count)
{
    return json_integer((json_int_t)count);
}

static json_t *counts_json(const cm_benchmark_result *result)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "measured",
                     count_json(cm_analysis_event_count(result->analysis)), "unavailable",
                     count_json(result->unavailable), "zero", count_json(result->status_counts[CM_EVENT_ZERO]), "noisy",
                     count_json(result->status_counts[CM_EVENT_NOISY]), "unrepresentable",
                     count_json(result->status_counts[CM_EVENT_UNREPRESENTABLE]), "dependent",
                     count_json(result->status_counts[CM_EVENT_DEPENDENT]), "selected",
                     count_json(result->status_counts[CM_EVENT_SELECTED]));
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

static json_t *event_json(const cm_analysis *analysis, size_t index, size_t symbols)
{
    cm_event_analysis event = cm_analysis_event(analysis, index);
    json_t *equivalent = event.equivalent_to == CM_NO_EVENT
                             ? json_null()
                             : json_string(cm_analysis_event(analysis, (size_t)event.equivalent_to).event);
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "event", event.event, "status",
                     cm_event_status_text(event.status), "max_rnmse", number(event.max_rnmse), "residual",
                     number(event.residual), "representation", numbers(event.representation, symbols), "equivalent_to",
                     equivalent);
}

static json_t *events_json(const cm_benchmark_result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < cm_analysis_event_count(result->analysis); i++)
        if (json_array_append_new(array, event_json(result->analysis, i, result->basis->symbol_count)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *terms_json(const cm_analysis *analysis, const double *coefficients, size_t count, bool with_zeros)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        if (coefficients[i] == 0.0 && !with_zeros)
            continue;
        if (json_array_append_new(array, json_pack("{s:s, s:o}", "event", selected_name(analysis, i), "coefficient",
                                                   number(coefficients[i]))) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *check_json(const cm_fit *fit)
{
    if (fit == NULL)
        return json_null();
    const cm_check *check = &fit->check;
    return json_pack("{s:o, s:o, s:o, s:o}", "expected", numbers(check->expected, check->kernel_count), "raw",
                     numbers(check->raw, check->kernel_count), "rounded", numbers(check->rounded, check->kernel_count),
                     "worst", number(check->worst));
}

static json_t *metric_json(const cm_benchmark_result *result, size_t metric)
{
    static const cm_fitness unknown = {NAN, NAN, NAN};
    const cm_signature *signature = &result->signatures->metrics[metric];
    const cm_fit *fit = result->fits[metric];
    const cm_fitness *solved = fit != NULL ? &fit->fitness : &unknown;
    const cm_fitness *rounded = fit != NULL ? &fit->rounded_fitness : &unknown;
    size_t terms = fit != NULL ? fit->term_count : 0;
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "metric",
                     signature->metric, "preset", signature->preset, "description", signature->description, "signature",
                     numbers(signature->values, result->signatures->symbol_count), "terms",
                     terms_json(result->analysis, fit != NULL ? fit->coefficients : NULL, terms, true),
                     "backward_error", number(solved->backward_error), "misfit", number(solved->misfit),
                     "amplification", number(solved->amplification), "definition",
                     terms_json(result->analysis, fit != NULL ? fit->rounded : NULL, terms, false),
                     "definition_backward_error", number(rounded->backward_error), "definition_misfit",
                     number(rounded->misfit), "definition_amplification", number(rounded->amplification), "check",
                     check_json(fit), "composable", fit != NULL && fit->composable, "measurable", fit != NULL);
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

static json_t *benchmark_json(const cm_benchmark_result *result)
{
    const cm_thresholds *thresholds = &result->thresholds;
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "benchmark", result->benchmark, "tau",
        number(thresholds->tau), "alpha", number(thresholds->alpha), "residual", number(thresholds->residual),
        "quantum", number(thresholds->quantum), "amplification", number(thresholds->amplification), "kernels",
        strings(result->basis->kernels, result->basis->kernel_count), "symbols",
        strings(result->basis->symbols, result->basis->symbol_count), "dropped_symbols",
        strings(result->dropped_symbols, result->dropped_symbol_count), "counts", counts_json(result), "selected",
        selected_json(result->analysis), "events", events_json(result), "metrics", metrics_json(result));
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

static json_t *document(const cm_results *results)
{
    json_t *benchmarks = json_array();
    for (size_t i = 0; i < results->benchmark_count; i++)
        if (json_array_append_new(benchmarks, benchmark_json(results->benchmarks[i])) != 0) {
            json_decref(benchmarks);
            return NULL;
        }
    return json_pack("{s:s, s:O, s:s?, s:s, s:o, s:o}", "schema", "catmint.metrics/1", "machine", results->machine,
                     "pmu", results->pmu, "pmu_reason", results->pmu_reason, "benchmarks", benchmarks, "unavailable",
                     unavailable_json(results));
}

cm_status cm_results_write_json(const cm_results *results, FILE *stream, cm_error *error)
{
    json_t *json = document(results);
    bool written = json != NULL && cm_json_write(json, stream);
    json_decref(json);
    return written ? CM_OK : cm_error_no_memory(error);
}
