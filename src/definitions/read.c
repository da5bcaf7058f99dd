/* Reads the document catmint.metrics/1. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "core/json_reader.h"
#include "core/name_index.h"
#include "definitions/definitions.h"
#include "discovery/together.h"

/* Names in a list of items, `stride` bytes apart, once each: `what` says what they name. */
static cm_status check_names(cm_json_reader *reader, const char *key, const char *what, const char *const *first,
                             size_t stride, size_t count)
{
    cm_name_index *index = NULL;
    cm_status status = cm_name_index_create(&index, reader->error);
    cm_json_enter(reader, key, 0);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        const char *name;
        size_t before;
        memcpy(&name, (const char *)first + i * stride, sizeof name);
        cm_json_enter(reader, NULL, i);
        if (cm_name_index_find(index, name, &before))
            status = cm_json_fault(reader, "repeats %s '%.100s'", what, name);
        else
            status = cm_name_index_add(index, name, i, reader->error);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    cm_name_index_free(index);
    return status;
}

static cm_status read_equivalent(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_defined_equivalent *equivalents = items;
    cm_status status = cm_json_read_text(reader, item, "event", CM_JSON_NOT_NULL, &equivalents[index].event);
    if (status == CM_OK)
        status = cm_json_read_number(reader, item, "factor", CM_JSON_NOT_NULL, &equivalents[index].factor);
    if (status == CM_OK && equivalents[index].factor == 0.0)
        status = cm_json_fault(reader, "has a factor 0");
    return status == CM_OK ? cm_definitions_read_together(reader, item, &equivalents[index].together) : status;
}

/* Documents of older versions have none. */
static cm_status read_equivalents(cm_json_reader *reader, const json_t *item, cm_defined_term *term)
{
    void *read = NULL;
    if (json_object_get(item, "equivalents") == NULL)
        return CM_OK;
    cm_status status = cm_json_read_items(reader, item, "equivalents", sizeof *term->equivalents, read_equivalent,
                                          &term->equivalent_count, &read);
    term->equivalents = term->equivalent_count > 0 ? read : NULL;
    return status;
}

static cm_status read_term(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_defined_term *terms = items;
    cm_status status = cm_json_read_text(reader, item, "event", CM_JSON_NOT_NULL, &terms[index].event);
    if (status == CM_OK)
        status = cm_json_read_number(reader, item, "coefficient", CM_JSON_NOT_NULL, &terms[index].coefficient);
    if (status == CM_OK && terms[index].event[0] == '\0')
        status = cm_json_fault(reader, "has an empty event, expected a name");
    return status == CM_OK ? read_equivalents(reader, item, &terms[index]) : status;
}

static cm_status read_terms(cm_json_reader *reader, const json_t *metric, const char *key, size_t *count,
                            const cm_defined_term **terms)
{
    void *read = NULL;
    cm_status status = cm_json_read_items(reader, metric, key, sizeof **terms, read_term, count, &read);
    *terms = read;
    if (status == CM_OK && *count > 0)
        status = check_names(reader, key, "event", &(*terms)->event, sizeof **terms, *count);
    return status;
}

static cm_status read_figures(cm_json_reader *reader, const json_t *item, cm_defined_metric *metric)
{
    double solved;
    const struct {
        const char *key;
        double *figure;
    } figures[] = {
        {"backward_error", &solved},
        {"misfit", &solved},
        {"amplification", &solved},
        {"definition_backward_error", &metric->backward_error},
        {"definition_misfit", &metric->misfit},
        {"definition_amplification", &metric->amplification},
    };
    cm_status status = CM_OK;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && status == CM_OK; i++)
        status = cm_json_read_figure(reader, item, figures[i].key, CM_JSON_OR_NULL, figures[i].figure);
    return status;
}

/* The proof by programs; documents of older versions have none. */
static cm_status read_validation(cm_json_reader *reader, const json_t *item, cm_defined_metric *metric)
{
    const json_t *validation = json_object_get(item, "validation");
    double programs = 0.0;
    metric->validation_median = metric->validation_worst = NAN;
    if (validation == NULL || json_is_null(validation))
        return CM_OK;
    cm_json_enter(reader, "validation", 0);
    cm_status status = json_is_object(validation) ? CM_OK : cm_json_fault(reader, "is no object");
    if (status == CM_OK)
        status = cm_json_read_figure(reader, validation, "programs", CM_JSON_NOT_NULL, &programs);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, validation, "median", CM_JSON_OR_NULL, &metric->validation_median);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, validation, "worst", CM_JSON_OR_NULL, &metric->validation_worst);
    if (status == CM_OK && (programs != floor(programs) || programs > INT32_MAX))
        status = cm_json_fault(reader, "has %g programs, expected a whole number", programs);
    cm_json_leave(reader);
    if (status == CM_OK)
        metric->validation_count = (size_t)programs;
    return status;
}

