/* A plot as a file of its own. */
#ifndef CM_REPORT_PLOTS_FILE_H
#define CM_REPORT_PLOTS_FILE_H

#include <stdio.h>

#include <catmint/error.h>

/* Draws one SVG element. */
typedef void (*cm_plot_draw)(const void *content, FILE *stream);

/* The element of the page, with its looks within. */
cm_status cm_plot_put(cm_plot_draw draw, const void *content, FILE *stream, cm_error *error);
/* The same into a file that is whole or as it was before. */
cm_status cm_plot_save(cm_plot_draw draw, const void *content, const char *path, cm_error *error);

#endif
