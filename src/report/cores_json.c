#include <stdlib.h>

#include "core/error.h"
#include "core/json_build.h"
#include "core/json_value.h"
#include "discovery/benchmark_result.h"
#include "report/cores.h"

static json_t *types_json(const cm_results *results)
{
    json_t *array = json_array();
    for (size_t i = 0; i < results->part_count; i++) {
        const cm_core_type *core = &results->cores[i];
        array = cm_json_append(array,
                               json_pack("{s:s, s:s, s:s}", "core", core->name, "cpus", core->cpus, "pmu", core->pmu));
    }
    return array;
}

static json_t *definition_json(const cm_benchmark_result *result, const cm_fit *fit)
{
    json_t *array = json_array();
    for (size_t i = 0; i < fit->term_count; i++)
        if (fit->rounded[i] != 0.0)
            array = cm_json_append(array, json_pack("{s:s, s:o}", "event",
                                                    cm_analysis_event(result->analysis, fit->events[i]).event,
                                                    "coefficient", cm_json_number(fit->rounded[i])));
    return array;
}

static json_t *metric_on_core(const cm_results *results, const cm_core_row *row, size_t core)
{
    const cm_benchmark_result *result = row->results[core];
    const cm_fit *fit = result != NULL ? result->fits[row->at[core]] : NULL;
    bool usable = fit != NULL && fit->composable;
    bool composable = usable && !cm_fit_is_ranged(result, row->at[core]);
    return json_pack("{s:s, s:b, s:o}", "core", results->cores[core].name, "composable", (int)composable, "definition",
                     usable ? definition_json(result, fit) : json_array());
}

static json_t *metric_json(const cm_results *results, const cm_core_row *row)
{
    json_t *cores = json_array();
    for (size_t i = 0; i < results->part_count; i++)
        cores = cm_json_append(cores, metric_on_core(results, row, i));
    return json_pack("{s:s, s:s, s:b, s:o}", "benchmark", row->benchmark, "metric", row->name, "same", (int)row->same,
                     "cores", cores);
}

static json_t *event_json(const cm_results *results, const cm_core_row *row)
{
    json_t *cores = json_array();
    for (size_t i = 0; i < results->part_count; i++)
        if (row->results[i] != NULL)
            cores = cm_json_append(cores, json_pack("{s:s, s:s}", "core", results->cores[i].name, "event",
                                                    cm_analysis_event(row->results[i]->analysis, row->at[i]).event));
    return json_pack("{s:s, s:s, s:o}", "benchmark", row->benchmark, "event", row->name, "cores", cores);
}

static void put_rows(const cm_results *results, const char *key, const cm_core_row *rows, size_t count,
                     json_t *(*put)(const cm_results *results, const cm_core_row *row), cm_json_writer *writer)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        array = cm_json_append(array, put(results, &rows[i]));
    cm_json_put_new(writer, key, array);
}

cm_status cm_cores_put_json(const cm_results *results, cm_json_writer *writer, cm_error *error)
{
    cm_core_row *metrics = NULL, *events = NULL;
    size_t metric_count = 0, event_count = 0;
    cm_status status = cm_core_metrics_list(results, &metrics, &metric_count, error);
    if (status == CM_OK)
        status = cm_core_events_list(results, &events, &event_count, error);
    if (status == CM_OK) {
        cm_json_put_new(writer, "cores", types_json(results));
        put_rows(results, "by_core", metrics, metric_count, metric_json, writer);
        put_rows(results, "different_events", events, event_count, event_json, writer);
    }
    free(events);
    free(metrics);
    return status;
}
