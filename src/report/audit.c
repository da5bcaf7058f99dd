#include "report/audit.h"

static cm_report report_of(const cm_audit *audit)
{
    return (cm_report){
        "the audit", audit, {[CM_FORMAT_TABLE] = cm_audit_write_table, [CM_FORMAT_JSON] = cm_audit_write_json}};
}

cm_status cm_audit_write(const cm_audit *audit, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_report report = report_of(audit);
    return cm_report_write(&report, style, stream, error);
}

cm_status cm_audit_save(const cm_audit *audit, const cm_output_style *style, const char *path, cm_error *error)
{
    const cm_report report = report_of(audit);
    return cm_report_save(&report, style, path, error);
}