static cm_status read_refusing(cm_json_reader *reader, const json_t *item, cm_defined_metric *metric)
{
    cm_status status = cm_definitions_read_together(reader, item, &metric->together);
    if (status == CM_OK && json_object_get(item, "refuse_each_other") != NULL)
        status = cm_json_read_names(reader, item, "refuse_each_other", &metric->refusing_count, &metric->refusing);
    return status;
}

static cm_status read_metric(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_defined_metric *metrics = items, *metric = &metrics[index];
    metric->description = metric->lacks = "";
    metric->measurable = true;
    cm_status status = cm_json_read_text(reader, item, "metric", CM_JSON_NOT_NULL, &metric->metric);
    if (status == CM_OK && metric->metric[0] == '\0')
        status = cm_json_fault(reader, "has an empty name");
    if (status == CM_OK)
        status = cm_json_read_text(reader, item, "preset", CM_JSON_NOT_NULL, &metric->preset);
    if (status == CM_OK && json_object_get(item, "description") != NULL)
        status = cm_json_read_text(reader, item, "description", CM_JSON_NOT_NULL, &metric->description);
    if (status == CM_OK)
        status = read_terms(reader, item, "terms", &metric->solved_count, &metric->solved);
    if (status == CM_OK)
        status = read_terms(reader, item, "definition", &metric->term_count, &metric->terms);
    if (status == CM_OK)
        status = read_figures(reader, item, metric);
    if (status == CM_OK)
        status = read_validation(reader, item, metric);
    if (status == CM_OK)
        status = read_refusing(reader, item, metric);
    if (status == CM_OK)
        status = cm_json_read_bool(reader, item, "composable", &metric->composable);
    if (status == CM_OK)
        status = cm_definitions_read_law(reader, item, metric);
    if (status == CM_OK && json_object_get(item, "measurable") != NULL)
        status = cm_json_read_bool(reader, item, "measurable", &metric->measurable);
    if (status == CM_OK && json_is_string(json_object_get(item, "lacks")))
        status = cm_json_read_text(reader, item, "lacks", CM_JSON_NOT_NULL, &metric->lacks);
    if (status == CM_OK && !metric->measurable && (metric->term_count > 0 || metric->usable))
        status = cm_json_fault(reader, "is not measurable, but has a definition");
    return status;
}

static cm_status read_signatures(cm_json_reader *reader, const json_t *item, cm_read_benchmark *benchmark)
{
    const json_t *metrics = json_object_get(item, "metrics");
    cm_status status = CM_OK;
    cm_json_enter(reader, "metrics", 0);
    for (size_t i = 0; i < benchmark->metric_count && status == CM_OK; i++) {
        cm_defined_metric *metric = &benchmark->metrics[i];
        metric->benchmark = benchmark->listed.benchmark;
        metric->core = benchmark->listed.core;
        metric->symbol_count = benchmark->listed.symbol_count;
        cm_json_enter(reader, NULL, i);
        status = cm_json_read_numbers(reader, json_array_get(metrics, i), "signature", CM_JSON_NOT_NULL,
                                      metric->symbol_count, &metric->signature);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    return status;
}

static cm_status read_status(cm_json_reader *reader, const json_t *item, cm_event_status *read)
{
    const char *text;
    cm_status status = cm_json_read_text(reader, item, "status", CM_JSON_NOT_NULL, &text);
    if (status != CM_OK)
        return status;
    for (int i = CM_EVENT_ZERO; i <= CM_EVENT_AVOIDED; i++)
        if (strcmp(text, cm_event_status_text((cm_event_status)i)) == 0) {
            *read = (cm_event_status)i;
            return CM_OK;
        }
    cm_json_enter(reader, "status", 0);
    status = cm_json_fault(reader, "is '%.100s', expected zero, noisy, unrepresentable, dependent, selected or avoided",
                           text);
    cm_json_leave(reader);
    return status;
}

static cm_status read_event(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_defined_event *event = &((cm_defined_event *)items)[index];
    cm_status status = cm_json_read_text(reader, item, "event", CM_JSON_NOT_NULL, &event->event);
    if (status == CM_OK && event->event[0] == '\0')
        status = cm_json_fault(reader, "has an empty name");
    if (status == CM_OK)
        status = read_status(reader, item, &event->status);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, item, "max_rnmse", CM_JSON_OR_NULL, &event->max_rnmse);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, item, "residual", CM_JSON_OR_NULL, &event->residual);
    if (status == CM_OK)
        status = cm_json_read_text(reader, item, "equivalent_to", CM_JSON_OR_NULL, &event->equivalent_to);
    return status;
}

