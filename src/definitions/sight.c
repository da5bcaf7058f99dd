/* What the law looks at: kernels and what events count on them, from results in memory and from a document. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "definitions/definitions.h"
#include "discovery/benchmark_result.h"

/* ---- from results ---- */

/* The document knows neither a negative zero nor infinities. */
static double as_written(double value)
{
    return isfinite(value) ? value + 0.0 : NAN;
}

static cm_status copy_kernels(cm_arena *arena, const cm_evidence *evidence, cm_defined_benchmark *listed,
                              cm_error *error)
{
    cm_defined_kernel *kernels = cm_arena_allocate(arena, (evidence->law_count + 1) * sizeof *kernels);
    if (kernels == NULL)
        return cm_error_no_memory(error);
    for (size_t k = 0; k < evidence->law_count; k++) {
        const cm_kernel_facts *facts = evidence->law_kernels[k].facts;
        kernels[k] = (cm_defined_kernel){
            .benchmark = cm_arena_text(arena, facts->benchmark),
            .kernel = cm_arena_text(arena, facts->kernel),
            .iterations = evidence->problem.iterations[cm_evidence_law_row(evidence, k)],
        };
        kernels[k].part = cm_evidence_law_part(evidence, k, kernels[k].twins);
        if (kernels[k].benchmark == NULL || kernels[k].kernel == NULL)
            return cm_error_no_memory(error);
    }
    listed->law_count = evidence->law_count;
    listed->law_kernels = kernels;
    listed->interference = cm_counted_law_setup(evidence->law)->interference;
    return CM_OK;
}

static cm_status copy_event(cm_arena *arena, const cm_evidence *evidence, const cm_usable_event *looked,
                            cm_defined_event *event, cm_error *error)
{
    cm_law_sight sight;
    cm_status status = cm_evidence_law_sight(evidence, looked, &sight, error);
    if (status != CM_OK)
        return status;
    size_t *places = cm_arena_allocate(arena, (sight.count + 1) * sizeof *places);
    double *means = cm_arena_allocate(arena, (2 * sight.count + 1) * sizeof *means);
    if (places == NULL || means == NULL) {
        cm_law_sight_clear(&sight);
        return cm_error_no_memory(error);
    }
    for (size_t i = 0; i < sight.count; i++) {
        places[i] = sight.places[i];
        means[i] = as_written(sight.means[i]);
        means[sight.count + i] = as_written(sight.errors[i]);
    }
    event->law_count = sight.count;
    event->law_places = places;
    event->law_means = means;
    event->law_errors = means + sight.count;
    event->control_strays = looked->slack;
    cm_law_sight_clear(&sight);
    return CM_OK;
}

cm_status cm_definitions_take_sight(cm_arena *arena, const cm_benchmark_result *result, cm_read_benchmark *benchmark,
                                    cm_error *error)
{
    const cm_evidence *evidence = result->evidence;
    if (evidence == NULL || evidence->law == NULL)
        return CM_OK;
    cm_status status = copy_kernels(arena, evidence, &benchmark->listed, error);
    size_t listed = 0;
    for (size_t i = 0; i < cm_analysis_event_count(result->analysis) && status == CM_OK; i++) {
        if (!cm_benchmark_result_lists(result, i))
            continue;
        const cm_usable_event *looked = evidence->law_count > 0 ? cm_evidence_event(evidence, i) : NULL;
        if (looked != NULL)
            status = copy_event(arena, evidence, looked, &benchmark->events[listed], error);
        listed++;
    }
    return status;
}

/* ---- from a document ---- */

/* A whole number below `limit`. */
static cm_status read_place(cm_json_reader *reader, double read, size_t limit, size_t *place)
{
    if (!(read >= 0.0 && read < (double)limit) || read != floor(read))
        return cm_json_fault(reader, "has %g, expected a whole number from 0 to %zu", read, limit);
    *place = (size_t)read;
    return CM_OK;
}

