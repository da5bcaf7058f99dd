/* Visits all events of PAPI's. */
#ifndef CM_COUNTING_PAPI_VISIT_H
#define CM_COUNTING_PAPI_VISIT_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* Calls `visit` for each of a component's events, alone and with each single qualifier, until it returns anything but
 * CM_OK. */
typedef cm_status (*cm_event_visit)(size_t component, int code, bool qualified, void *data, cm_error *error);
cm_status cm_visit_events(size_t component, cm_event_visit visit, void *data, cm_error *error);

/* Whether an event of that component is counted by the core's own counters. perf also lists events of the kernel. */
bool cm_is_core_event(const char *component, const char *name);

#endif
