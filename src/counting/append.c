#include "counting/counting.h"

cm_event_record *cm_event_append(cm_counting *counting, const char *name, const char *papi_name,
                                 const char *description)
{
    cm_event_record *events =
        cm_grow(counting->events, counting->event_count + 1, &counting->event_capacity, sizeof *events);
    if (events == NULL)
        return NULL;
    counting->events = events;
    cm_event_record *event = &events[counting->event_count];
    *event = (cm_event_record){.reason = "", .hint = ""};
    event->papi_name = cm_text_store_add(&counting->texts, papi_name);
    event->name = strcmp(name, papi_name) == 0 ? event->papi_name : cm_text_store_add(&counting->texts, name);
    event->description = cm_text_store_add(&counting->texts, description);
    if (event->papi_name == NULL || event->name == NULL || event->description == NULL)
        return NULL;
    counting->event_count++;
    return event;
}

cm_status cm_component_append(cm_counting *counting, const char *name, const char *description, size_t *component,
                              cm_error *error)
{
    size_t count = counting->component_count;
    if (!CM_RESIZE(counting->components, count + 2))
        return cm_error_no_memory(error);
    counting->components[count] =
        (cm_component_record){.name = name, .description = description, .reason = "", .hint = "", .enabled = true};
    *component = counting->component_count++;
    return CM_OK;
}
