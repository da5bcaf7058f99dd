#include "machines/report/report.h"

static const cm_report report = {
    "projection",
    cm_projection_json,
    {[CM_FORMAT_TABLE] = cm_projection_write_table, [CM_FORMAT_CSV] = cm_projection_write_csv}};

CM_REPORT_WRITE(cm_projection_write, cm_projection)
CM_REPORT_SAVE(cm_projection_save, cm_projection)
