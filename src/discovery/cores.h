/* Results of a hybrid processor, whose cores are of several types. */
#ifndef CM_DISCOVERY_CORES_H
#define CM_DISCOVERY_CORES_H

#include "discovery/results.h"

/* Analyses the sweep of each type that the directory lists, into `whole`, which is empty and has all of them then. */
cm_status cm_analyze_cores(const char *directory, const cm_analyze_options *options, cm_results *whole,
                           cm_error *error);

/* ---- agreement.c: what the types have in common ---- */

/* A metric, or an event less its PMU's name, on the types of cores. */
typedef struct cm_core_row {
    const char *benchmark;
    const char *name;
    const cm_benchmark_result *results[CM_CORE_TYPES]; /* NULL: that type has it not */
    size_t at[CM_CORE_TYPES];                          /* its index there, among metrics or events */
    bool same; /* of a metric: the same definition on all, but for the PMU; of an event: it counts the same */
} cm_core_row;

/* Every metric once a benchmark, in the order of the first type that has it. The caller frees *rows. */
cm_status cm_core_metrics_list(const cm_results *results, cm_core_row **rows, size_t *count, cm_error *error);
/* Events that several types have, less their PMU's names, and that do not count the same there. */
cm_status cm_core_events_list(const cm_results *results, cm_core_row **rows, size_t *count, cm_error *error);
/* The name less the PMU, or of a code the device, of that type of cores. */
const char *cm_core_bare(const cm_core_type *core, const char *event);

#endif
