/* Faults of formulas in the forms that reviews of changes show beside the lines. */
#ifndef CM_REPORT_LINT_FORMS_H
#define CM_REPORT_LINT_FORMS_H

#include <catmint/report.h>

typedef struct cm_linted_files {
    const cm_linted_file *files;
    size_t count;
} cm_linted_files;

/* Both are cm_report_form; `content` is a cm_linted_files. */
cm_status cm_lint_write_annotations(const void *content, const cm_output_style *style, FILE *stream, cm_error *error);
cm_status cm_lint_write_sarif(const void *content, const cm_output_style *style, FILE *stream, cm_error *error);

#endif
