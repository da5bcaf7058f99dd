/* One way to write and save all documents. */
#include "report/report.h"

typedef struct styled {
    const cm_report *report;
    const void *content;
    const cm_output_style *style;
} styled;

static cm_status write_content(void *content, FILE *stream, cm_error *error)
{
    const styled *document = content;
    if (document->style->format == CM_FORMAT_JSON && document->report->json != NULL)
        return cm_json_print(document->report->json(document->content), stream, error);
    return document->report->forms[document->style->format](document->content, document->style, stream, error);
}

static cm_status check_form(const cm_report *report, const cm_output_style *style, cm_error *error)
{
    size_t format = (size_t)style->format;
    if (format < sizeof report->forms / sizeof report->forms[0] &&
        (report->forms[format] != NULL || (format == CM_FORMAT_JSON && report->json != NULL)))
        return CM_OK;
    return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "%s cannot be written in that format", report->name);
}

cm_status cm_report_write(const cm_report *report, const void *content, const cm_output_style *style, FILE *stream,
                          cm_error *error)
{
    const cm_document document = {report->name, write_content, &(styled){report, content, style}};
    cm_status status = check_form(report, style, error);
    return status == CM_OK ? cm_document_write(&document, stream, error) : status;
}

cm_status cm_report_save(const cm_report *report, const void *content, const cm_output_style *style, const char *path,
                         cm_error *error)
{
    const cm_document document = {report->name, write_content, &(styled){report, content, style}};
    cm_status status = check_form(report, style, error);
    return status == CM_OK ? cm_document_save(&document, path, error) : status;
}

cm_status cm_report_results(const cm_report *report, const cm_results *results, const cm_output_style *style,
                            FILE *stream, const char *path, cm_error *error)
{
    cm_arena arena = {0};
    cm_definitions document;
    cm_status status = cm_fill_document(results, &arena, &document, error);
    CM_THEN(status, path != NULL ? cm_report_save(report, &document, style, path, error)
                                 : cm_report_write(report, &document, style, stream, error));
    cm_arena_clear(&arena);
    return status;
}
