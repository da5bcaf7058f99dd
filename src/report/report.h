/* A document and its forms: one way to write each into a stream, and to save it as a file. */
#ifndef CM_REPORT_REPORT_H
#define CM_REPORT_REPORT_H

#include <stdio.h>

#include <catmint/error.h>
#include <catmint/style.h>

/* Writes the content; need not look whether the stream has failed. */
typedef cm_status (*cm_report_put)(const void *content, const cm_style *style, FILE *stream, cm_error *error);

typedef struct cm_report {
    const char *name; /* for messages, such as "results" */
    const void *content;
    cm_report_put forms[CM_FORMAT_SARIF + 1]; /* by cm_format; NULL: it has no such form */
} cm_report;

/* CM_BAD_ARGUMENT where the document has no such form; CM_IO where the stream fails, with errno's words. */
cm_status cm_report_write(const cm_report *report, const cm_style *style, FILE *stream, cm_error *error);
/* Into a file, which is whole or as it was before. */
cm_status cm_report_save(const cm_report *report, const cm_style *style, const char *path, cm_error *error);

#endif