/* Events once each, and their representations. */
static cm_status read_representations(cm_json_reader *reader, const json_t *item, cm_read_benchmark *benchmark)
{
    const json_t *events = json_object_get(item, "events");
    size_t count = benchmark->listed.event_count;
    cm_status status =
        count == 0 ? CM_OK
                   : check_names(reader, "events", "event", &benchmark->events->event, sizeof(cm_defined_event), count);
    cm_json_enter(reader, "events", 0);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        cm_json_enter(reader, NULL, i);
        status = cm_json_read_numbers(reader, json_array_get(events, i), "representation", CM_JSON_OR_NULL,
                                      benchmark->listed.symbol_count, &benchmark->events[i].representation);
        if (status == CM_OK && json_object_get(json_array_get(events, i), "counts") != NULL)
            status = cm_json_read_numbers(reader, json_array_get(events, i), "counts", CM_JSON_OR_NULL,
                                          benchmark->listed.kernel_count, &benchmark->events[i].counts);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    return status;
}

static cm_status read_thresholds(cm_json_reader *reader, const json_t *item, cm_defined_benchmark *listed)
{
    cm_status status = cm_json_read_figure(reader, item, "tau", CM_JSON_OR_NULL, &listed->tau);
    listed->amplification = NAN;
    if (status == CM_OK && json_object_get(item, "amplification") != NULL)
        status = cm_json_read_figure(reader, item, "amplification", CM_JSON_OR_NULL, &listed->amplification);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, item, "alpha", CM_JSON_NOT_NULL, &listed->alpha);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, item, "residual", CM_JSON_NOT_NULL, &listed->residual);
    if (status == CM_OK && isnan(listed->tau))
        listed->tau = INFINITY;
    return status;
}

/* How many events there were, whether listed one by one or not. */
static cm_status read_measured(cm_json_reader *reader, const json_t *item, cm_defined_benchmark *listed)
{
    const json_t *counts = json_object_get(item, "counts");
    double measured = 0.0;
    if (json_object_get(counts, "measured") == NULL)
        return CM_OK;
    cm_json_enter(reader, "counts", 0);
    cm_status status = cm_json_read_figure(reader, counts, "measured", CM_JSON_NOT_NULL, &measured);
    if (status == CM_OK && (measured != floor(measured) || measured > INT32_MAX))
        status = cm_json_fault(reader, "has %g events measured, expected a whole number", measured);
    cm_json_leave(reader);
    if (status == CM_OK)
        listed->measured_count = (size_t)measured;
    return status;
}

static cm_status read_benchmark(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_read_benchmark *benchmarks = items, *benchmark = &benchmarks[index];
    cm_defined_benchmark *listed = &benchmark->listed;
    void *events = NULL, *metrics = NULL;
    cm_status status = cm_json_read_text(reader, item, "benchmark", CM_JSON_NOT_NULL, &listed->benchmark);
    if (status == CM_OK)
        status = cm_definitions_read_core(reader, item, &listed->core);
    for (size_t i = 0; i < index && status == CM_OK; i++)
        if (strcmp(benchmarks[i].listed.benchmark, listed->benchmark) == 0 &&
            strcmp(benchmarks[i].listed.core, listed->core) == 0)
            status = cm_json_fault(reader, "repeats benchmark '%.100s'", listed->benchmark);
    if (status == CM_OK)
        status = read_thresholds(reader, item, listed);
    if (status == CM_OK)
        status = read_measured(reader, item, listed);
    if (status == CM_OK)
        status = cm_json_read_names(reader, item, "kernels", &listed->kernel_count, &listed->kernels);
    if (status == CM_OK)
        status = cm_json_read_names(reader, item, "symbols", &listed->symbol_count, &listed->symbols);
    if (status == CM_OK)
        status = cm_json_read_items(reader, item, "events", sizeof(cm_defined_event), read_event, &listed->event_count,
                                    &events);
    benchmark->events = events;
    if (status == CM_OK)
        status = read_representations(reader, item, benchmark);
    if (status == CM_OK)
        status = cm_json_read_items(reader, item, "metrics", sizeof(cm_defined_metric), read_metric,
                                    &benchmark->metric_count, &metrics);
    benchmark->metrics = metrics;
    if (status == CM_OK && benchmark->metric_count > 0)
        status = check_names(reader, "metrics", "metric", &benchmark->metrics->metric, sizeof(cm_defined_metric),
                             benchmark->metric_count);
    if (status == CM_OK)
        status = read_signatures(reader, item, benchmark);
    if (status == CM_OK)
        status = cm_definitions_read_controls(reader, item, benchmark);
    if (status == CM_OK)
        status = cm_definitions_read_sight(reader, item, benchmark);
    return status == CM_OK ? cm_definitions_read_code_names(reader, item, benchmark) : status;
}

