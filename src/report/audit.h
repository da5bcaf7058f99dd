/* The forms of an audit. */
#ifndef CM_REPORT_AUDIT_H
#define CM_REPORT_AUDIT_H

#include "audit/audit.h"
#include "report/report.h"

/* `content` is a cm_audit. */
cm_status cm_audit_put_table(const void *content, const cm_style *style, FILE *stream, cm_error *error);
cm_status cm_audit_put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error);

/* As cm_findings_text, into a stream. */
void cm_findings_put(const cm_finding *findings, size_t count, FILE *stream);

#endif
