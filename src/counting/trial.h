/* Finds out by trying which events can be counted. */
#ifndef CM_COUNTING_TRIAL_H
#define CM_COUNTING_TRIAL_H

#include "counting/session.h"

/* Seconds that trying one event, or adding one to a set, may take. */
#define CM_TRIAL_SECONDS 5.0

/* Adds each of the session's events from index `first` on to a set of its own, starts it, works a little, reads and
 * stops it; fills `countable`, `moved`, `reason` and `hint`. All of it happens in processes forked for it, many events
 * in each; of an event that kills or hangs its process twice, the second time alone,
 * `outcome` and `reason` say so. CM_UNSUPPORTED or CM_NO_MEMORY where the machine has no process, memory or file left,
 * or where the processes are ended from outside again and again. */
cm_status cm_try_events(cm_counting *counting, size_t first, cm_error *error);

/* `reason` and its hint for an event that is not countable. CM_NO_MEMORY or CM_OK. */
cm_status cm_event_refused(cm_counting *counting, size_t event, const char *reason, cm_error *error);

/* The same for one of which something went wrong; `outcome` is what became of it. */
cm_status cm_event_failed(cm_counting *counting, size_t event, const char *outcome, const char *reason,
                          cm_error *error);

#endif
