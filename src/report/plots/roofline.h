/* The plots of a machine's figures: its roofline, and its bandwidth over sizes. */
#ifndef CM_REPORT_PLOTS_ROOFLINE_H
#define CM_REPORT_PLOTS_ROOFLINE_H

#include <stdbool.h>
#include <stdio.h>

#include "machines/roofline.h"

/* Of so many cores: bandwidths rise, peaks are flat, and each says what it is. Programs that ran on as many cores stand
 * in it as dots by what they load and store, and as rings by what memory gives and takes. */
bool cm_plot_has_roofline(const cm_roofline *roofline, size_t cores, cm_precision precision);
void cm_plot_roofline(const cm_roofline *roofline, size_t cores, cm_precision precision, FILE *stream);

bool cm_plot_has_sweep(const cm_roofline *roofline, size_t cores);
void cm_plot_sweep(const cm_roofline *roofline, size_t cores, FILE *stream);

#endif
