/* The beginning and the end of what people read of results. */
#ifndef CM_REPORT_SUMMARY_H
#define CM_REPORT_SUMMARY_H

#include <catmint/results.h>

#include "report/page.h"

/* The first lines: which PMU counted, why, on which machine, and what disturbed it. */
void cm_summary_put_head(const cm_results *results, const cm_page *page);
/* The last line of a table: how many metrics can be measured, in all and in each of several benchmarks. */
cm_status cm_summary_put_line(const cm_results *results, const cm_page *page, cm_error *error);
size_t cm_count_composable(const cm_benchmark_result *result);

#endif
