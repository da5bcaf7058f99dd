/* A model's events published as PAPI software-defined events, so that they are counted like any other:
 * cm_source_publish names them "sde:::<model>::<event>".
 *
 * PAPI 7.0 offers no way back: papi_sde_shutdown followed by papi_sde_init, and a look-up of a counter that was
 * unregistered, both crash. So a name that was registered once stays for the life of the process, and a session only
 * says which of them speak for it; the others count nothing and are not listed. PAPI's state being the process's, so is
 * this file's. */
#ifndef CM_COUNTING_PAPI_SDE_PROVIDER_H
#define CM_COUNTING_PAPI_SDE_PROVIDER_H

#include <stddef.h>

typedef enum cm_sde_provider_state {
    CM_SDE_PROVIDED_NEVER,  /* not ours */
    CM_SDE_PROVIDED_BEFORE, /* an earlier session's */
    CM_SDE_PROVIDED_NOW,
} cm_sde_provider_state;

typedef struct cm_sde_provider {
    cm_sde_provider_state state;
    size_t event; /* the model's, where it is published now */
} cm_sde_provider;

cm_sde_provider cm_sde_provider_find(const char *papi_name);

#endif
