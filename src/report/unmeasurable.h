/* Why a metric has no definition at all. */
#ifndef CM_REPORT_UNMEASURABLE_H
#define CM_REPORT_UNMEASURABLE_H

#include <catmint/results.h>

enum { CM_UNMEASURABLE_SIZE = 256 };

/* Of a metric without a fit, as a sentence that neither begins with a capital nor ends with a full stop. */
void cm_unmeasurable_text(const cm_benchmark_result *result, size_t metric, char text[CM_UNMEASURABLE_SIZE]);

#endif
