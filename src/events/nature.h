/* Events whose counts vary from run to run by their nature, with any kernel. */
#ifndef CM_EVENTS_NATURE_H
#define CM_EVENTS_NATURE_H

/* The reason, by the words of an event's name: "counts time", or "counts what the system does", as for perf::TASK-CLOCK
 * and perf::PAGE-FAULTS; NULL for all other events. */
const char *cm_event_nature(const char *event);

#endif
