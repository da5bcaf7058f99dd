#include "machines/report/report.h"

static const cm_report report = {"projection",
                                 {[CM_FORMAT_TABLE] = cm_projection_write_table,
                                  [CM_FORMAT_JSON] = cm_projection_write_json,
                                  [CM_FORMAT_CSV] = cm_projection_write_csv}};

cm_status cm_projection_write(const cm_projection *projection, const cm_output_style *style, FILE *stream,
                              cm_error *error)
{
    return cm_report_write(&report, projection, style, stream, error);
}

cm_status cm_projection_save(const cm_projection *projection, const cm_output_style *style, const char *path,
                             cm_error *error)
{
    return cm_report_save(&report, projection, style, path, error);
}
