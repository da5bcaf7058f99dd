/* Definitions as groups of events that are tried as one event set. */
#ifndef CM_DISCOVERY_TOGETHER_H
#define CM_DISCOVERY_TOGETHER_H

#include <catmint/results.h>

#include "sweep/record/record.h"

/* ---- together_results.c ---- */

/* A metric's definition, which may be NULL, and any other of its benchmark. */
cm_event_group cm_fit_group(const cm_benchmark_result *result, const cm_fit *fit);
cm_event_group cm_definition_group(const cm_benchmark_result *result, const cm_definition *definition);

/* Tries all definitions of a benchmark that were not tried before, each by itself and several as groups. */
cm_status cm_try_definitions(const cm_benchmark_result *result, cm_error *error);

/* ---- together_groups.c ---- */

/* Tries the definitions that hold in groups of CM_GROUP_COUNTERS events at most, as LIKWID's files will have them. */
cm_status cm_try_groups(const cm_benchmark_result *result, cm_error *error);

#endif
