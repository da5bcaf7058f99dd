/* The members of results beside their benchmarks: types of cores, sets of events, and events that were not counted. */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "result/result.h"

/* The rounded coefficients that are not zero, as terms. */
static const cm_defined_term *terms_of(const cm_benchmark_result *result, const cm_fit *fit, cm_filler *filler,
                                       size_t *count)
{
    cm_defined_term *terms = cm_filler_allocate(filler, fit->term_count, sizeof *terms);
    for (size_t i = 0; i < fit->term_count && terms != NULL; i++)
        if (fit->rounded[i] != 0.0)
            terms[(*count)++] = (cm_defined_term){.event = cm_analysis_event(result->analysis, fit->events[i]).event,
                                                  .coefficient = fit->rounded[i]};
    return terms;
}

/* Fills the metric's definition on one type of cores. */
static void fill_metric_on_core(const cm_results *results, const cm_core_row *row, size_t core, cm_filler *filler,
                                cm_by_core *filled, cm_on_core *on_core)
{
    const cm_benchmark_result *result = row->results[core];
    const cm_fit *fit = result != NULL ? result->fits[row->at[core]] : NULL;
    const bool usable = fit != NULL && fit->composable;
    *on_core = (cm_on_core){.core = results->cores[core].name,
                            .composable = usable && !cm_fit_is_ranged(result, row->at[core])};
    if (usable)
        on_core->terms = terms_of(result, fit, filler, &on_core->term_count);
    filled->core_count++;
}

static void fill_event_on_core(const cm_results *results, const cm_core_row *row, size_t core, cm_filler *filler,
                               cm_by_core *filled, cm_on_core *on_core)
{
    (void)filler;
    if (row->results[core] == NULL)
        return;
    on_core->core = results->cores[core].name;
    on_core->event = cm_analysis_event(row->results[core]->analysis, row->at[core]).event;
    filled->core_count++;
}

typedef void (*fill_on_core)(const cm_results *results, const cm_core_row *row, size_t core, cm_filler *filler,
                             cm_by_core *filled, cm_on_core *on_core);

/* Fills rows that compare the types of cores; NULL if memory is short. */
static cm_by_core *fill_rows(const cm_results *results, const cm_core_row *rows, size_t count, fill_on_core fill,
                             cm_filler *filler)
{
    cm_by_core *filled = cm_filler_allocate(filler, count, sizeof *filled);
    for (size_t i = 0; i < count && filled != NULL; i++) {
        cm_on_core *cores = cm_filler_allocate(filler, results->part_count, sizeof *cores);
        filled[i] = (cm_by_core){rows[i].benchmark, rows[i].name, rows[i].same, 0, cores};
        for (size_t core = 0; core < results->part_count && cores != NULL; core++)
            fill(results, &rows[i], core, filler, &filled[i], &cores[filled[i].core_count]);
    }
    return filled;
}

/* Fills the definitions that types of cores share; nothing if all cores are alike. */
static cm_status fill_cores(const cm_results *results, cm_filler *filler, cm_definitions *filled, cm_error *error)
{
    cm_core_row *metrics = NULL, *events = NULL;
    if (results->part_count == 0)
        return CM_OK;
    cm_status status = cm_core_metrics_list(results, &metrics, &filled->by_core_count, error);
    if (status == CM_OK)
        status = cm_core_events_list(results, &events, &filled->different_count, error);
    if (status == CM_OK) {
        filled->core_count = results->part_count;
        filled->cores = (cm_core_type *)results->cores;
        filled->by_core = fill_rows(results, metrics, filled->by_core_count, fill_metric_on_core, filler);
        filled->different = fill_rows(results, events, filled->different_count, fill_event_on_core, filler);
    }
    free(events);
    free(metrics);
    return status;
}

static void fill_set(const cm_tried_set *set, cm_filler *filler, cm_counted_set *filled)
{
    const char **refusing = cm_filler_allocate(filler, set->count, sizeof *refusing);
    *filled = (cm_counted_set){.together = set->together,
                               .count = set->count,
                               .events = (const char *const *)set->events,
                               .refusing = refusing};
    for (size_t i = 0; i < set->count && refusing != NULL; i++)
        if (set->refusing[i])
            refusing[filled->refusing_count++] = set->events[i];
}

static void fill_sets(const cm_tried_sets *tried, cm_filler *filler, cm_definitions *filled)
{
    size_t count = tried != NULL ? tried->count : 0;
    filled->sets = cm_filler_allocate(filler, count, sizeof *filled->sets);
    for (size_t i = 0; i < count && filled->sets != NULL; i++)
        fill_set(&tried->sets[i], filler, &filled->sets[filled->set_count++]);
}

static void fill_unavailable(const cm_results *results, cm_filler *filler, cm_definitions *filled)
{
    filled->unavailable = cm_filler_allocate(filler, results->unavailable_count, sizeof *filled->unavailable);
    for (size_t i = 0; i < results->unavailable_count && filled->unavailable != NULL; i++)
        filled->unavailable[filled->unavailable_count++] =
            (cm_unavailable){results->unavailable[i].event, results->unavailable[i].reason};
}

static const char *member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void fill_findings(const json_t *findings, cm_filler *filler, cm_definitions *filled)
{
    size_t count = json_array_size(findings);
    filled->findings = cm_filler_allocate(filler, count, sizeof *filled->findings);
    for (size_t i = 0; i < count && filled->findings != NULL; i++) {
        const json_t *finding = json_array_get(findings, i);
        filled->findings[filled->finding_count++] =
            (cm_read_finding){member(finding, "finding"), member(finding, "severity"), member(finding, "text"),
                              member(finding, "advice")};
    }
}

/* Fills the list of incomplete benchmarks. */
static void fill_lacks(const json_t *lacks, cm_filler *filler, cm_definitions *filled)
{
    size_t count = json_array_size(lacks);
    filled->incomplete = cm_filler_allocate(filler, count, sizeof *filled->incomplete);
    for (size_t i = 0; i < count && filled->incomplete != NULL; i++) {
        const json_t *lack = json_array_get(lacks, i);
        const char *core = member(lack, "core");
        filled->incomplete[filled->lack_count++] =
            (cm_lack){member(lack, "benchmark"), core != NULL ? core : "",
                      (size_t)json_integer_value(json_object_get(lack, "counted")),
                      (size_t)json_integer_value(json_object_get(lack, "of"))};
    }
}

cm_status cm_fill_document(const cm_results *results, cm_arena *arena, cm_definitions *definitions, cm_error *error)
{
    cm_filler filler = {.arena = arena};
    const bool by_paper = results->benchmark_count != 0 && results->benchmarks[0]->method == CM_METHOD_PAPER;
    *definitions = (cm_definitions){.schema = "catmint.metrics/1",
                                    .pmu = results->origin.pmu,
                                    .pmu_reason = results->origin.pmu_reason,
                                    .not_comparable = json_string_value(results->origin.not_comparable),
                                    .method = by_paper ? "paper" : NULL,
                                    .described = results->origin.machine,
                                    .uncore = results->origin.uncore,
                                    .cache_levels = results->origin.cache_levels,
                                    .line_size = results->origin.line,
                                    .results = results};
    cm_status status = fill_cores(results, &filler, definitions, error);
    if (results->origin.findings != NULL)
        fill_findings(results->origin.findings, &filler, definitions);
    if (results->origin.incomplete != NULL)
        fill_lacks(results->origin.incomplete, &filler, definitions);
    fill_sets(results->tried, &filler, definitions);
    fill_unavailable(results, &filler, definitions);
    return status == CM_OK && filler.short_of_memory ? cm_error_no_memory(error) : status;
}