static cm_status read_origin(cm_json_reader *reader, const json_t *document, cm_definitions *definitions)
{
    cm_status status = cm_json_read_text(reader, document, "pmu", CM_JSON_OR_NULL, &definitions->pmu);
    if (status == CM_OK && definitions->pmu != NULL && !cm_definitions_knows_pmu(definitions->pmu)) {
        cm_json_enter(reader, "pmu", 0);
        status = cm_json_fault(reader, CM_DEFINITIONS_PMU, "", definitions->pmu);
        cm_json_leave(reader);
    }
    const json_t *machine = json_object_get(document, "machine");
    if (status == CM_OK && !json_is_object(machine))
        status = cm_json_fault(reader, "has no object \"machine\"");
    if (status == CM_OK && json_object_get(document, "not_comparable") != NULL)
        status = cm_json_read_text(reader, document, "not_comparable", CM_JSON_NOT_NULL, &definitions->not_comparable);
    const char *method = json_string_value(json_object_get(document, "method"));
    definitions->by_paper = method != NULL && strcmp(method, "paper") == 0;
    definitions->cache_levels = (size_t)json_integer_value(json_object_get(document, "cache_levels"));
    definitions->machine = "";
    const char *counted = json_is_string(json_object_get(machine, "gpu")) ? "gpu" : "model_name";
    if (status == CM_OK && json_is_string(json_object_get(machine, counted))) {
        cm_json_enter(reader, "machine", 0);
        status = cm_json_read_text(reader, machine, counted, CM_JSON_NOT_NULL, &definitions->machine);
        cm_json_leave(reader);
    }
    if (status == CM_OK && json_is_string(json_object_get(machine, "architecture")))
        status = cm_json_read_text(reader, machine, "architecture", CM_JSON_NOT_NULL, &definitions->architecture);
    char identity[CM_IDENTITY_SIZE];
    cm_definitions_identify(machine, identity);
    definitions->identity = cm_arena_text(&definitions->arena, identity);
    return status == CM_OK && definitions->identity == NULL ? cm_error_no_memory(reader->error) : status;
}

cm_status cm_definitions_read(cm_definitions *definitions, const json_t *document, const char *file, const char *text,
                              cm_error *error)
{
    cm_json_reader reader = {.file = file, .text = text, .arena = &definitions->arena, .error = error};
    const char *schema = json_string_value(json_object_get(document, "schema"));
    if (schema == NULL || strcmp(schema, "catmint.metrics/1") != 0) {
        if (schema != NULL)
            cm_json_enter(&reader, "schema", 0);
        return cm_json_fault(&reader, "%s, expected the schema \"catmint.metrics/1\", which catmint analyze writes",
                             schema != NULL ? "is a different one" : "names no schema");
    }
    void *read = NULL;
    cm_status status = read_origin(&reader, document, definitions);
    if (status == CM_OK)
        status = cm_json_read_items(&reader, document, "benchmarks", sizeof *definitions->benchmarks, read_benchmark,
                                    &definitions->benchmark_count, &read);
    definitions->benchmarks = read;
    status = status == CM_OK ? cm_definitions_read_cores(&reader, document, definitions) : status;
    status = status == CM_OK ? cm_definitions_read_sets(&reader, document, definitions) : status;
    if (status == CM_OK && cm_definitions_count(definitions) == 0)
        return cm_error_set(error, CM_BAD_INPUT, file, 0, 0,
                            "no metric here, expected results of one benchmark at least");
    return status;
}
