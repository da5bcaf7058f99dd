/* Projections for people, programs and spreadsheets. */
#ifndef CM_REPORT_PROJECTION_H
#define CM_REPORT_PROJECTION_H

#include "machines/projection/projection.h"
#include "report/report.h"

cm_status cm_projection_put_table(const void *content, const cm_style *style, FILE *stream, cm_error *error);
cm_status cm_projection_put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error);
cm_status cm_projection_put_csv(const void *content, const cm_style *style, FILE *stream, cm_error *error);

#endif
