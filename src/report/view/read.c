/* Reads what stands beside the definitions of a document catmint.metrics/1. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "definitions/definitions.h"
#include "report/view/view.h"

/* A scalar of the machine's description, as people read it; NULL where it is none or memory is short. */
static const char *machine_text(cm_arena *arena, const json_t *value)
{
    char text[CM_NUMBER_TEXT_SIZE];
    if (json_is_string(value))
        return cm_arena_text(arena, json_string_value(value));
    if (json_is_boolean(value))
        return json_is_true(value) ? "yes" : "no";
    if (!json_is_number(value))
        return NULL;
    cm_number_write(json_number_value(value), text);
    return cm_arena_text(arena, text);
}

/* Scalars only: what else describes a machine is for programs. */
static bool is_scalar(const json_t *value)
{
    return json_is_string(value) || json_is_boolean(value) || json_is_number(value);
}

static cm_status read_machine(cm_view *view, const json_t *document, cm_json_reader *reader)
{
    json_t *machine = json_object_get(document, "machine"), *value;
    const char *key;
    view->machine = cm_arena_allocate(&view->arena, json_object_size(machine) * sizeof *view->machine);
    if (view->machine == NULL)
        return cm_error_no_memory(reader->error);
    json_object_foreach(machine, key, value) if (is_scalar(value))
    {
        cm_view_pair *pair = &view->machine[view->machine_count++];
        *pair = (cm_view_pair){cm_arena_text(&view->arena, key), machine_text(&view->arena, value)};
        if (pair->name == NULL || pair->text == NULL)
            return cm_error_no_memory(reader->error);
    }
    return CM_OK;
}

static int compare_reasons(const void *left, const void *right)
{
    const cm_view_pair *a = left, *b = right;
    int order = strcmp(a->text, b->text);
    return order != 0 ? order : strcmp(a->name, b->name);
}

static cm_status read_unavailable_event(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_view_pair *pair = &((cm_view_pair *)items)[index];
    cm_status status = cm_json_read_text(reader, item, "event", CM_JSON_NOT_NULL, &pair->name);
    return status == CM_OK ? cm_json_read_text(reader, item, "reason", CM_JSON_NOT_NULL, &pair->text) : status;
}

static cm_status read_unavailable(cm_view *view, const json_t *document, cm_json_reader *reader)
{
    void *items = NULL;
    if (json_object_get(document, "unavailable") == NULL)
        return CM_OK;
    cm_status status = cm_json_read_items(reader, document, "unavailable", sizeof *view->unavailable,
                                          read_unavailable_event, &view->unavailable_count, &items);
    view->unavailable = items;
    if (status == CM_OK && view->unavailable_count > 0)
        qsort(view->unavailable, view->unavailable_count, sizeof *view->unavailable, compare_reasons);
    return status;
}

static cm_status read_finding(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_view_finding *finding = &((cm_view_finding *)items)[index];
    cm_status status = cm_json_read_text(reader, item, "severity", CM_JSON_NOT_NULL, &finding->severity);
    if (status == CM_OK)
        status = cm_json_read_text(reader, item, "text", CM_JSON_NOT_NULL, &finding->text);
    return status == CM_OK ? cm_json_read_text(reader, item, "advice", CM_JSON_NOT_NULL, &finding->advice) : status;
}

/* null where they are unknown, and missing in older documents. */
static cm_status read_findings(cm_view *view, const json_t *document, cm_json_reader *reader)
{
    const json_t *findings = json_object_get(document, "findings");
    void *items = NULL;
    if (findings == NULL || json_is_null(findings))
        return CM_OK;
    cm_status status = cm_json_read_items(reader, document, "findings", sizeof *view->findings, read_finding,
                                          &view->finding_count, &items);
    view->findings = items;
    return status;
}

static cm_status read_lack(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_view_lack *lack = &((cm_view_lack *)items)[index];
    lack->core = "";
    cm_status status = cm_json_read_text(reader, item, "benchmark", CM_JSON_NOT_NULL, &lack->benchmark);
    if (status == CM_OK && json_object_get(item, "core") != NULL)
        status = cm_json_read_text(reader, item, "core", CM_JSON_NOT_NULL, &lack->core);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, item, "counted", CM_JSON_NOT_NULL, &lack->counted);
    return status == CM_OK ? cm_json_read_figure(reader, item, "of", CM_JSON_NOT_NULL, &lack->of) : status;
}

/* Missing where nothing lacks. */
static cm_status read_lacks(cm_view *view, const json_t *document, cm_json_reader *reader)
{
    void *items = NULL;
    if (json_object_get(document, "incomplete") == NULL)
        return CM_OK;
    cm_status status =
        cm_json_read_items(reader, document, "incomplete", sizeof *view->lacks, read_lack, &view->lack_count, &items);
    view->lacks = items;
    return status;
}

static cm_status read_core_row(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_view_core_row *row = &((cm_view_core_row *)items)[index];
    cm_status status = cm_json_read_text(reader, item, "benchmark", CM_JSON_NOT_NULL, &row->benchmark);
    if (status == CM_OK)
        status = cm_json_read_text(reader, item, "metric", CM_JSON_NOT_NULL, &row->metric);
    return status == CM_OK ? cm_json_read_bool(reader, item, "same", &row->same) : status;
}

static cm_status read_different(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_view_different_event *event = &((cm_view_different_event *)items)[index];
    cm_status status = cm_json_read_text(reader, item, "benchmark", CM_JSON_NOT_NULL, &event->benchmark);
    return status == CM_OK ? cm_json_read_text(reader, item, "event", CM_JSON_NOT_NULL, &event->event) : status;
}

