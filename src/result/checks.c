#include "result/rows.h"

#include "result/result.h"

/* ---- derived members ---- */

bool cm_finish_term(cm_arena *arena, void *item)
{
    (void)arena;
    cm_defined_term *term = item;
    if (term->equivalent_count == 0)
        term->equivalents = NULL;
    return true;
}

bool cm_finish_alternative(cm_arena *arena, void *item)
{
    (void)arena;
    cm_defined_metric *metric = item;
    metric->usable = metric->composable || metric->range_count > 0;
    return true;
}

/* A definition is pending if programs refuted the one before it. */
static cm_metric_verdict verdict_of(const cm_defined_metric *metric)
{
    if (cm_is_refuted(metric->programs) || cm_is_refuted(metric->workloads))
        return CM_METRIC_REFUTED;
    if (metric->programs != NULL || metric->workloads != NULL)
        return CM_METRIC_HELD;
    return metric->usable || metric->obstacle == CM_OBSTACLE_PROGRAMS ? CM_METRIC_NOT_VALIDATED : CM_METRIC_NOT_DEFINED;
}

bool cm_finish_metric(cm_arena *arena, void *item)
{
    cm_defined_metric *metric = item;
    const cm_defined_trial *trial = metric->programs;
    metric->validation_count = trial != NULL ? trial->programs : 0;
    metric->validation_median = trial != NULL ? trial->median : NAN;
    metric->validation_worst = trial != NULL ? trial->worst : NAN;
    cm_finish_alternative(arena, item);
    metric->verdict = verdict_of(metric);
    return true;
}

bool cm_finish_code(cm_arena *arena, void *item)
{
    cm_named_code *code = item;
    char *text = NULL;
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream == NULL)
        return false;
    for (size_t i = 0; i < code->count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", code->list[i]);
    code->names = cm_memory_text(stream, &text) != NULL ? cm_arena_text(arena, text) : NULL;
    free(text);
    return code->names != NULL;
}

bool cm_finish_benchmark(cm_arena *arena, void *item)
{
    (void)arena;
    cm_read_benchmark *benchmark = item;
    cm_defined_benchmark *listed = &benchmark->listed;
    for (size_t i = 0; i < benchmark->metric_count; i++) {
        cm_defined_metric *metric = &benchmark->metrics[i];
        metric->benchmark = listed->benchmark;
        metric->core = listed->core;
        metric->symbol_count = listed->symbol_count;
        if (metric->controls != NULL && metric->controls->kernels > listed->held_count)
            listed->held_count = metric->controls->kernels;
    }
    benchmark->result = NULL;
    return true;
}

enum { IDENTITY_SIZE = 128 };

/* The identity of the object "machine" of a document, as cm_definitions_identity gives it. */
static void identify_machine(const json_t *machine, char identity[IDENTITY_SIZE])
{
    const char *vendor = json_string_value(json_object_get(machine, "vendor"));
    const json_t *family = json_object_get(machine, "family"), *model = json_object_get(machine, "model");
    identity[0] = '\0';
    if (vendor != NULL && vendor[0] != '\0' && json_is_integer(family) && json_is_integer(model))
        snprintf(identity, IDENTITY_SIZE, "%.60s-%d-%X-%d", vendor, (int)json_integer_value(family),
                 (unsigned)json_integer_value(model), (int)json_integer_value(json_object_get(machine, "stepping")));
}

bool cm_finish_document(cm_arena *arena, void *item)
{
    cm_definitions *definitions = item;
    const char *gpu = json_string_value(json_object_get(definitions->described, "gpu"));
    const char *name = json_string_value(json_object_get(definitions->described, "model_name"));
    const char *architecture = json_string_value(json_object_get(definitions->described, "architecture"));
    char identity[IDENTITY_SIZE];
    identify_machine(definitions->described, identity);
    definitions->machine = cm_arena_text(arena, gpu != NULL ? gpu : name != NULL ? name : "");
    definitions->identity = cm_arena_text(arena, identity);
    definitions->architecture = architecture != NULL ? cm_arena_text(arena, architecture) : NULL;
    return definitions->machine != NULL && definitions->identity != NULL &&
           (architecture == NULL || definitions->architecture != NULL);
}

/* ---- contradictions ---- */

cm_status cm_check_equivalent(cm_json_reader *reader, const void *items, size_t index)
{
    return ((const cm_defined_equivalent *)items)[index].factor == 0.0 ? cm_json_fault(reader, "has a factor 0")
                                                                       : CM_OK;
}

cm_status cm_check_term(cm_json_reader *reader, const void *items, size_t index)
{
    return ((const cm_defined_term *)items)[index].event[0] == '\0'
               ? cm_json_fault(reader, "has an empty event, expected a name")
               : CM_OK;
}

cm_status cm_check_metric(cm_json_reader *reader, const void *items, size_t index)
{
    const cm_defined_metric *metric = &((const cm_defined_metric *)items)[index];
    if (metric->metric[0] == '\0')
        return cm_json_fault(reader, "has an empty name");
    return !metric->measurable && (metric->term_count > 0 || metric->usable)
               ? cm_json_fault(reader, "is not measurable, but has a definition")
               : CM_OK;
}

cm_status cm_check_event(cm_json_reader *reader, const void *items, size_t index)
{
    const cm_defined_event *event = &((const cm_defined_event *)items)[index];
    if (event->event[0] == '\0')
        return cm_json_fault(reader, "has an empty name");
    bool whole = event->law_count > 0 ? event->law_run_count % event->law_count == 0 : event->law_run_count == 0;
    return whole ? CM_OK : cm_json_fault(reader, "has runs that are not as many of each kernel");
}

cm_status cm_check_benchmark(cm_json_reader *reader, const void *items, size_t index)
{
    const cm_read_benchmark *benchmarks = items;
    const cm_defined_benchmark *listed = &benchmarks[index].listed;
    for (size_t i = 0; i < index; i++)
        if (strcmp(benchmarks[i].listed.benchmark, listed->benchmark) == 0 &&
            strcmp(benchmarks[i].listed.core, listed->core) == 0)
            return cm_json_fault(reader, "repeats benchmark '%.100s'", listed->benchmark);
    return CM_OK;
}

/* Refuses a benchmark on a type of cores that the document does not list. */
static cm_status check_core(cm_json_reader *reader, const cm_definitions *definitions,
                            const cm_defined_benchmark *listed)
{
    for (size_t i = 0; i < definitions->core_count; i++)
        if (strcmp(definitions->cores[i].name, listed->core) == 0)
            return CM_OK;
    if (listed->core[0] == '\0')
        return CM_OK;
    return cm_json_fault(reader, "lists no cores of the type '%.100s', which the benchmark '%.100s' is of",
                         listed->core, listed->benchmark);
}

cm_status cm_check_document(cm_json_reader *reader, const void *items, size_t index)
{
    const cm_definitions *definitions = &((const cm_definitions *)items)[index];
    cm_status status = CM_OK;
    if (definitions->pmu != NULL && !cm_definitions_knows_pmu(definitions->pmu)) {
        cm_json_enter(reader, "pmu", 0);
        status = cm_json_fault(reader, CM_DEFINITIONS_PMU, "", definitions->pmu);
        cm_json_leave(reader);
    }
    for (size_t i = 0; i < definitions->benchmark_count && status == CM_OK; i++)
        status = check_core(reader, definitions, &definitions->benchmarks[i].listed);
    return status;
}
