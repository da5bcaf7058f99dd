/* The metrics of a benchmark with their definitions, as lines of the table. */
#ifndef CM_REPORT_METRICS_TABLE_H
#define CM_REPORT_METRICS_TABLE_H

#include <catmint/results.h>

#include "report/page.h"

/* One metric after another: side by side with the definition where the page is wide enough, else the definition below.
 */
void cm_metrics_table_put(const cm_benchmark_result *result, const cm_page *page);

#endif
