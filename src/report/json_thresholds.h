#ifndef CM_REPORT_JSON_THRESHOLDS_H
#define CM_REPORT_JSON_THRESHOLDS_H

#include <jansson.h>

#include "discovery/benchmark_result.h"

/* {"tau": {"value", "source", "reason", "evidence"}, "alpha": ...}; evidence only where the data were asked. */
json_t *cm_json_thresholds(const cm_benchmark_result *result);

/* A definition from other events, with its figures. */
json_t *cm_json_definition(const cm_benchmark_result *result, const cm_definition *definition);

#endif
