#include "formats/export/export.h"

#include "result/result.h"

/* Adds an event to the list, unless it is there. */
static cm_status list_event(cm_event_list *list, const char *event, cm_error *error)
{
    size_t index = 0;
    if (cm_name_index_find(list->index, event, &index))
        return CM_OK;
    if (!CM_GROW(list->events, list->count + 1, &list->capacity))
        return cm_error_no_memory(error);
    list->events[list->count] = event;
    return cm_name_index_add(list->index, event, list->count++, error);
}

bool cm_core_has(const cm_core_type *core, const char *name)
{
    return core == NULL || strcmp(core->name, name) == 0;
}

/* Lists the events of all definitions, and all events of the results. */
static cm_status list_events(const cm_definitions *definitions, const cm_core_type *core, cm_event_list *list,
                             cm_error *error)
{
    cm_status status = cm_name_index_create(&list->index, error);
    for (size_t i = 0; status == CM_OK && i < cm_definitions_count(definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(definitions, i);
        for (size_t k = 0; status == CM_OK && k < metric->term_count && cm_core_has(core, metric->core); k++)
            status = list_event(list, metric->terms[k].event, error);
    }
    for (size_t i = 0; status == CM_OK && i < cm_definitions_benchmark_count(definitions); i++) {
        const cm_defined_benchmark *benchmark = cm_definitions_benchmark(definitions, i);
        size_t count = cm_core_has(core, benchmark->core) ? benchmark->event_count : 0;
        for (size_t k = 0; status == CM_OK && k < count; k++)
            status = list_event(list, cm_definitions_event(definitions, i, k)->event, error);
    }
    return status;
}

cm_status cm_export_names_create(const cm_definitions *definitions, const cm_core_type *core, cm_export_names **names,
                                 cm_error *error)
{
    cm_export_names *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? list_events(definitions, core, &made->list, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_event_names_create(made->list.events, made->list.count, &made->names, error));
    CM_HAND_OVER(status, names, made, cm_export_names_free);
    return status;
}

void cm_export_names_free(cm_export_names *names)
{
    if (names == NULL)
        return;
    cm_event_names_free(names->names);
    cm_name_index_free(names->list.index);
    CM_FREE(names->list.events, names);
}
