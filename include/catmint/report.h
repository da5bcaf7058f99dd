/* Reports other than results: the events that can be counted, the kernels, the proof of the kernels, and the faults of
 * formulas; also findings of an audit in words. Each is a table, or JSON if its comment says so. CM_IO if the stream
 * fails, with errno's words. */
#ifndef CATMINT_REPORT_H
#define CATMINT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/audit.h>
#include <catmint/counting.h>
#include <catmint/doctor.h>
#include <catmint/error.h>
#include <catmint/formulas.h>
#include <catmint/style.h>
#include <catmint/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All components and events of the session, JSON has the schema
 * catmint.events/1. */
CM_API cm_status cm_events_write(const cm_counting *counting, const cm_output_style *style, FILE *stream,
                                 cm_error *error);

/* The events that have `pattern` within their names in any letter case, or are of its form as of fnmatch; "": all. With
 * `describe` each with its whole description, and why it cannot be counted. JSON as of cm_events_write. CM_BAD_INPUT,
 * with a near name, if none fits. */
CM_API cm_status cm_events_list(const cm_counting *counting, const char *pattern, bool describe,
                                const cm_output_style *style, FILE *stream, cm_error *error);

/* The findings of `doctor`, by severity; JSON has the schema catmint.doctor/1. */
CM_API cm_status cm_doctor_write(const cm_doctor *doctor, const cm_output_style *style, FILE *stream, cm_error *error);

/* All kernels, those that run here, and the instruction sets that the others lack; a table only. */
CM_API cm_status cm_kernels_write(const cm_output_style *style, FILE *stream, cm_error *error);

/* The facts that each kernel executed, and the number of correct kernels; a table only. */
CM_API cm_status cm_verifications_write(cm_verification *const *verifications, size_t count,
                                        const cm_output_style *style, FILE *stream, cm_error *error);

/* The outcome of each launched GPU kernel, its rate beside the peak, and the driver's figures of its code; a table
 * only. */
CM_API cm_status cm_launches_write(const cm_launches *launches, const cm_output_style *style, FILE *stream,
                                   cm_error *error);

/* The facts that the kernels cannot distinguish, and those that no kernel exercises; a table only. */
CM_API cm_status cm_confounded_facts_write(const cm_confounded_facts *confounded, const cm_output_style *style,
                                           FILE *stream, cm_error *error);

/* A file of formulas, and its faults. */
typedef struct cm_linted_file {
    cm_formulas *formulas;
    cm_lint *lint;
} cm_linted_file;

/* A line a fault, FILE:LINE:COLUMN: [kind] text; JSON has the schema catmint.lint/1. Also as annotations of GitHub's
 * workflows, and in SARIF 2.1.0. */
CM_API cm_status cm_lint_write(const cm_linted_file *files, size_t count, const cm_output_style *style, FILE *stream,
                               cm_error *error);

/* Findings in words, separated by "; ": "misses 512-bit; adds a constant 3". *text is "" if there are none; free it
 * with free(). */
CM_API cm_status cm_findings_text(const cm_audit_finding *findings, size_t count, char **text, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
