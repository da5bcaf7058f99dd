#include "core/text.h"
#include "report/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/vector.h"
#include "core/figures.h"
#include "core/json_value.h"
#include "events/nature.h"
#include "report/json_equivalents.h"
#include "report/proof_json.h"
#include "report/together_json.h"
#include "report/unmeasurable.h"
#include "report/validation.h"
#include "report/json_thresholds.h"

enum { SENTENCE = 512 };
/* Relative to the largest count: a kernel that differs by more, and by more than the repetitions do, disagrees. */
static const double agreement = 1e-9;

static json_t *sentence(const char *format, ...) CM_PRINTF(1, 2);
static json_t *sentence(const char *format, ...)
{
    char text[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    cm_text_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return json_string(text);
}

static double largest_of(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; values != NULL && i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

/* The elements of a representation or signature that are larger than `smallest`. */
static json_t *symbols_json(const cm_benchmark_result *result, const cm_symbol_words *words, const double *values,
                            double smallest)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->basis->symbol_count && values != NULL && array != NULL; i++) {
        const char *symbol = result->basis->symbols[i];
        if (fabs(values[i]) > smallest)
            array = cm_json_append(array, json_pack("{s:s, s:o, s:s?}", "symbol", symbol, "coefficient",
                                                    cm_json_number(values[i]), "words",
                                                    cm_symbol_words_find(words, result->benchmark, symbol)));
    }
    return array;
}

static double expected_count(const cm_basis *basis, const double *representation, double offset, size_t kernel)
{
    double sum = offset;
    for (size_t s = 0; s < basis->symbol_count; s++)
        sum += *cm_matrix_at(basis->expectations, kernel, s) * representation[s];
    return sum;
}

/* Kernels on which the counts are not what the representation says. */
static json_t *disagreements(const cm_benchmark_result *result, const cm_event_analysis *event)
{
    json_t *array = json_array();
    if (event->representation == NULL || event->mean == NULL)
        return array;
    double largest = 0.0, tolerated = event->max_rnmse > agreement ? event->max_rnmse : agreement;
    for (size_t k = 0; k < result->basis->kernel_count; k++)
        largest = fmax(largest, event->mean[k]);
    for (size_t k = 0; k < result->basis->kernel_count && array != NULL; k++) {
        double expected = expected_count(result->basis, event->representation, event->offset, k);
        if (fabs(event->mean[k] - expected) > tolerated * largest)
            array = cm_json_append(array,
                                   json_pack("{s:s, s:o, s:o}", "kernel", result->basis->kernels[k], "counted",
                                             cm_json_number(event->mean[k]), "represented", cm_json_number(expected)));
    }
    return array;
}

/* Events that count the same by their representations, less those that other kernels tell apart from it. */
static json_t *equivalents_json(const cm_benchmark_result *result, size_t event)
{
    cm_equivalent *list = NULL;
    size_t count = 0;
    if (cm_equivalents_create(result->analysis, event, &list, &count, NULL) != CM_OK)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (cm_counts_alike(result, event, list[i].event, list[i].factor))
            list[kept++] = list[i];
    json_t *array = cm_json_equivalents(result, list, kept);
    free(list);
    return array;
}

#define NO_METRIC SIZE_MAX

static const char *name_of(const cm_benchmark_result *result, size_t event)
{
    return cm_analysis_event(result->analysis, event).event;
}

/* Of an event that is named by its code, as far as a table has some. */
static json_t *add_names(json_t *json, const cm_benchmark_result *result, const char *event)
{
    json_t *names = cm_code_names_of(result, event);
    return names != NULL ? cm_json_set(json, "names", json_incref(names)) : json;
}

/* Terms of which rounding left something; `metric`: whose fit it is, NO_METRIC: of none. */
static json_t *combination(const cm_benchmark_result *result, const cm_fit *fit, size_t metric)
{
    json_t *array = json_array();
    for (size_t k = 0; fit != NULL && k < fit->term_count && array != NULL; k++)
        if (fit->rounded[k] != 0.0) {
            double half = fit->half_widths[k], value = fit->coefficients[k];
            const double interval[] = {value - half, value + half};
            size_t event = fit->events[k];
            json_t *term = json_pack("{s:s, s:o, s:o, s:o, s:o}", "event", name_of(result, event), "coefficient",
                                     cm_json_number(fit->rounded[k]), "solved", cm_json_number(value), "interval",
                                     cm_json_numbers(isfinite(half) ? interval : NULL, 2), "equivalents",
                                     metric != NO_METRIC ? cm_json_term_equivalents(result, metric, k)
                                                         : equivalents_json(result, event));
            array = cm_json_append(array, add_names(term, result, name_of(result, event)));
        }
    return array;
}

/* Coefficients up to this are left by rounding: of the largest one, or of the counts where these are a constant. */
static double smallest_listed(const cm_benchmark_result *result, const cm_event_analysis *event)
{
    double largest = largest_of(event->representation, result->basis->symbol_count);
    return fmax(result->thresholds.alpha * fmin(1.0, largest), agreement * fabs(event->offset));
}

