/* What became of a definition in programs, in words. */
#ifndef CM_REPORT_VALIDATION_H
#define CM_REPORT_VALIDATION_H

#include <catmint/results.h>

#include "report/page.h"

/* Why a definition is not composable though the kernels say nothing against it: "refuted: off by 2 % in the median of
 * 16 programs that nobody fitted ..."; false: there is no such reason. */
bool cm_validation_reason(const cm_benchmark_result *result, size_t metric, char *text, size_t size);

/* Below a summary: what was judged on fewer programs than there are, and what is further off in some of them. */
cm_status cm_validation_notes(const cm_results *results, const cm_page *page, cm_error *error);

#endif
