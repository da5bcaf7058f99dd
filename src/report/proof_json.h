/* What a definition was held against, as JSON. */
#ifndef CM_REPORT_PROOF_JSON_H
#define CM_REPORT_PROOF_JSON_H

#include <jansson.h>

#include <catmint/results.h>

/* Members for a metric: "controls", "resolution", "confounded_with", "symbol_deviations", "refused", "validation". */
json_t *cm_json_proof(const cm_benchmark_result *result, size_t metric);
/* The same with a table by symbol: name, of the signature, of the definition, limit; null by the paper's method. */
json_t *cm_json_proof_by_symbol(const cm_benchmark_result *result, size_t metric);
/* "confounded_with": what the evidence for a definition does not tell; empty where `doubts` is NULL. */
json_t *cm_json_doubts(const cm_benchmark_result *result, const struct cm_doubts *doubts);
/* Why the metric has no definition that holds, with figures; NULL text where it has one, or by the paper's method. */
char *cm_refusal_text(const cm_benchmark_result *result, size_t metric, char *text, size_t size);

#endif
