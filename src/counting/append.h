/* Appends events to a session; called by the sources. */
#ifndef CM_COUNTING_APPEND_H
#define CM_COUNTING_APPEND_H

#include "counting/session.h"

/* Appends an event with copies of the texts and all else empty. NULL without memory. */
cm_event_record *cm_event_append(cm_counting *counting, const char *name, const char *papi_name,
                                 const char *description);

#endif
