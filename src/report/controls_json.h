/* What was counted on control kernels, and what metrics are held to there. */
#ifndef CM_REPORT_CONTROLS_JSON_H
#define CM_REPORT_CONTROLS_JSON_H

#include <jansson.h>

#include "discovery/benchmark_result.h"

/* Of a benchmark: {"kernels", "iterations"}; null by the paper's method. NULL: memory is short, as for the others. */
json_t *cm_json_controls(const cm_benchmark_result *result);
/* Whether an event was looked at there. */
bool cm_json_has_controls(const cm_benchmark_result *result, size_t event);
/* Of such an event: {"counts", "errors", "strays"}. */
json_t *cm_json_event_controls(const cm_benchmark_result *result, size_t event);
/* Of a metric: {"low", "high", "limits"}; null where its meaning is not known. */
json_t *cm_json_held_to(const cm_benchmark_result *result, size_t metric);

#endif
