/* The software PMU published to PAPI, and its components visited. */
#ifndef CM_COUNTING_PAPI_PAPI_H
#define CM_COUNTING_PAPI_PAPI_H

#include <stdbool.h>

#include <catmint/error.h>

/* ---- sde_provider ---- */

/* Publishes a model's events as PAPI software-defined events, so that they are counted like any other:
 * cm_source_publish names them "sde:::<model>::<event>".
 *
 * PAPI 7.0 cannot undo this: papi_sde_shutdown followed by papi_sde_init, and a look-up of an unregistered counter,
 * both crash. So a registered name stays for the life of the process, and each session decides which of them are
 * active; the others count nothing and are not listed. Like PAPI's state, that of this file belongs to the process. */

typedef enum cm_sde_provider_state {
    CM_SDE_PROVIDED_NEVER,  /* not registered here */
    CM_SDE_PROVIDED_BEFORE, /* by an earlier session */
    CM_SDE_PROVIDED_NOW,
} cm_sde_provider_state;

typedef struct cm_sde_provider {
    cm_sde_provider_state state;
    size_t event; /* the model's event, if it is published now */
} cm_sde_provider;

cm_sde_provider cm_sde_provider_find(const char *papi_name);

/* ---- Visits all events of PAPI's ---- */

/* Calls `visit` for each of a component's events, alone and with each single qualifier, until it returns anything but
 * CM_OK. */
typedef cm_status (*cm_event_visit)(size_t component, int code, bool qualified, void *data, cm_error *error);
cm_status cm_visit_events(size_t component, cm_event_visit visit, void *data, cm_error *error);

/* Whether an event of that component is counted by the core's own counters. perf also lists events of the kernel. */
bool cm_is_core_event(const char *component, const char *name);

#endif
