/* Of which components the events of a sweep are, as its events.csv says. It is read only where a component is asked
 * for: sweeps of many events are analysed without keeping their names. */
#ifndef CM_RESULTS_EVENT_COMPONENTS_H
#define CM_RESULTS_EVENT_COMPONENTS_H

#include <catmint/results.h>

typedef struct cm_component_list cm_component_list;

/* Of the events that were counted; a file without a column "component" says nothing of any. */
cm_status cm_component_list_load(const char *path, cm_component_list **list, cm_error *error);
void cm_component_list_free(cm_component_list *list);

/* Lives as long as the list, which may be NULL: nothing is known then. */
cm_event_components cm_component_list_events(cm_component_list *list);

#endif
