#include "counting/counting.h"

#include <string.h>

#include "core/base.h"

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
