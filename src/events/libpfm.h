/* The events of a processor as libpfm4 knows them, PAPI's source of names, asked at run time where it is installed. */
#ifndef CM_EVENTS_LIBPFM_H
#define CM_EVENTS_LIBPFM_H

#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

typedef struct cm_libpfm_event {
    const char *name;     /* EVENT or EVENT:UMASK */
    uint64_t code, umask; /* as the processor's documents have them; umask is 0 where there is none */
} cm_libpfm_event;

typedef struct cm_libpfm_list {
    size_t count;
    const cm_libpfm_event *events; /* an event with unit masks is there by itself, too */
} cm_libpfm_list;

/* All events of the PMU, libpfm4's name of it, whatever processor this is. *list stays NULL where there is no libpfm4,
 * or it does not know that PMU. */
cm_status cm_libpfm_list_create(const char *pmu, cm_libpfm_list **list, cm_error *error);
void cm_libpfm_list_free(cm_libpfm_list *list);

#endif
