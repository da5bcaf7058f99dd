/* The members of results beside their benchmarks: types of cores, sets of events, and events that were not counted. */
#include "result/fills.h"
#include "result/result.h"

/* A member of an object, `unknown` if it has none. */
static const char *text_of(const json_t *object, const char *key, const char *unknown)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : unknown;
}

static size_t count_of(const json_t *object, const char *key)
{
    return (size_t)json_integer_value(json_object_get(object, key));
}

static bool is_by_paper(const cm_results *results)
{
    return results->benchmark_count != 0 && results->benchmarks[0]->method == CM_METHOD_PAPER;
}

#include "result/document_fields.h"

/* The rounded coefficients that are not zero, as terms. */
static const cm_defined_term *terms_of(const cm_benchmark_result *result, const cm_fit *fit, cm_filler *filler,
                                       size_t *count)
{
    cm_defined_term *terms = cm_filler_allocate(filler, fit->term_count, sizeof *terms);
    for (size_t i = 0; i < fit->term_count && terms != NULL; i++)
        if (fit->rounded[i] != 0.0)
            cm_fill_bare_term(result, fit->events[i], fit->rounded[i], &terms[(*count)++]);
    return terms;
}

/* Fills the metric's definition on one type of cores. */
static void fill_metric_on_core(const cm_results *results, const cm_core_row *row, size_t core, cm_filler *filler,
                                cm_by_core *filled, cm_on_core *on_core)
{
    const cm_benchmark_result *result = row->results[core];
    const cm_fit *fit = result != NULL ? result->fits[row->at[core]] : NULL;
    const bool usable = fit != NULL && fit->composable;
    set_metric_on_core(on_core, results->cores[core].name, usable && !cm_fit_is_ranged(result, row->at[core]));
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
    set_event_on_core(on_core, results->cores[core].name,
                      cm_analysis_event(row->results[core]->analysis, row->at[core]).event);
    filled->core_count++;
}

/* The functions that fill a metric or an event: all of it, and on one type of cores. */
typedef struct core_fill {
    void (*all)(cm_by_core *filled, const cm_core_row *row, const cm_on_core *cores);
    void (*on_core)(const cm_results *results, const cm_core_row *row, size_t core, cm_filler *filler,
                    cm_by_core *filled, cm_on_core *on_core);
} core_fill;

static const core_fill metric_fill = {set_by_core, fill_metric_on_core};
static const core_fill event_fill = {set_different, fill_event_on_core};

/* Fills rows that compare the types of cores; NULL if memory is short. */
static cm_by_core *fill_rows(const cm_results *results, const cm_core_row *rows, size_t count, const core_fill *fill,
                             cm_filler *filler)
{
    cm_by_core *filled = cm_filler_allocate(filler, count, sizeof *filled);
    for (size_t i = 0; i < count && filled != NULL; i++) {
        cm_on_core *cores = cm_filler_allocate(filler, results->part_count, sizeof *cores);
        fill->all(&filled[i], &rows[i], cores);
        for (size_t core = 0; core < results->part_count && cores != NULL; core++)
            fill->on_core(results, &rows[i], core, filler, &filled[i], &cores[filled[i].core_count]);
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
    CM_THEN(status, cm_core_events_list(results, &events, &filled->different_count, error));
    if (status == CM_OK) {
        filled->core_count = results->part_count;
        filled->cores = (cm_core_type *)results->cores;
        filled->by_core = fill_rows(results, metrics, filled->by_core_count, &metric_fill, filler);
        filled->different = fill_rows(results, events, filled->different_count, &event_fill, filler);
    }
    free(events);
    free(metrics);
    return status;
}

static void fill_benchmarks(const cm_results *results, cm_filler *filler, cm_definitions *filled)
{
    filled->benchmarks = cm_filler_allocate(filler, results->benchmark_count, sizeof *filled->benchmarks);
    for (size_t i = 0; i < results->benchmark_count && filled->benchmarks != NULL; i++)
        cm_fill_benchmark(results->benchmarks[i], filler, &filled->benchmarks[filled->benchmark_count++]);
}

static void fill_set(const cm_tried_set *set, cm_filler *filler, cm_counted_set *filled)
{
    const char **refusing = cm_filler_allocate(filler, set->count, sizeof *refusing);
    set_set(filled, set, refusing);
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
        set_unavailable(&filled->unavailable[filled->unavailable_count++], &results->unavailable[i]);
}

static void fill_findings(const json_t *findings, cm_filler *filler, cm_definitions *filled)
{
    size_t count = json_array_size(findings);
    filled->findings = cm_filler_allocate(filler, count, sizeof *filled->findings);
    for (size_t i = 0; i < count && filled->findings != NULL; i++)
        set_finding(&filled->findings[filled->finding_count++], json_array_get(findings, i));
}

/* Fills the list of incomplete benchmarks. */
static void fill_lacks(const json_t *lacks, cm_filler *filler, cm_definitions *filled)
{
    size_t count = json_array_size(lacks);
    filled->incomplete = cm_filler_allocate(filler, count, sizeof *filled->incomplete);
    for (size_t i = 0; i < count && filled->incomplete != NULL; i++)
        set_lack(&filled->incomplete[filled->lack_count++], json_array_get(lacks, i));
}

cm_status cm_fill_document(const cm_results *results, cm_arena *arena, cm_definitions *definitions, cm_error *error)
{
    cm_filler filler = {.arena = arena};
    *definitions = (cm_definitions){0};
    set_document(definitions, results);
    fill_benchmarks(results, &filler, definitions);
    cm_status status = fill_cores(results, &filler, definitions, error);
    if (results->origin.findings != NULL)
        fill_findings(results->origin.findings, &filler, definitions);
    if (results->origin.incomplete != NULL)
        fill_lacks(results->origin.incomplete, &filler, definitions);
    fill_sets(results->tried, &filler, definitions);
    fill_unavailable(results, &filler, definitions);
    return status == CM_OK && filler.short_of_memory ? cm_error_no_memory(error) : status;
}
