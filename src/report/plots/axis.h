/* Axes: where values stand, and the lines and numbers beside them. */
#ifndef CM_REPORT_PLOTS_AXIS_H
#define CM_REPORT_PLOTS_AXIS_H

#include <stdio.h>

/* Powers of ten from 10^low to 10^high, and zero by itself before them. */
typedef struct cm_log_axis {
    int low, high;
    double zero_at;  /* pixels; NaN: there is no zero */
    double from, to; /* of the powers */
} cm_log_axis;

/* The powers that hold all positive values, two apart at least; `least` is the smallest power to begin with. */
typedef struct cm_log_range {
    double lowest, highest; /* positive; 0: none yet */
} cm_log_range;
void cm_log_range_add(cm_log_range *range, double value);
/* `zero_at`, `from` and `to` are set by the caller. */
cm_log_axis cm_log_axis_of(const cm_log_range *range);
/* Values beyond the ends stand at the ends. */
double cm_log_axis_place(const cm_log_axis *axis, double value);
/* Numbers of at most ten powers; lines from `start` to `end` across. */
void cm_log_axis_draw(const cm_log_axis *axis, int vertical, double start, double end, FILE *stream);

/* From `low` to `high` in steps of 1, 2 or 5 times a power of ten. */
typedef struct cm_linear_axis {
    double low, high, step;
    double from, to; /* pixels */
} cm_linear_axis;
cm_linear_axis cm_linear_axis_of(double low, double high);
double cm_linear_axis_place(const cm_linear_axis *axis, double value);
/* Vertical, with lines from `start` to `end`. */
void cm_linear_axis_draw(const cm_linear_axis *axis, double start, double end, FILE *stream);

#endif
