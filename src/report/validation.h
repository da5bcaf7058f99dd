/* What became of a definition in programs, as a member of documents. */
#ifndef CM_REPORT_VALIDATION_H
#define CM_REPORT_VALIDATION_H

#include <jansson.h>

#include <catmint/results.h>

/* {"programs", "seed", "failed", "worst", "median", "refuted_by"}, or null where it was held against none. NULL without
 * memory. */
json_t *cm_json_validation(const cm_benchmark_result *result, size_t metric);

/* Why a definition is refuted: "refuted: off by 2 % in the median of 16 programs that nobody fitted ...". */
void cm_validation_reason(const cm_validation *validation, double tolerance, char *text, size_t size);

#endif
