/* Definitions that were read: their accessors and their values. */
#include "result/result.h"

#include <catmint/names.h>

void cm_definitions_free(cm_definitions *definitions)
{
    if (definitions == NULL)
        return;
    json_decref(definitions->described);
    cm_arena_clear(&definitions->arena);
    free(definitions);
}

CM_GETTER(const char *cm_definitions_pmu(const cm_definitions *definitions), definitions->pmu)
CM_GETTER(const char *cm_definitions_machine(const cm_definitions *definitions), definitions->machine)
CM_GETTER(const char *cm_definitions_identity(const cm_definitions *definitions), definitions->identity)

size_t cm_definitions_count(const cm_definitions *definitions)
{
    size_t count = 0;
    for (size_t i = 0; i < definitions->benchmark_count; i++)
        count += definitions->benchmarks[i].metric_count;
    return count;
}

const cm_defined_metric *cm_definitions_get(const cm_definitions *definitions, size_t index)
{
    size_t benchmark = 0;
    while (index >= definitions->benchmarks[benchmark].metric_count)
        index -= definitions->benchmarks[benchmark++].metric_count;
    return &definitions->benchmarks[benchmark].metrics[index];
}

const cm_defined_metric *cm_definitions_find_on(const cm_definitions *definitions, const char *name_or_preset,
                                                const char *core)
{
    const cm_defined_metric *by_preset = NULL;
    for (size_t i = 0; i < cm_definitions_count(definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(definitions, i);
        if (core != NULL && strcmp(metric->core, core) != 0)
            continue;
        if (strcmp(metric->metric, name_or_preset) == 0)
            return metric;
        if (by_preset == NULL && metric->preset[0] != '\0' && strcmp(metric->preset, name_or_preset) == 0)
            by_preset = metric;
    }
    return by_preset;
}

const cm_defined_metric *cm_definitions_find(const cm_definitions *definitions, const char *name_or_preset)
{
    return cm_definitions_find_on(definitions, name_or_preset, NULL);
}

CM_GETTER(size_t cm_definitions_core_count(const cm_definitions *definitions), definitions->core_count)
CM_GETTER(const cm_core_type *cm_definitions_core(const cm_definitions *definitions, size_t core),
          &definitions->cores[core])

double cm_defined_metric_evaluate(const cm_defined_metric *metric, const double *counts)
{
    double sum = 0.0;
    for (size_t i = 0; i < metric->term_count; i++)
        sum += metric->terms[i].coefficient * counts[i];
    return sum;
}

/* Finds the count of a term; `indices` has those of the terms before it. */
static cm_status find_count(const cm_defined_metric *metric, const cm_event_names *names, size_t term, size_t *indices,
                            cm_error *error)
{
    const char *event = metric->terms[term].event;
    cm_status status = cm_event_names_resolve(names, event, &indices[term], error);
    if (status == CM_OK && indices[term] == CM_NO_NAME)
        return CM_FAIL(error, CM_BAD_INPUT, "event '%.100s' of '%.100s' is not among the counts", event,
                       metric->metric);
    for (size_t i = 0; i < term && status == CM_OK; i++)
        if (indices[i] == indices[term])
            status =
                CM_FAIL(error, CM_BAD_INPUT,
                        "events '%.100s' and '%.100s' of '%.100s' match the same row of the counts, expected two rows",
                        metric->terms[i].event, event, metric->metric);
    return status;
}

cm_status cm_defined_metric_evaluate_named(const cm_defined_metric *metric, const char *const *events,
                                           const double *counts, size_t count, double *value, cm_error *error)
{
    cm_event_names *names = NULL;
    double sum = 0.0;
    size_t *indices = calloc(metric->term_count + 1, sizeof *indices);
    cm_status status =
        indices != NULL ? cm_event_names_create(events, count, &names, error) : cm_error_no_memory(error);
    for (size_t i = 0; i < metric->term_count && status == CM_OK; i++) {
        status = find_count(metric, names, i, indices, error);
        if (status == CM_OK)
            sum += metric->terms[i].coefficient * counts[indices[i]];
    }
    cm_event_names_free(names);
    free(indices);
    if (status == CM_OK)
        *value = sum;
    return status;
}

bool cm_definitions_by_paper(const cm_definitions *definitions)
{
    return definitions->method != NULL && strcmp(definitions->method, "paper") == 0;
}

CM_GETTER(size_t cm_definitions_benchmark_count(const cm_definitions *definitions), definitions->benchmark_count)
CM_GETTER(const cm_defined_benchmark *cm_definitions_benchmark(const cm_definitions *definitions, size_t benchmark),
          &definitions->benchmarks[benchmark].listed)

const cm_defined_event *cm_definitions_event(const cm_definitions *definitions, size_t benchmark, size_t event)
{
    return &definitions->benchmarks[benchmark].events[event];
}

const char *cm_definitions_code_names(const cm_definitions *definitions, const char *event)
{
    for (size_t i = 0; i < definitions->benchmark_count; i++) {
        const cm_read_benchmark *benchmark = &definitions->benchmarks[i];
        for (size_t k = 0; k < benchmark->code_count; k++)
            if (strcmp(benchmark->codes[k].event, event) == 0)
                return benchmark->codes[k].names;
    }
    return "";
}

/* ---- events that can be counted together, by the sets that were tried ---- */

static bool has_all(const char *const *names, size_t count, const char *const *wanted, size_t wanted_count)
{
    for (size_t i = 0; i < wanted_count; i++)
        if (!CM_HAS(wanted[i], names, count))
            return false;
    return true;
}

cm_counted_together cm_definitions_find_together(const cm_definitions *definitions, const char *const *events,
                                                 size_t count)
{
    for (size_t i = 0; i < definitions->set_count; i++) {
        const cm_counted_set *set = &definitions->sets[i];
        if (set->together == CM_TOGETHER_YES && has_all(set->events, set->count, events, count))
            return CM_TOGETHER_YES;
        if (set->together == CM_TOGETHER_NO && has_all(events, count, set->refusing, set->refusing_count))
            return CM_TOGETHER_NO;
    }
    return CM_TOGETHER_UNKNOWN;
}
