/* What a source lists events with. */
#ifndef CM_COUNTING_APPEND_H
#define CM_COUNTING_APPEND_H

#include "counting/session.h"

/* One event more, with copies of the texts and else empty. NULL when out of memory. */
cm_event_record *cm_event_append(cm_counting *counting, const char *name, const char *papi_name,
                                 const char *description);

#endif
