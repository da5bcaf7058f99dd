/* The forms of an audit. */
#ifndef CM_REPORT_AUDIT_H
#define CM_REPORT_AUDIT_H

#include "audit/audit.h"
#include "report/report.h"

/* `content` is a cm_audit. */
cm_status cm_audit_write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error);
json_t *cm_audit_json(const void *content);

/* As cm_findings_text, into a stream. */
void cm_findings_write(const cm_audit_finding *findings, size_t count, FILE *stream);

/* Writes a right sum's range, the facts that no kernel separates from its metric, and those on which vendors disagree
 * and which it counts; nothing if there are none. */
void cm_audit_write_ranges(const cm_audited_sum *sum, FILE *stream);
void cm_audit_write_confounded(const cm_audited_sum *sum, FILE *stream);
void cm_audit_write_also(const cm_audited_sum *sum, FILE *stream);

/* "ECALL 1 for 0": symbols that are off. */
void cm_audit_write_symbols(const cm_audited_sum *sum, FILE *stream);
/* The right definition. */
void cm_audit_write_definition(const cm_audited_sum *sum, FILE *stream);

/* "3 for 4 on load.1.8, load.2.8 and 4 more; 0 for 1 on ...": kernels by figure, the first ones named. */
void cm_audit_write_kernels(const cm_audit_entry *entry, FILE *stream);

#endif