static json_t *noisy(const cm_event_analysis *event, double tau)
{
    const char *nature = cm_event_nature(event->event);
    return sentence("its repetitions differ by %.3g, more than tau = %.3g%s%s%s", event->max_rnmse, tau,
                    nature != NULL ? ": it " : "", nature != NULL ? nature : "",
                    nature != NULL ? ", which is never twice the same" : "");
}

/* "" where the event counts the same as the selected one that it is a multiple of, by its representation, on controls
 * as well. */
static const char *but_for_controls(const cm_benchmark_result *result, size_t index, const cm_event_analysis *event)
{
    size_t selected = (size_t)event->equivalent_to;
    double factor =
        cm_vector_factor(event->representation, cm_analysis_event(result->analysis, selected).representation,
                         result->basis->symbol_count);
    return cm_counts_alike(result, selected, index, factor) ? "" : ", but not on control kernels";
}

static json_t *reason_of(const cm_benchmark_result *result, size_t index, const cm_event_analysis *event)
{
    switch (event->status) {
    case CM_EVENT_ZERO: return json_string("it counted nothing on the kernels that definitions are fitted to");
    case CM_EVENT_NOISY: return noisy(event, result->thresholds.tau);
    case CM_EVENT_UNREPRESENTABLE:
        if (event->offset != 0.0)
            return sentence("it counts a constant %.6g per iteration, as loop instructions do, %s; such events are "
                            "selected only with --with-offset",
                            event->offset,
                            largest_of(event->representation, result->basis->symbol_count) >
                                    smallest_listed(result, event)
                                ? "in addition to what it measures"
                                : "and none of the ideal events");
        return sentence("the ideal events do not explain %.3g %% of its counts, %.3g %% are tolerated: it counts "
                        "something that the kernels do not control",
                        100.0 * event->residual, 100.0 * result->thresholds.residual);
    case CM_EVENT_DEPENDENT:
        if (largest_of(event->representation, result->basis->symbol_count) < 0.5 * result->thresholds.alpha)
            return sentence("it counts so little of every ideal event that rounding to alpha = %.3g leaves nothing",
                            result->thresholds.alpha);
        if (event->equivalent_to != CM_NO_EVENT)
            return sentence("it measures the same as %.300s, which is selected%s",
                            name_of(result, (size_t)event->equivalent_to), but_for_controls(result, index, event));
        return json_string("it is a combination of selected events");
    case CM_EVENT_AVOIDED: return json_string("left out, as asked");
    case CM_EVENT_SELECTED:
        return json_string("it is independent of the events selected before it: definitions may use it");
    }
    return json_string("");
}

/* Metrics in whose definition the event is. */
static json_t *metrics_with(const cm_benchmark_result *result, size_t event)
{
    json_t *array = json_array();
    for (size_t m = 0; m < result->signatures->metric_count && array != NULL; m++)
        for (size_t k = 0; result->fits[m] != NULL && k < result->fits[m]->term_count && array != NULL; k++)
            if (result->fits[m]->events[k] == event && result->fits[m]->rounded[k] != 0.0)
                array = cm_json_append(array, json_string(result->signatures->metrics[m].metric));
    return array;
}

/* Where they are not all alike. */
static json_t *add_core(json_t *json, const cm_benchmark_result *result)
{
    return result->core[0] != '\0' ? cm_json_set(json, "core", json_string(result->core)) : json;
}

json_t *cm_explain_event(const cm_benchmark_result *result, size_t index, const cm_symbol_words *words)
{
    cm_event_analysis event = cm_analysis_event(result->analysis, index);
    size_t order = 0;
    while (order < cm_analysis_selected_count(result->analysis) &&
           cm_analysis_selected(result->analysis, order) != index)
        order++;
    bool selected = event.status == CM_EVENT_SELECTED;
    /* A dependent event over the selected ones is a metric whose signature is its representation. */
    cm_fit *fit = NULL;
    if (event.status == CM_EVENT_DEPENDENT &&
        cm_fit_create(result->analysis, event.representation, &fit, NULL) != CM_OK)
        return NULL; /* memory is short */
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "benchmark", result->benchmark,
        "event", event.event, "status", cm_event_status_text(event.status), "reason", reason_of(result, index, &event),
        "selected_as", selected ? cm_json_count(order + 1) : json_null(), "max_rnmse", cm_json_number(event.max_rnmse),
        "residual", cm_json_number(event.offset_residual), "offset", cm_json_number(event.offset), "representation",
        symbols_json(result, words, event.representation, smallest_listed(result, &event)), "disagrees",
        disagreements(result, &event), "combination", combination(result, fit, NO_METRIC), "equivalents",
        event.representation != NULL ? equivalents_json(result, index) : json_array(), "controls",
        cm_explain_on_controls(result, index), "refuted", cm_explain_refuted(result, index), "metrics",
        metrics_with(result, index));
    cm_fit_free(fit);
    return add_core(add_names(json, result, event.event), result);
}

