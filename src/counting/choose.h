/* Chooses the PMU, with the reason. */
#ifndef CM_COUNTING_CHOOSE_H
#define CM_COUNTING_CHOOSE_H

#include "counting/session.h"

/* Writes why the core's counters count nothing here into `buffer` and returns it: a sentence without its full stop, ""
 * if they do count. All events but the model's must have been tried. */
char *cm_why_no_hardware(const cm_counting *counting, char *buffer, size_t size);

/* Whether there is anything to count without the core's counters: events of an uncore, a GPU or another device. The
 * kernel's own events, which perf_event has too, are software, and count only with `any_event`. */
bool cm_anything_to_count(const cm_counting *counting, bool any_event);
/* Advice for that case, "" if there is none. */
const char *cm_hint_to_hardware(const cm_counting *counting);

/* Loads the model, or its part for a type of cores (NULL: none is chosen), makes the software PMU, and publishes and
 * tries its events. Events of the core's counters are no longer countable. */
cm_status cm_take_software_pmu(cm_counting *counting, const char *model, const char *core, cm_error *error);

/* Makes the core's events from index `first` on uncountable: under the software PMU they would count the stepping, not
 * the kernel. */
cm_status cm_set_core_aside(cm_counting *counting, size_t first, cm_error *error);

#endif
