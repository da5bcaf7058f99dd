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

/* A metric of the same name and benchmark on cores of that type; NULL: there is none. */
static const cm_defined_metric *find_on(const cm_definitions *document, const cm_defined_metric *metric,
                                        const char *core)
{
    for (size_t i = 0, count = cm_definitions_count(document); i < count; i++) {
        const cm_defined_metric *other = cm_definitions_get(document, i);
        if (strcmp(other->core, core) == 0 && strcmp(other->benchmark, metric->benchmark) == 0 &&
            strcmp(other->metric, metric->metric) == 0)
            return other;
    }
    return NULL;
}

/* Fills the metric's definition on one type of cores. */
static void fill_on_core(const cm_core_type *core, const cm_defined_metric *metric, cm_filler *filler,
                         cm_on_core *filled)
{
    set_metric_on_core(filled, core->name, metric != NULL && metric->composable);
    if (metric == NULL || !metric->usable)
        return;
    cm_defined_term *terms = cm_filler_allocate(filler, metric->term_count, sizeof *terms);
    for (size_t i = 0; terms != NULL && i < metric->term_count; i++)
        terms[filled->term_count++] =
            (cm_defined_term){.event = metric->terms[i].event, .coefficient = metric->terms[i].coefficient};
    filled->terms = terms;
}

/* Fills a metric on all types of cores. */
static void fill_by_core(const cm_definitions *document, const cm_defined_metric *metric, cm_filler *filler,
                         cm_by_core *filled)
{
    const cm_core_type *types = document->cores;
    const cm_defined_metric *first = find_on(document, metric, types[0].name);
    cm_on_core *cores = cm_filler_allocate(filler, document->core_count, sizeof *cores);
    bool same = true;
    for (size_t i = 0; cores != NULL && i < document->core_count; i++) {
        const cm_defined_metric *there = find_on(document, metric, types[i].name);
        same = same && cm_core_defined_alike(&types[0], first, &types[i], there);
        fill_on_core(&types[i], there, filler, &cores[i]);
    }
    set_by_core(filled, metric, same, cores, cores != NULL ? document->core_count : 0);
}

/* Fills every metric once a benchmark, in the order of the first type that has it. */
static void fill_metrics_by_core(cm_filler *filler, cm_definitions *filled)
{
    const size_t count = cm_definitions_count(filled);
    filled->by_core = cm_filler_allocate(filler, count, sizeof *filled->by_core);
    for (size_t i = 0; filled->by_core != NULL && i < count; i++) {
        const cm_defined_metric *metric = cm_definitions_get(filled, i);
        bool listed = false;
        for (size_t core = 0; !listed && strcmp(filled->cores[core].name, metric->core) != 0; core++)
            listed = find_on(filled, metric, filled->cores[core].name) != NULL;
        if (!listed)
            fill_by_core(filled, metric, filler, &filled->by_core[filled->by_core_count++]);
    }
}

/* Fills an event on the types of cores that have it. */
static void fill_event_by_core(const cm_results *results, const cm_core_row *row, cm_filler *filler, cm_by_core *filled)
{
    cm_on_core *cores = cm_filler_allocate(filler, results->part_count, sizeof *cores);
    set_different(filled, row, cores);
    for (size_t i = 0; cores != NULL && i < results->part_count; i++)
        if (row->results[i] != NULL)
            set_event_on_core(&cores[filled->core_count++], results->cores[i].name,
                              cm_analysis_event(row->results[i]->analysis, row->at[i]).event);
}

/* Fills the definitions that types of cores share, and events that differ; nothing if all cores are alike. */
static cm_status fill_cores(const cm_results *results, cm_filler *filler, cm_definitions *filled, cm_error *error)
{
    cm_core_row *rows = NULL;
    if (results->part_count == 0)
        return CM_OK;
    filled->core_count = results->part_count;
    filled->cores = (cm_core_type *)results->cores;
    fill_metrics_by_core(filler, filled);
    cm_status status = cm_core_events_list(results, &rows, &filled->different_count, error);
    filled->different = cm_filler_allocate(filler, filled->different_count, sizeof *filled->different);
    for (size_t i = 0; status == CM_OK && filled->different != NULL && i < filled->different_count; i++)
        fill_event_by_core(results, &rows[i], filler, &filled->different[i]);
    free(rows);
    return status;
}

static void fill_set(const cm_tried_set *set, cm_filler *filler, cm_counted_set *filled)
{
    const char **refusing = cm_filler_allocate(filler, set->count, sizeof *refusing);
    set_set(filled, set, refusing);
    for (size_t i = 0; i < set->count && refusing != NULL; i++)
        if (set->refusing[i])
            refusing[filled->refusing_count++] = set->events[i];
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
    definitions->benchmarks = cm_filler_allocate(&filler, results->benchmark_count, sizeof *definitions->benchmarks);
    for (size_t i = 0; i < results->benchmark_count && definitions->benchmarks != NULL; i++)
        cm_fill_benchmark(results->benchmarks[i], &filler, &definitions->benchmarks[definitions->benchmark_count++]);
    cm_status status = fill_cores(results, &filler, definitions, error);
    if (results->origin.findings != NULL) {
        const size_t count = json_array_size(results->origin.findings);
        definitions->findings = cm_filler_allocate(&filler, count, sizeof *definitions->findings);
        for (size_t i = 0; i < count && definitions->findings != NULL; i++)
            set_finding(&definitions->findings[definitions->finding_count++],
                        json_array_get(results->origin.findings, i));
    }
    if (results->origin.incomplete != NULL)
        fill_lacks(results->origin.incomplete, &filler, definitions);
    const size_t sets = results->tried != NULL ? results->tried->count : 0;
    definitions->sets = cm_filler_allocate(&filler, sets, sizeof *definitions->sets);
    for (size_t i = 0; i < sets && definitions->sets != NULL; i++)
        fill_set(&results->tried->sets[i], &filler, &definitions->sets[definitions->set_count++]);
    definitions->unavailable =
        cm_filler_allocate(&filler, results->unavailable_count, sizeof *definitions->unavailable);
    for (size_t i = 0; i < results->unavailable_count && definitions->unavailable != NULL; i++)
        set_unavailable(&definitions->unavailable[definitions->unavailable_count++], &results->unavailable[i]);
    return status == CM_OK && filler.short_of_memory ? cm_error_no_memory(error) : status;
}
