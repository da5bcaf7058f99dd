/* Events that measure the same, as JSON. */
#ifndef CM_REPORT_JSON_EQUIVALENTS_H
#define CM_REPORT_JSON_EQUIVALENTS_H

#include <jansson.h>

#include <catmint/results.h>

/* The first 20, the least noisy ones, as an array. */
json_t *cm_json_equivalents(const cm_benchmark_result *result, const cm_equivalent *list, size_t count);

/* Those of a selected event, by its rank in the pivoting. */
json_t *cm_json_term_equivalents(const cm_benchmark_result *result, size_t metric, size_t term);

/* Appends a text for each term of a metric's definition that no kernel tells from other events. */
json_t *cm_json_append_alike(json_t *array, const cm_benchmark_result *result, size_t metric);

#endif
