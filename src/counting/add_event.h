/* Adds events that a session does not list. */
#ifndef CM_COUNTING_ADD_EVENT_H
#define CM_COUNTING_ADD_EVENT_H

#include <stdint.h>

#include "counting/session.h"

#define CM_ANY_COMPONENT SIZE_MAX

/* Adds the component's event that PAPI knows by this name, with qualifiers; it is not tried yet. *event: its index,
 * also if the session has it already under the name that PAPI gives it. CM_UNSUPPORTED if PAPI does not know it, or if
 * it is one of those never listed. */
cm_status cm_counting_add_event(cm_counting *counting, const char *name, size_t component, size_t *event,
                                cm_error *error);

/* Tries the added events, from index `first` on. */
cm_status cm_counting_try_added(cm_counting *counting, size_t first, cm_error *error);

/* Mean seconds of trying an event; 0 if none was tried. */
double cm_counting_trial_seconds(const cm_counting *counting);

#endif
