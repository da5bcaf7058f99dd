/* The controls that a document's definitions were held to. */
#include <math.h>
#include <stdint.h>

#include "core/error.h"
#include "definitions/definitions.h"

/* An object among the members of another; NULL where it has none. */
static const json_t *part_of(const json_t *item, const char *key)
{
    const json_t *part = json_object_get(item, key);
    return json_is_null(part) ? NULL : part;
}

typedef struct number_list {
    const char *key;
    const double **numbers;
} number_list;

/* Lists of `count` numbers in a part of an object, where it has that. */
static cm_status read_lists(cm_json_reader *reader, const json_t *item, const char *part, size_t count,
                            const number_list *lists, size_t list_count)
{
    const json_t *members = part_of(item, part);
    if (members == NULL)
        return CM_OK;
    cm_json_enter(reader, part, 0);
    cm_status status = json_is_object(members) ? CM_OK : cm_json_fault(reader, "is no object");
    for (size_t i = 0; i < list_count && status == CM_OK; i++)
        status = cm_json_read_numbers(reader, members, lists[i].key, CM_JSON_NULL_ELEMENTS, count, lists[i].numbers);
    cm_json_leave(reader);
    return status;
}

static cm_status read_event(cm_json_reader *reader, const json_t *item, size_t count, cm_defined_event *event)
{
    const number_list lists[] = {{"counts", &event->control_counts}, {"errors", &event->control_errors}};
    cm_status status = read_lists(reader, item, "controls", count, lists, 2);
    if (status != CM_OK || event->control_counts == NULL)
        return status;
    cm_json_enter(reader, "controls", 0);
    status = cm_json_read_figure(reader, part_of(item, "controls"), "strays", CM_JSON_NOT_NULL, &event->control_strays);
    cm_json_leave(reader);
    return status;
}

static cm_status read_metric(cm_json_reader *reader, const json_t *item, size_t count, cm_defined_metric *metric)
{
    const number_list lists[] = {
        {"low", &metric->control_low}, {"high", &metric->control_high}, {"limits", &metric->control_limits}};
    return read_lists(reader, item, "held_to", count, lists, 3);
}

/* Their names, and the iterations of a run; infinity where these are unknown. */
static cm_status read_kernels(cm_json_reader *reader, const json_t *item, cm_defined_benchmark *listed)
{
    const json_t *controls = part_of(item, "controls");
    const double *read = NULL;
    if (controls == NULL)
        return CM_OK;
    cm_json_enter(reader, "controls", 0);
    cm_status status = json_is_object(controls) ? CM_OK : cm_json_fault(reader, "is no object");
    if (status == CM_OK)
        status = cm_json_read_names(reader, controls, "kernels", &listed->control_count, &listed->controls);
    cm_json_leave(reader);
    const number_list lists[] = {{"iterations", &read}};
    if (status == CM_OK)
        status = read_lists(reader, item, "controls", listed->control_count, lists, 1);
    if (status != CM_OK)
        return status;
    double *iterations = cm_arena_allocate(reader->arena, (listed->control_count + 1) * sizeof *iterations);
    for (size_t i = 0; i < listed->control_count && iterations != NULL; i++)
        iterations[i] = isnan(read[i]) ? INFINITY : read[i];
    listed->control_iterations = iterations;
    return iterations != NULL ? CM_OK : cm_error_no_memory(reader->error);
}

/* The most control kernels, of whatever benchmark, that one of the metrics' definitions was held to. */
static size_t count_held(const json_t *metrics)
{
    json_int_t most = 0;
    for (size_t i = 0; i < json_array_size(metrics); i++) {
        const json_t *controls = json_object_get(json_array_get(metrics, i), "controls");
        json_int_t kernels = json_integer_value(json_object_get(controls, "kernels"));
        most = kernels > most ? kernels : most;
    }
    return (size_t)most;
}

cm_status cm_definitions_read_controls(cm_json_reader *reader, const json_t *item, cm_read_benchmark *benchmark)
{
    const json_t *events = json_object_get(item, "events"), *metrics = json_object_get(item, "metrics");
    cm_defined_benchmark *listed = &benchmark->listed;
    listed->held_count = count_held(metrics);
    cm_status status = read_kernels(reader, item, listed);
    if (listed->control_count == 0)
        return status;
    cm_json_enter(reader, "events", 0);
    for (size_t i = 0; i < listed->event_count && status == CM_OK; i++) {
        cm_json_enter(reader, NULL, i);
        status = read_event(reader, json_array_get(events, i), listed->control_count, &benchmark->events[i]);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    cm_json_enter(reader, "metrics", 0);
    for (size_t i = 0; i < benchmark->metric_count && status == CM_OK; i++) {
        cm_json_enter(reader, NULL, i);
        status = read_metric(reader, json_array_get(metrics, i), listed->control_count, &benchmark->metrics[i]);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    return status;
}
