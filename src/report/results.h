/* The forms of results. */
#ifndef CM_REPORT_RESULTS_H
#define CM_REPORT_RESULTS_H

#include "discovery/results.h"
#include "report/report.h"

/* `content` is a cm_results. */
cm_status cm_results_put_table(const void *content, const cm_style *style, FILE *stream, cm_error *error);

#endif
