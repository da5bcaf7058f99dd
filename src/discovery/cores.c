/* Results of a hybrid processor: those of each type of cores, and all of them in one document. */
#include "discovery/results.h"

void cm_results_share_unavailable(cm_results *whole)
{
    cm_results *first = whole->parts[0];
    size_t kept = 0;
    whole->unavailable = calloc(first->unavailable_count + 1, sizeof *whole->unavailable);
    for (size_t i = 0; i < first->unavailable_count; i++) {
        bool everywhere = whole->unavailable != NULL;
        for (size_t p = 1; p < whole->part_count && everywhere; p++)
            everywhere = CM_FIND_BY(event, first->unavailable[i].event, whole->parts[p]->unavailable,
                                    whole->parts[p]->unavailable_count) < whole->parts[p]->unavailable_count;
        if (everywhere)
            whole->unavailable[whole->unavailable_count++] = first->unavailable[i];
        else
            first->unavailable[kept++] = first->unavailable[i];
    }
    first->unavailable_count = kept;
}

/* Takes the machine and the findings, which are the same on all types of cores, from one of them. */
static cm_status take_head(cm_results *whole, const cm_results *part, cm_error *error)
{
    json_decref(whole->origin.machine);
    whole->origin.machine = json_incref(part->origin.machine);
    whole->origin.findings = json_incref(part->origin.findings);
    whole->origin.cache_levels = part->origin.cache_levels;
    whole->origin.line = part->origin.line;
    whole->origin.not_comparable = json_incref(part->origin.not_comparable);
    return part->origin.pmu != NULL ? cm_results_set_pmu(whole, part->origin.pmu, part->origin.pmu_reason, error)
                                    : CM_OK;
}

/* Adds the lacks of the type's sweep, each with the type. */
static cm_status take_lacks(cm_results *whole, const cm_core_type *core, const cm_results *part, cm_error *error)
{
    size_t index;
    json_t *lack;
    if (part->origin.incomplete != NULL && whole->origin.incomplete == NULL &&
        (whole->origin.incomplete = json_array()) == NULL)
        return cm_error_no_memory(error);
    json_array_foreach(part->origin.incomplete, index, lack)
    {
        json_t *copy = cm_json_set(json_copy(lack), "core", cm_json_text(core->name));
        if (copy == NULL || json_array_append_new(whole->origin.incomplete, copy) != 0)
            return cm_error_no_memory(error);
    }
    return CM_OK;
}

cm_status cm_results_add_part(cm_results *whole, const cm_core_type *core, cm_results *part, cm_error *error)
{
    cm_status status = whole->part_count == 0 ? take_head(whole, part, error) : CM_OK;
    CM_THEN(status, take_lacks(whole, core, part, error));
    whole->cores[whole->part_count] = *core;
    whole->parts[whole->part_count++] = part;
    part->whole = whole;
    for (size_t i = 0; i < part->benchmark_count && status == CM_OK; i++) {
        strcpy(part->benchmarks[i]->core, core->name);
        status = cm_results_add(whole, part->benchmarks[i], error);
    }
    return status;
}

CM_GETTER(size_t cm_results_core_count(const cm_results *results), results->part_count)
CM_GETTER(const cm_core_type *cm_results_core(const cm_results *results, size_t core), &results->cores[core])
CM_GETTER(cm_results *cm_results_of_core(cm_results *results, size_t core), results->parts[core])
CM_GETTER(const char *cm_benchmark_result_core(const cm_benchmark_result *result), result->core)
