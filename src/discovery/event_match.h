/* Events of a table by the names that people give: as the table has them; component:::NAME, where a table has the bare
 * name because no other component counts an event of it; or the bare name where the table has the component too. */
#ifndef CM_DISCOVERY_EVENT_MATCH_H
#define CM_DISCOVERY_EVENT_MATCH_H

#include <stdbool.h>

#include <catmint/analysis.h>
#include <catmint/results.h>

#include "sweep/record/record.h"

/* As the list says, which may be NULL: nothing is known then. */
cm_event_components cm_component_list_events(cm_component_list *list);

/* Whether `wanted` means the event that the table calls `event`. Of the component of a bare name anything is believed
 * where nothing is known. */
typedef enum cm_event_match {
    CM_EVENT_OTHER,
    CM_EVENT_BY_BARE_NAME, /* another component's event may be meant as well */
    CM_EVENT_MEANT,
} cm_event_match;

cm_event_match cm_event_match_name(const char *event, const char *wanted, const cm_event_components *components);

/* Whether a pattern (fnmatch) fits one of the event's spellings. */
bool cm_event_fits(const char *event, const char *pattern, const cm_event_components *components);

/* *index is SIZE_MAX where the analysis has no such event; CM_BAD_INPUT if two are meant, which the text lists. */
cm_status cm_event_find(const cm_analysis *analysis, const char *wanted, const cm_event_components *components,
                        size_t *index, cm_error *error);

#endif
