#include "report/audit.h"

static const cm_report report = {"the audit",
                                 {[CM_FORMAT_TABLE] = cm_audit_write_table, [CM_FORMAT_JSON] = cm_audit_write_json}};

cm_status cm_audit_write(const cm_audit *audit, const cm_output_style *style, FILE *stream, cm_error *error)
{
    return cm_report_write(&report, audit, style, stream, error);
}

cm_status cm_audit_save(const cm_audit *audit, const cm_output_style *style, const char *path, cm_error *error)
{
    return cm_report_save(&report, audit, style, path, error);
}
