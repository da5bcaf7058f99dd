#include "report/report.h"

static const cm_report report = {"the audit", cm_audit_json, {[CM_FORMAT_TABLE] = cm_audit_write_table}};

CM_REPORT_WRITE(cm_audit_write, cm_audit)
CM_REPORT_SAVE(cm_audit_save, cm_audit)
