/* The plots of results. Each is one SVG element, the same in a page and in a file; plots.css says how it looks. */
#ifndef CM_REPORT_PLOTS_PLOTS_H
#define CM_REPORT_PLOTS_PLOTS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/view/view.h"

/* How plots look, in light and dark and on paper: for the head of a page. */
extern const char *const cm_plots_style;

enum {
    CM_PLOT_MOST_MARKS = 2000, /* events with a mark each; of more, marks stand for several */
    CM_PLOT_MOST_ROWS = 60,    /* events of a map */
};

/* A class of `plots.css`, which is the status's name. */
const char *cm_plot_status_class(cm_event_status status);
/* The shape that events of this status have. */
void cm_plot_put_key(cm_event_status status, FILE *stream);

/* The noise of all events, sorted, with tau. A mark has data-event, the event's place in the document; one that stands
 * for several has data-count instead. */
bool cm_plot_has_noise(const cm_view_benchmark *benchmark);
void cm_plot_noise(const cm_view_benchmark *benchmark, FILE *stream);

/* A definition beside its metric, on each kernel. */
bool cm_plot_has_metric(const cm_view_metric *metric);
void cm_plot_metric(const cm_view_benchmark *benchmark, const cm_view_metric *metric, FILE *stream);

/* What the kept events count of each symbol, the first CM_PLOT_MOST_ROWS of them. */
bool cm_plot_has_map(const cm_view_benchmark *benchmark);
size_t cm_plot_map_rows(const cm_view_benchmark *benchmark);
void cm_plot_map(const cm_view_benchmark *benchmark, FILE *stream);

/* How far definitions are off in programs that nobody fitted. */
bool cm_plot_has_validation(const cm_view_benchmark *benchmark);
void cm_plot_validation(const cm_view_benchmark *benchmark, FILE *stream);

/* What they measured there against what was expected, a mark a program and metric. */
bool cm_plot_has_programs(const cm_view_benchmark *benchmark);
void cm_plot_programs(const cm_view_benchmark *benchmark, FILE *stream);
/* Whether it is beyond the limit there. */
bool cm_plot_is_off(const cm_view_benchmark *benchmark, const cm_defined_outcome *outcome);

#endif