/* Missing where cores are all alike. */
static cm_status read_cores(cm_view *view, const json_t *document, cm_json_reader *reader)
{
    void *rows = NULL, *events = NULL;
    cm_status status = CM_OK;
    if (json_object_get(document, "by_core") != NULL)
        status = cm_json_read_items(reader, document, "by_core", sizeof *view->core_rows, read_core_row,
                                    &view->core_row_count, &rows);
    if (status == CM_OK && json_object_get(document, "different_events") != NULL)
        status = cm_json_read_items(reader, document, "different_events", sizeof *view->different, read_different,
                                    &view->different_count, &events);
    view->core_rows = rows;
    view->different = events;
    return status;
}

static cm_status read_counts(cm_json_reader *reader, const json_t *item, cm_view_benchmark *benchmark)
{
    const json_t *counts = json_object_get(item, "counts");
    cm_status status = CM_OK;
    cm_json_enter(reader, "counts", 0);
    for (int i = 0; i < CM_VIEW_STATUSES && status == CM_OK; i++) {
        const char *key = cm_event_status_text((cm_event_status)i);
        benchmark->counts[i] = NAN;
        if (json_object_get(counts, key) != NULL)
            status = cm_json_read_figure(reader, counts, key, CM_JSON_NOT_NULL, &benchmark->counts[i]);
    }
    cm_json_leave(reader);
    return status;
}

static cm_status read_metrics(cm_json_reader *reader, const json_t *item, const cm_read_benchmark *read,
                              cm_view_benchmark *benchmark)
{
    const json_t *metrics = json_object_get(item, "metrics");
    cm_status status = CM_OK;
    benchmark->metrics = cm_arena_allocate(reader->arena, read->metric_count * sizeof *benchmark->metrics);
    if (benchmark->metrics == NULL)
        return cm_error_no_memory(reader->error);
    benchmark->metric_count = read->metric_count;
    cm_json_enter(reader, "metrics", 0);
    for (size_t i = 0; i < read->metric_count && status == CM_OK; i++) {
        benchmark->metrics[i] = (cm_view_metric){.defined = &read->metrics[i]};
        cm_json_enter(reader, NULL, i);
        status =
            cm_view_read_metric(reader, json_array_get(metrics, i), read->listed.kernel_count, &benchmark->metrics[i]);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    return status;
}

/* NULL where memory is short. */
static const char *title_of(const cm_defined_benchmark *listed, cm_arena *arena)
{
    char *title = NULL;
    if (listed->core[0] == '\0')
        return listed->benchmark;
    if (asprintf(&title, "%s on %s", listed->benchmark, listed->core) < 0)
        return NULL;
    const char *kept = cm_arena_text(arena, title);
    free(title);
    return kept;
}

static cm_status read_benchmark(cm_json_reader *reader, const json_t *item, const cm_read_benchmark *read,
                                cm_view_benchmark *benchmark)
{
    cm_view_texts selected = {0};
    *benchmark = (cm_view_benchmark){
        .title = title_of(&read->listed, reader->arena), .listed = &read->listed, .events = read->events};
    if (benchmark->title == NULL)
        return cm_error_no_memory(reader->error);
    cm_status status = json_object_get(item, "selected") != NULL
                           ? cm_json_read_names(reader, item, "selected", &selected.count, &selected.items)
                           : CM_OK;
    if (status == CM_OK)
        status = read_counts(reader, item, benchmark);
    if (status == CM_OK)
        status = cm_view_read_texts(reader, item, "dropped_symbols", &benchmark->dropped_symbols);
    if (status == CM_OK)
        status = read_metrics(reader, item, read, benchmark);
    return status == CM_OK ? cm_view_order_events(benchmark, &selected, reader->arena, reader->error) : status;
}

static cm_status read_benchmarks(cm_view *view, const json_t *document, cm_json_reader *reader)
{
    const json_t *benchmarks = json_object_get(document, "benchmarks");
    const cm_definitions *definitions = view->definitions;
    cm_status status = CM_OK;
    view->benchmarks = cm_arena_allocate(&view->arena, definitions->benchmark_count * sizeof *view->benchmarks);
    if (view->benchmarks == NULL)
        return cm_error_no_memory(reader->error);
    cm_json_enter(reader, "benchmarks", 0);
    for (size_t i = 0; i < definitions->benchmark_count && status == CM_OK; i++) {
        cm_json_enter(reader, NULL, i);
        status = read_benchmark(reader, json_array_get(benchmarks, i), &definitions->benchmarks[i],
                                &view->benchmarks[view->benchmark_count++]);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    return status;
}

cm_status cm_view_read(cm_view *view, const json_t *document, cm_json_reader *reader)
{
    view->pmu_reason = "";
    cm_status status = read_machine(view, document, reader);
    if (status == CM_OK && json_object_get(document, "pmu_reason") != NULL)
        status = cm_json_read_text(reader, document, "pmu_reason", CM_JSON_NOT_NULL, &view->pmu_reason);
    if (status == CM_OK)
        status = read_unavailable(view, document, reader);
    if (status == CM_OK)
        status = read_findings(view, document, reader);
    if (status == CM_OK)
        status = read_lacks(view, document, reader);
    if (status == CM_OK)
        status = read_cores(view, document, reader);
    return status == CM_OK ? read_benchmarks(view, document, reader) : status;
}
