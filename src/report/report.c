/* One way to write and save all documents. */
#include "report/report.h"

enum { DEFAULT_WIDTH = 100, SMALLEST_WIDTH = 60 };

typedef struct styled {
    const cm_report *report;
    const void *content;
    const cm_output_style *style;
} styled;

/* Writes the content as JSON, on a page, or as its form for the style does. */
static cm_status write_content(void *content, FILE *stream, cm_error *error)
{
    const styled *document = content;
    const cm_report *report = document->report;
    if (document->style->format == CM_FORMAT_JSON && report->json != NULL)
        return cm_json_print(report->json(document->content), stream, error);
    if (document->style->format == CM_FORMAT_JSON && report->fields != NULL)
        return cm_fields_write(report->fields, document->content, stream, error);
    if (document->style->format != CM_FORMAT_TABLE || report->page == NULL)
        return report->forms[document->style->format](document->content, document->style, stream, error);
    bool short_of_memory = false;
    const size_t asked = document->style->width, width = asked == 0 ? DEFAULT_WIDTH : asked;
    const cm_page page = {stream, document->style, width < SMALLEST_WIDTH ? SMALLEST_WIDTH : width, &short_of_memory,
                          NULL};
    report->page(document->content, &page);
    return short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

static cm_status check_form(const cm_report *report, const cm_output_style *style, cm_error *error)
{
    size_t format = (size_t)style->format;
    if ((format < CM_COUNT_OF(report->forms) && report->forms[format] != NULL) ||
        (format == CM_FORMAT_TABLE && report->page != NULL) ||
        (format == CM_FORMAT_JSON && (report->json != NULL || report->fields != NULL)))
        return CM_OK;
    return CM_FAIL(error, CM_BAD_ARGUMENT, "%s cannot be written in that format", report->name);
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
