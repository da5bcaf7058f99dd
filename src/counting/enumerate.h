/* Lists all components and all their native events, from the source. */
#ifndef CM_COUNTING_ENUMERATE_H
#define CM_COUNTING_ENUMERATE_H

#include "counting/session.h"

/* Fills the session's components, without their events. */
cm_status cm_enumerate_components(cm_counting *counting, cm_error *error);

/* Appends one component's events to the session's, each alone and with each single qualifier; updates the component's
 * count, and whether it is enabled (some components find out only when their events are asked for).
 *
 * Left out: perf's valued modifiers (`:e=0`, `:period=0`, `:cpu=0` ...), which PAPI lists as qualifiers though they
 * only say how to count; perf's tracepoints (`perf::<system>:<event>`), thousands of points in the kernel's code, none
 * of which counts work of the processor; software-defined events that an earlier session of this process published. */
cm_status cm_enumerate_events(cm_counting *counting, size_t component, cm_error *error);

/* Appends the event with this code of the source's, found by `name`, unless it is one of those left out. */
cm_status cm_enumerate_event(cm_counting *counting, size_t component, int code, const char *name, cm_error *error);

#endif
