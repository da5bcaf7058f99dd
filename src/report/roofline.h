/* The figures of a machine, as documents. */
#ifndef CM_REPORT_ROOFLINE_H
#define CM_REPORT_ROOFLINE_H

#include <jansson.h>

#include "machines/roofline.h"
#include "report/report.h"

cm_status cm_roofline_put_table(const void *content, const cm_style *style, FILE *stream, cm_error *error);
cm_status cm_roofline_put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error);

/* Lowest, median, highest; null where they are unknown. */
json_t *cm_reading_json(const cm_reading *reading);

/* "614 GB/s", "0.0833 flop/byte": three digits, with k, M, G or T where it is above 1000. */
enum { CM_RATE_SIZE = 40 };
char *cm_rate_text(double value, const char *unit, char text[CM_RATE_SIZE]);

/* "70 Gflop/s, more than the 64 Gflop/s that 1 core reaches at most" */
enum { CM_DOUBT_SIZE = 224 };
const char *cm_doubt_text(const cm_point *point, const cm_doubt *doubt, char text[CM_DOUBT_SIZE]);

/* "1.2 Gflop/s, less than add, SSE on 1 core: 8.6 Gflop/s"; NULL: nothing contradicts the figure. */
const char *cm_contradiction_text(const cm_roofline *roofline, const cm_ceiling *ceiling, char text[CM_DOUBT_SIZE]);

#endif
