/* What a core does in a cycle, as documents. */
#ifndef CM_REPORT_INCORE_H
#define CM_REPORT_INCORE_H

#include "machines/incore.h"
#include "machines/streaming.h"
#include "report/report.h"

cm_status cm_incore_put_table(const void *content, const cm_style *style, FILE *stream, cm_error *error);
cm_status cm_incore_put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error);

#endif
