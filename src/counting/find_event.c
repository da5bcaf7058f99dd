/* Finds events by their names in tables and definitions. */
#include "counting/counting.h"
#include "formulas/events/events.h"

static bool is_called(const cm_counting *counting, const cm_event_record *event, const char *name)
{
    return strcmp(event->name, name) == 0 || strcmp(event->papi_name, name) == 0 ||
           cm_component_is_key(name, counting->components[event->component].name, event->name);
}

/* CM_BAD_ARGUMENT with the events that have this name. */
static cm_status refuse_several(const cm_counting *counting, const char *name, cm_error *error)
{
    char list[CM_ERROR_TEXT_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; i < counting->event_count && used < sizeof list; i++) {
        const cm_event_record *event = &counting->events[i];
        if (event->countable && is_called(counting, event, name))
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s%s%.200s", used > 0 ? " or " : "",
                                     counting->components[event->component].name, CM_COMPONENT_MARK, event->name);
    }
    return CM_FAIL(error, CM_BAD_ARGUMENT, "event '%.200s' is ambiguous, expected %s", name, list);
}

cm_status cm_counting_find_event(const cm_counting *counting, const char *name, size_t *event, cm_error *error)
{
    const cm_event_record *refused = NULL, *found = NULL;
    for (size_t i = 0; i < counting->event_count; i++) {
        const cm_event_record *tried = &counting->events[i];
        if (!is_called(counting, tried, name))
            continue;
        if (!tried->countable) {
            refused = refused == NULL ? tried : refused;
            continue;
        }
        /* An event that one component lists twice is not ambiguous. */
        if (found != NULL && found->component != tried->component)
            return refuse_several(counting, name, error);
        found = found == NULL ? tried : found;
    }
    if (found != NULL)
        *event = (size_t)(found - counting->events);
    else if (refused != NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "event '%.200s' cannot be counted here: %.60s says: %s", name,
                       counting->components[refused->component].name, refused->reason);
    return found != NULL ? CM_OK : CM_FAIL(error, CM_BAD_ARGUMENT, "there is no event '%.200s'", name);
}
