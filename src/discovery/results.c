/* Results: made, freed, and their members. */
#include "discovery/results.h"

cm_status cm_results_create(cm_results **results, cm_error *error)
{
    cm_results *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->origin.pmu_reason = strdup("");
    created->origin.machine = json_object();
    if (created->origin.pmu_reason == NULL || created->origin.machine == NULL) {
        cm_results_free(created);
        return cm_error_no_memory(error);
    }
    *results = created;
    return CM_OK;
}

void cm_results_free(cm_results *results)
{
    if (results == NULL)
        return;
    for (size_t i = 0; i < results->benchmark_count && results->part_count == 0; i++)
        cm_benchmark_result_free(results->benchmarks[i]);
    for (size_t i = 0; i < results->part_count; i++)
        cm_results_free(results->parts[i]);
    free(results->benchmarks);
    cm_tried_sets_free(results->tried);
    cm_fact_table_free(results->facts);
    for (size_t i = 0; i < results->unavailable_count; i++) {
        CM_FREE(results->unavailable[i].event, results->unavailable[i].component, results->unavailable[i].reason);
    }
    free(results->unavailable);
    cm_component_list_free(results->components);
    free(results->events_file);
    cm_sweep_origin_clear(&results->origin);
    free(results);
}

const char *cm_results_not_comparable(const cm_results *results)
{
    return json_string_value(results->origin.not_comparable);
}

cm_status cm_results_set_pmu(cm_results *results, const char *pmu, const char *reason, cm_error *error)
{
    char *pmu_copy = strdup(pmu);
    char *reason_copy = strdup(reason);
    if (pmu_copy == NULL || reason_copy == NULL) {
        CM_FREE(pmu_copy, reason_copy);
        return cm_error_no_memory(error);
    }
    CM_FREE(results->origin.pmu, results->origin.pmu_reason);
    results->origin.pmu = pmu_copy;
    results->origin.pmu_reason = reason_copy;
    return CM_OK;
}

CM_GETTER(const char *cm_results_pmu(const cm_results *results), results->origin.pmu)

cm_status cm_results_add(cm_results *results, cm_benchmark_result *benchmark, cm_error *error)
{
    size_t count = results->benchmark_count;
    if (!CM_GROW_BY_ONE(results->benchmarks, count))
        return cm_error_no_memory(error);
    results->benchmarks[results->benchmark_count++] = benchmark;
    if (benchmark->code_names == NULL)
        benchmark->code_names = json_incref(results->origin.code_names);
    return CM_OK;
}

CM_GETTER(size_t cm_results_benchmark_count(const cm_results *results), results->benchmark_count)
CM_GETTER(const cm_benchmark_result *cm_results_benchmark(const cm_results *results, size_t index),
          results->benchmarks[index])
