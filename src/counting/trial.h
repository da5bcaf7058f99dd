/* Finds out by trying which events can be counted. */
#ifndef CM_COUNTING_TRIAL_H
#define CM_COUNTING_TRIAL_H

#include "counting/session.h"

/* Adds each of the session's events from index `first` on to a set of its own, starts it, works a little, reads and
 * stops it; fills `countable`, `moved`, `reason` and `hint`. */
cm_status cm_try_events(cm_counting *counting, size_t first, cm_error *error);

/* `reason` and its hint for an event that is not countable. CM_NO_MEMORY or CM_OK. */
cm_status cm_event_refused(cm_counting *counting, size_t event, const char *reason, cm_error *error);

/* The same for one that could be counted at first; `outcome` is what became of it. */
cm_status cm_event_failed(cm_counting *counting, size_t event, const char *outcome, const char *reason,
                          cm_error *error);

#endif
