/* Of which components the events of a sweep are. */
#include "sweep/record/record.h"

struct cm_component_list {
    cm_arena texts;
    cm_name_index *index; /* of the events, by their positions below */
    size_t count, capacity;
    const char **components; /* one an event */
};

/* Adds an event's component; one that is listed, or has none, is passed over. */
static cm_status add_event(cm_component_list *list, const char *event, const char *component, cm_error *error)
{
    size_t position = 0;
    if (component[0] == '\0' || cm_name_index_find(list->index, event, &position))
        return CM_OK;
    if (!CM_GROW(list->components, list->count + 1, &list->capacity))
        return cm_error_no_memory(error);
    position = list->count; /* events of one component follow each other */
    bool again = position > 0 && strcmp(list->components[position - 1], component) == 0;
    const char *name = cm_arena_text(&list->texts, event);
    list->components[position] = again ? list->components[position - 1] : cm_arena_text(&list->texts, component);
    if (name == NULL || list->components[position] == NULL)
        return cm_error_no_memory(error);
    list->count++;
    return cm_name_index_add(list->index, name, position, error);
}

/* Reads the components of the counted events; tables of older versions have no such column. */
static cm_status read_rows(cm_csv *csv, cm_component_list *list, cm_error *error)
{
    size_t event = cm_csv_find_column(csv, "event"), component = cm_csv_find_column(csv, "component");
    size_t state = cm_csv_find_column(csv, "status");
    cm_csv_row row;
    cm_status status = CM_OK;
    if (event == SIZE_MAX || component == SIZE_MAX || state == SIZE_MAX)
        return CM_OK;
    while (cm_csv_more(csv, &row, &status, error))
        if (strcmp(row.fields[state], "counted") == 0)
            status = add_event(list, row.fields[event], row.fields[component], error);
    return status;
}

cm_status cm_component_list_load(const char *path, cm_component_list **list, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_component_list *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? cm_name_index_create(&made->index, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_csv_open(path, &csv, error));
    CM_THEN(status, read_rows(csv, made, error));
    cm_csv_close(csv);
    CM_HAND_OVER(status, list, made, cm_component_list_free);
    return status;
}

void cm_component_list_free(cm_component_list *list)
{
    if (list == NULL)
        return;
    cm_name_index_free(list->index);
    cm_arena_clear(&list->texts);
    CM_FREE(list->components, list);
}

const char *cm_component_list_find(const cm_component_list *list, const char *event)
{
    size_t position = 0;
    return cm_name_index_find(list->index, event, &position) ? list->components[position] : NULL;
}
