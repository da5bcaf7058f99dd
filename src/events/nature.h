/* Events that vary from run to run by nature, whatever a kernel does. */
#ifndef CM_EVENTS_NATURE_H
#define CM_EVENTS_NATURE_H

/* "counts time", or "counts what the system does", by the words of an event's name, as in perf::TASK-CLOCK and
 * perf::PAGE-FAULTS; NULL for every other event. */
const char *cm_event_nature(const char *event);

#endif
