/* From selected events to metrics. */
#ifndef CM_DISCOVERY_SOLVE_METRICS_H
#define CM_DISCOVERY_SOLVE_METRICS_H

#include <catmint/results.h>

/* Definitions of all metrics, how stable they are, and what may stand in for them or for their terms. On failure
 * cm_benchmark_result_free() frees what there is. */
cm_status cm_solve_metrics(cm_benchmark_result *result, cm_error *error);

/* The same by the second edition: each definition is held against the result's evidence. */
cm_status cm_solve_by_evidence(cm_benchmark_result *result, cm_error *error);
/* Solves one metric again, by what the evidence has now. *found: what comes out holds, and is the metric's definition
 * with alternatives of its own; else all is as it was. */
cm_status cm_solve_again(cm_benchmark_result *result, size_t metric, bool *found, cm_error *error);
void cm_proofs_free(cm_benchmark_result *result);

#endif
