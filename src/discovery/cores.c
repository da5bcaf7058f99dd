/* Results of a hybrid processor: those of each type of cores, and all of them in one document. */
#include <stdlib.h>
#include <string.h>

#include <catmint/sweep.h>

#include "core/base.h"
#include "core/files.h"
#include "core/json.h"
#include "discovery/results.h"

/* Whether the event cannot be counted on this type of cores. */
static bool is_unavailable(const cm_results *part, const char *event)
{
    for (size_t i = 0; i < part->unavailable_count; i++)
        if (strcmp(part->unavailable[i].event, event) == 0)
            return true;
    return false;
}

/* Takes those of the first part that all others lack, too, out of it. */
static void move_unavailable(cm_results *whole)
{
    cm_results *first = whole->parts[0];
    size_t kept = 0;
    whole->unavailable = calloc(first->unavailable_count + 1, sizeof *whole->unavailable);
    for (size_t i = 0; i < first->unavailable_count; i++) {
        bool everywhere = whole->unavailable != NULL;
        for (size_t p = 1; p < whole->part_count && everywhere; p++)
            everywhere = is_unavailable(whole->parts[p], first->unavailable[i].event);
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

/* The part belongs to `whole` from here on; its benchmarks stay its own. */
static cm_status add_part(cm_results *whole, const cm_core_type *core, cm_results *part, cm_error *error)
{
    cm_status status = whole->part_count == 0 ? take_head(whole, part, error) : CM_OK;
    if (status == CM_OK)
        status = take_lacks(whole, core, part, error);
    whole->cores[whole->part_count] = *core;
    whole->parts[whole->part_count++] = part;
    part->whole = whole;
    for (size_t i = 0; i < part->benchmark_count && status == CM_OK; i++) {
        strcpy(part->benchmarks[i]->core, core->name);
        status = cm_results_add(whole, part->benchmarks[i], error);
    }
    return status;
}

/* Adds the results of one type of cores, from its own directory. */
static cm_status analyze_core(const char *directory, const cm_core_type *core, const cm_analyze_options *options,
                              cm_results *whole, cm_error *error)
{
    cm_results *part = NULL;
    char *folder = cm_path_join(directory, core->name, "");
    if (folder == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_results_analyze_create(folder, options, &part, error);
    if (status == CM_OK)
        status = add_part(whole, core, part, error);
    free(folder);
    return status;
}

cm_status cm_analyze_cores(const char *directory, const cm_analyze_options *options, cm_results *whole, cm_error *error)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    cm_status status = cm_sweep_cores_read(directory, types, &count, error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = analyze_core(directory, &types[i], options, whole, error);
    if (status == CM_OK && whole->part_count != 0)
        move_unavailable(whole);
    return status;
}

size_t cm_results_core_count(const cm_results *results)
{
    return results->part_count;
}

const cm_core_type *cm_results_core(const cm_results *results, size_t core)
{
    return &results->cores[core];
}

cm_results *cm_results_of_core(cm_results *results, size_t core)
{
    return results->parts[core];
}

const char *cm_benchmark_result_core(const cm_benchmark_result *result)
{
    return result->core;
}
