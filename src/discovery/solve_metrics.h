/* From selected events to metrics. */
#ifndef CM_DISCOVERY_SOLVE_METRICS_H
#define CM_DISCOVERY_SOLVE_METRICS_H

#include <catmint/results.h>

/* Definitions of all metrics, how stable they are, and what may stand in for them or for their terms. On failure
 * cm_benchmark_result_free() frees what there is. */
cm_status cm_solve_metrics(cm_benchmark_result *result, cm_error *error);

#endif
