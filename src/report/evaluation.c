#include "report/evaluation.h"

/* Without counts there is but the hierarchy. */
static cm_report report_of(const cm_evaluation *evaluation)
{
    cm_report report = {"results", evaluation, {[CM_FORMAT_SVG] = cm_evaluation_put_svg}};
    if (evaluation->counts != NULL) {
        report.forms[CM_FORMAT_TABLE] = cm_evaluation_put_table;
        report.forms[CM_FORMAT_JSON] = cm_evaluation_put_json;
        report.forms[CM_FORMAT_CSV] = cm_evaluation_put_csv;
    }
    return report;
}

cm_status cm_evaluation_write(const cm_evaluation *evaluation, const cm_style *style, FILE *stream, cm_error *error)
{
    const cm_report report = report_of(evaluation);
    return cm_report_write(&report, style, stream, error);
}

cm_status cm_evaluation_save(const cm_evaluation *evaluation, const cm_style *style, const char *path, cm_error *error)
{
    const cm_report report = report_of(evaluation);
    return cm_report_save(&report, style, path, error);
}