static json_t *verdict(const cm_benchmark_result *result, size_t metric)
{
    const cm_thresholds *limits = &result->thresholds;
    const cm_fit *fit = result->fits[metric];
    char text[640];
    if (fit == NULL) {
        cm_unmeasurable_text(result, metric, text);
        return json_string(text);
    }
    if (fit->composable)
        return sentence(
            "composable%s: it misses %.3g %% of the metric, is at most %.3g %% off on a kernel, and noise in its "
            "events grows %.3g-fold",
            cm_fit_is_ranged(result, metric) ? " where it is frequent enough" : "", 100.0 * fit->rounded_fitness.misfit,
            100.0 * fit->check.worst, fit->rounded_fitness.amplification);
    if (cm_refusal_text(result, metric, text, sizeof text) != NULL)
        return sentence("not composable: the best definition %s", text);
    if (fit->rounded_fitness.misfit > limits->residual)
        return sentence("not composable: the selected events miss %.3g %% of the metric, %.3g %% are tolerated",
                        100.0 * fit->rounded_fitness.misfit, 100.0 * limits->residual);
    if (fit->check.worst > limits->residual)
        return sentence("not composable: it is off by %.3g %% of the largest value on a kernel, %.3g %% are tolerated",
                        100.0 * fit->check.worst, 100.0 * limits->residual);
    return sentence("not composable: noise in its events would grow %.3g-fold, %.3g-fold is tolerated",
                    fit->rounded_fitness.amplification, limits->amplification);
}

/* The same with what became of it in programs. */
static json_t *proven_verdict(const cm_benchmark_result *result, size_t metric)
{
    const cm_validation *validation = cm_benchmark_result_validation(result, metric);
    char text[CM_PROGRAM_WORDS + 256], worst[CM_NUMBER_SIZE];
    if (cm_validation_reason(result, metric, text, sizeof text))
        return sentence("not composable: %s", text);
    json_t *base = verdict(result, metric);
    if (validation == NULL || base == NULL)
        return base;
    json_t *proven = sentence("%s; held in %zu programs it was not fitted on, worst off by %s", json_string_value(base),
                              validation->programs, cm_percent_text(validation->worst, worst));
    json_decref(base);
    return proven;
}

/* What the definition measures too much or too little of: signature minus definition. */
static json_t *missed_json(const cm_benchmark_result *result, const cm_symbol_words *words,
                           const cm_signature *signature, const cm_fit *fit)
{
    size_t symbols = result->basis->symbol_count;
    double *rest = malloc((symbols + 1) * sizeof *rest);
    if (rest == NULL)
        return NULL;
    double size = 0.0;
    for (size_t s = 0; s < symbols; s++) {
        rest[s] = fit != NULL ? signature->values[s] : 0.0;
        size = fmax(size, fabs(rest[s]));
    }
    for (size_t k = 0; fit != NULL && k < fit->term_count; k++)
        for (size_t s = 0; s < symbols; s++)
            rest[s] -= fit->rounded[k] * cm_symbol_part(result->analysis, fit->events[k], s);
    json_t *json = symbols_json(result, words, rest, result->thresholds.alpha * size);
    free(rest);
    return json;
}

static json_t *others_json(const cm_benchmark_result *result, size_t metric)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->alternatives[metric].count && array != NULL; i++)
        array = cm_json_append(array, cm_json_definition(result, &result->alternatives[metric].list[i]));
    return array;
}

json_t *cm_explain_metric(const cm_benchmark_result *result, size_t metric, const cm_symbol_words *words)
{
    const cm_signature *signature = &result->signatures->metrics[metric];
    const cm_fit *fit = result->fits[metric];
    const cm_stability *stability = cm_benchmark_result_stability(result, metric);
    const cm_definition *limited = cm_benchmark_result_limited(result, metric);
    double error = fit != NULL ? fit->rounded_fitness.backward_error : NAN;
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "benchmark",
                             result->benchmark, "metric", signature->metric, "preset", signature->preset, "description",
                             signature->description, "signature", symbols_json(result, words, signature->values, 0.0),
                             "composable", fit != NULL && fit->composable && !cm_fit_is_ranged(result, metric),
                             "reason", proven_verdict(result, metric), "backward_error", cm_json_number(error),
                             "definition", combination(result, fit, metric), "missed",
                             missed_json(result, words, signature, fit), "alternatives", others_json(result, metric),
                             "limited", limited != NULL ? cm_json_definition(result, limited) : json_null(),
                             "firm_alpha", cm_json_numbers(stability != NULL ? stability->alpha : NULL, 2), "firm_tau",
                             cm_json_numbers(stability != NULL ? stability->tau : NULL, 2), "proof",
                             cm_json_proof_by_symbol(result, metric));
    json = add_core(json, result);
    const cm_event_group group = cm_fit_group(result, fit);
    json = cm_json_set_together(json, result, &group);
    json = cm_json_set(json, "validation", cm_json_validation(result, metric));
    return cm_json_set(json, "workloads", cm_json_workloads(result, metric));
}
