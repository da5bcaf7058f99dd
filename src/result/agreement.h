/* Results in memory, as documents and pages need them. */
#ifndef CM_RESULT_AGREEMENT_H
#define CM_RESULT_AGREEMENT_H

#include "discovery/results.h"

/* ---- agreement.c: agreement of the types of cores ---- */

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

/* ---- code_names.c ---- */

/* Names that a table has of an event that is named by its code, an array; NULL: none. */
json_t *cm_code_names_of(const cm_benchmark_result *result, const char *event);
/* The codes' names, by event that definitions may use: an object, perhaps empty. NULL: memory is short. */
json_t *cm_code_names_create(const cm_benchmark_result *result);
/* "A, B", "" if there are none. The caller frees it; NULL: memory is short. */
char *cm_code_names_text(const json_t *names);

#endif