static cm_status read_part(cm_json_reader *reader, const json_t *item, cm_kernel_part *part)
{
    const char *text;
    cm_status status = cm_json_read_text(reader, item, "part", CM_JSON_NOT_NULL, &text);
    for (int i = 0; i < CM_PART_COUNT && status == CM_OK; i++)
        if (strcmp(text, cm_kernel_part_texts[i]) == 0) {
            *part = (cm_kernel_part)i;
            return CM_OK;
        }
    return status != CM_OK
               ? status
               : cm_json_fault(reader, "is a part '%.40s', expected fitted, control, free or difference", text);
}

static cm_status read_kernel(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_defined_kernel *kernel = &((cm_defined_kernel *)items)[index];
    const double *twins = NULL;
    cm_status status = cm_json_read_text(reader, item, "benchmark", CM_JSON_NOT_NULL, &kernel->benchmark);
    if (status == CM_OK)
        status = cm_json_read_text(reader, item, "kernel", CM_JSON_NOT_NULL, &kernel->kernel);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, item, "iterations", CM_JSON_OR_NULL, &kernel->iterations);
    if (status == CM_OK && isnan(kernel->iterations))
        kernel->iterations = INFINITY;
    if (status == CM_OK)
        status = read_part(reader, item, &kernel->part);
    if (status == CM_OK && kernel->part == CM_PART_DIFFERENCE)
        status = cm_json_read_numbers(reader, item, "of", CM_JSON_NOT_NULL, 2, &twins);
    for (size_t i = 0; i < 2 && twins != NULL && status == CM_OK; i++)
        status = read_place(reader, twins[i], index, &kernel->twins[i]);
    return status;
}

static cm_status read_places(cm_json_reader *reader, const json_t *item, size_t kernels, cm_defined_event *event)
{
    const double *read = NULL;
    size_t count = json_array_size(json_object_get(item, "places"));
    cm_status status = cm_json_read_numbers(reader, item, "places", CM_JSON_NOT_NULL, count, &read);
    size_t *places = status == CM_OK ? cm_arena_allocate(reader->arena, (count + 1) * sizeof *places) : NULL;
    if (status == CM_OK && places == NULL)
        status = cm_error_no_memory(reader->error);
    cm_json_enter(reader, "places", 0);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        status = read_place(reader, read[i], kernels, &places[i]);
        if (status == CM_OK && i > 0 && places[i] <= places[i - 1])
            status = cm_json_fault(reader, "does not rise");
    }
    cm_json_leave(reader);
    event->law_count = count;
    event->law_places = places;
    return status;
}

static cm_status read_event(cm_json_reader *reader, const json_t *item, size_t kernels, cm_defined_event *event)
{
    const json_t *law = json_object_get(item, "law");
    if (!json_is_object(law))
        return CM_OK;
    cm_json_enter(reader, "law", 0);
    cm_status status = read_places(reader, law, kernels, event);
    if (status == CM_OK)
        status = cm_json_read_numbers(reader, law, "means", CM_JSON_NULL_ELEMENTS, event->law_count, &event->law_means);
    if (status == CM_OK)
        status =
            cm_json_read_numbers(reader, law, "errors", CM_JSON_NULL_ELEMENTS, event->law_count, &event->law_errors);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, law, "strays", CM_JSON_NOT_NULL, &event->control_strays);
    cm_json_leave(reader);
    return status;
}

cm_status cm_definitions_read_sight(cm_json_reader *reader, const json_t *item, cm_read_benchmark *benchmark)
{
    const json_t *law = json_object_get(item, "law"), *events = json_object_get(item, "events");
    cm_defined_benchmark *listed = &benchmark->listed;
    void *kernels = NULL;
    if (!json_is_object(law))
        return CM_OK;
    cm_json_enter(reader, "law", 0);
    cm_status status = cm_json_read_items(reader, law, "kernels", sizeof *listed->law_kernels, read_kernel,
                                          &listed->law_count, &kernels);
    listed->law_kernels = kernels;
    if (status == CM_OK)
        status = cm_json_read_figure(reader, law, "interference", CM_JSON_NOT_NULL, &listed->interference);
    cm_json_leave(reader);
    cm_json_enter(reader, "events", 0);
    for (size_t i = 0; i < listed->event_count && status == CM_OK; i++) {
        cm_json_enter(reader, NULL, i);
        status = read_event(reader, json_array_get(events, i), listed->law_count, &benchmark->events[i]);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    return status;
}
