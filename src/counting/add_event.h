/* Events that a session does not list by itself. */
#ifndef CM_COUNTING_ADD_EVENT_H
#define CM_COUNTING_ADD_EVENT_H

#include <stdint.h>

#include "counting/session.h"

#define CM_ANY_COMPONENT SIZE_MAX

/* Adds the component's event that PAPI knows by this name, qualifiers included; it is not yet tried. *event: its index,
 * also where the session has it already under the name that PAPI gives it. CM_UNSUPPORTED where PAPI knows none, or
 * none that is listed. */
cm_status cm_counting_add_event(cm_counting *counting, const char *name, size_t component, size_t *event,
                                cm_error *error);

/* Tries the events that were added, from index `first` on. */
cm_status cm_counting_try_added(cm_counting *counting, size_t first, cm_error *error);

/* Mean seconds that trying an event took; 0 where none was tried. */
double cm_counting_trial_seconds(const cm_counting *counting);

#endif
