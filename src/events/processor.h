/* Identifies processors by their vendors' numbers. */
#ifndef CM_EVENTS_PROCESSOR_H
#define CM_EVENTS_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* Whether the extended regular expression fits the whole text; "" and faulty ones fit nothing. */
bool cm_pattern_fits_whole(const char *pattern, const char *text);

/* libpfm4's name of a processor's PMU, "spr" for "GenuineIntel-6-8F-8", from data/upstream.csv; "" if it is not
 * listed. */
cm_status cm_processor_pmu(const char *identity, char *pmu, size_t size, cm_error *error);

#endif
