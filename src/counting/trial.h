/* Finds out by trying which events can be counted. */
#ifndef CM_COUNTING_TRIAL_H
#define CM_COUNTING_TRIAL_H

#include "counting/session.h"

/* Seconds for trying one event, or adding one to a set. */
#define CM_TRIAL_SECONDS 5.0

/* Adds each of the session's events from index `first` on to a set of its own, starts it, works a little, reads and
 * stops it; fills `countable`, `moved`, `reason` and `hint`. This happens in forked processes, many events in each; an
 * event that ends or hangs its process twice, the second time alone, gets `outcome` and `reason`. CM_UNSUPPORTED or
 * CM_NO_MEMORY if the machine has no processes, memory or files left, or if the processes are ended from outside again
 * and again. */
cm_status cm_try_events(cm_counting *counting, size_t first, cm_error *error);

/* Sets the `reason` of an event that is not countable, and its hint. CM_NO_MEMORY or CM_OK. */
cm_status cm_event_refused(cm_counting *counting, size_t event, const char *reason, cm_error *error);

/* The same for an event that failed; `outcome` says how. */
cm_status cm_event_failed(cm_counting *counting, size_t event, const char *outcome, const char *reason,
                          cm_error *error);

#endif
