/* All components and all their native events: what the source lists. */
#ifndef CM_COUNTING_ENUMERATE_H
#define CM_COUNTING_ENUMERATE_H

#include "counting/session.h"

/* Fills the session's components (without events). */
cm_status cm_enumerate_components(cm_counting *counting, cm_error *error);

/* Appends one component's events, each also with each of its single qualifiers, to the session's; updates its count,
 * and whether it is enabled (some components find out only when their events are asked for).
 *
 * Left out: perf's valued modifiers (`:e=0`, `:period=0`, `:cpu=0` ...), which PAPI lists among the qualifiers though
 * they only say how to count; perf's tracepoints (`perf::<system>:<event>`), thousands of points in the kernel's code
 * of which none counts what a processor does; software-defined events that an earlier session of this process
 * published. */
cm_status cm_enumerate_events(cm_counting *counting, size_t component, cm_error *error);

/* Appends the event with this code of the source's, which was found by `name`, unless it is one of those left out. */
cm_status cm_enumerate_event(cm_counting *counting, size_t component, int code, const char *name, cm_error *error);

#endif
