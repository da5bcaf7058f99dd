/* The events of a processor from libpfm4, PAPI's source of names, which is loaded at run time if it is installed. */
#ifndef CM_EVENTS_LIBPFM_H
#define CM_EVENTS_LIBPFM_H

#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

typedef struct cm_libpfm_event {
    const char *name;     /* EVENT or EVENT:UMASK */
    uint64_t code, umask; /* as in the processor's documents; umask is 0 if there is none */
} cm_libpfm_event;

typedef struct cm_libpfm_list {
    size_t count;
    const cm_libpfm_event *events; /* an event with unit masks is listed alone, too */
} cm_libpfm_list;

/* All events of the PMU, given by libpfm4's name of it, on any processor. *list stays NULL if there is no libpfm4, or
 * it does not know that PMU. */
cm_status cm_libpfm_list_create(const char *pmu, cm_libpfm_list **list, cm_error *error);
void cm_libpfm_list_free(cm_libpfm_list *list);

#endif
