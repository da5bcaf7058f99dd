/* Which PMU counts, and why. */
#ifndef CM_COUNTING_CHOOSE_H
#define CM_COUNTING_CHOOSE_H

#include "counting/session.h"

/* Why the core's counters count nothing here, "" where they do: a sentence without its full stop, into `buffer`, which
 * is returned. All events but the model's must have been tried. */
char *cm_why_no_hardware(const cm_counting *counting, char *buffer, size_t size);

/* Where the core's counters count nothing: whether there is something else to count. The kernel's own events, which
 * perf_event has too, are no hardware and count only with `any_event`; those of an uncore, a GPU or another device are.
 */
bool cm_anything_to_count(const cm_counting *counting, bool any_event);
/* What a person can do about it, "" if nothing is known. */
const char *cm_hint_to_hardware(const cm_counting *counting);

/* Loads the model, or what it has for a type of cores (NULL: none is chosen), makes the software PMU and publishes its
 * events, which are tried too. The core's counters are set aside. */
cm_status cm_take_software_pmu(cm_counting *counting, const char *model, const char *core, cm_error *error);

/* Under the software PMU the core's counters would count the stepping, not the kernel: its events from index `first` on
 * are no longer countable. */
cm_status cm_set_core_aside(cm_counting *counting, size_t first, cm_error *error);

#endif
