/* The forms of the values of formulas. */
#ifndef CM_REPORT_EVALUATION_H
#define CM_REPORT_EVALUATION_H

#include "evaluate/evaluation.h"
#include "report/report.h"

/* `content` is a cm_evaluation. */
cm_status cm_evaluation_put_table(const void *content, const cm_style *style, FILE *stream, cm_error *error);
cm_status cm_evaluation_put_csv(const void *content, const cm_style *style, FILE *stream, cm_error *error);
cm_status cm_evaluation_put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error);

#endif
