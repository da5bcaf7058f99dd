#include "report/report.h"

/* Writes results by way of the document that readers fill, whose rows name the fields. */
static cm_status write_json(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    cm_arena arena = {0};
    cm_definitions document;
    cm_status status = cm_fill_document(content, &arena, &document, error);
    CM_THEN(status, cm_fields_write(&cm_result_document_fields, &document, stream, error));
    cm_arena_clear(&arena);
    return status;
}

static const cm_report report = {
    "results", NULL, {[CM_FORMAT_TABLE] = cm_results_write_table, [CM_FORMAT_JSON] = write_json}};

CM_REPORT_WRITE(cm_results_write, cm_results)
CM_REPORT_SAVE(cm_results_save, cm_results)
