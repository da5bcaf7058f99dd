#include "report/results.h"

static cm_report report_of(const cm_results *results)
{
    return (cm_report){
        "results", results, {[CM_FORMAT_TABLE] = cm_results_put_table, [CM_FORMAT_JSON] = cm_results_put_json}};
}

cm_status cm_results_write(const cm_results *results, const cm_style *style, FILE *stream, cm_error *error)
{
    const cm_report report = report_of(results);
    return cm_report_write(&report, style, stream, error);
}

cm_status cm_results_save(const cm_results *results, const cm_style *style, const char *path, cm_error *error)
{
    const cm_report report = report_of(results);
    return cm_report_save(&report, style, path, error);
}
