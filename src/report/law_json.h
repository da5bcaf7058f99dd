/* Where a definition holds, and what it may count beside its metric, as JSON. */
#ifndef CM_REPORT_LAW_JSON_H
#define CM_REPORT_LAW_JSON_H

#include <jansson.h>

#include <catmint/results.h>

struct cm_doubts;

/* Adds "also_counts", "leaks", "open", "rest", "own" and "valid_above"; by the paper's method, where `doubts` is NULL,
 * empty and null. `usable`: nothing refuted it. NULL, and `json` is gone, where memory ran out. */
json_t *cm_json_set_law(json_t *json, const cm_benchmark_result *result, const struct cm_doubts *doubts, bool usable);

/* Facts, and two that meet, which nobody tells from the definition; empty where `doubts` is NULL. */
json_t *cm_json_untold(const cm_benchmark_result *result, const struct cm_doubts *doubts);

#endif
