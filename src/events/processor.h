/* Processors by the numbers that their vendors give them. */
#ifndef CM_EVENTS_PROCESSOR_H
#define CM_EVENTS_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* Whether the extended regular expression fits the whole text; "" and what is none fit nothing. */
bool cm_pattern_fits_whole(const char *pattern, const char *text);

/* libpfm4's name of the PMU of a processor, "spr" for "GenuineIntel-6-8F-8", as data/upstream.csv has it; "" where it
 * does not. */
cm_status cm_processor_pmu(const char *identity, char *pmu, size_t size, cm_error *error);

#endif
