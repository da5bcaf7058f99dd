/* Counts of programs, for other programs and for spreadsheets. */
#ifndef CM_REPORT_COUNT_H
#define CM_REPORT_COUNT_H

#include "count/counts.h"

cm_status cm_counts_put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error);
cm_status cm_counts_put_csv(const void *content, const cm_style *style, FILE *stream, cm_error *error);
/* "program", "thread", "region" or "interval". */
const char *cm_scope_kind_name(cm_scope_kind kind);

#endif
