/* Where texts of a plot stand: beside other texts, lines and marks, not across them. */
#ifndef CM_REPORT_PLOTS_LABELS_H
#define CM_REPORT_PLOTS_LABELS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/plots/svg.h"

/* Of the letters of labels, about the widest that fonts have on average. Names have CM_SVG_LETTER. */
#define CM_PLOT_LABEL_LETTER 6.6

/* Shapes that are kept, so that no plot needs memory of its own: more would leave no room for texts. */
enum { CM_PLOT_LABEL_MOST = 512 };

/* Baseline to baseline. */
enum { CM_PLOT_LABEL_LINE = 13, CM_PLOT_LABEL_CROSSES = 4 };

/* What stands in a plot: a rectangle, turned. */
typedef struct cm_plot_label_shape {
    double x, y;          /* its middle */
    double cosine, sine;  /* of the angle by which it rises */
    double along, across; /* half of its lengths */
    int weight;           /* how bad a text across it is */
} cm_plot_label_shape;

typedef struct cm_plot_labels {
    double left, top, right, bottom; /* where texts may stand */
    size_t count;
    cm_plot_label_shape shapes[CM_PLOT_LABEL_MOST]; /* texts may stand on what comes behind them */
} cm_plot_labels;

/* A text of so many pixels that begins, or ends, at x and y of its baseline and rises by so many degrees. */
typedef struct cm_plot_label {
    double x, y, width, degrees;
    cm_svg_anchor anchor; /* CM_SVG_START or CM_SVG_END */
    int penalty;          /* how bad the place is by itself; a text across a line is CM_PLOT_LABEL_CROSSES */
} cm_plot_label;

/* The best of what was offered. Begin with {0}. */
typedef struct cm_plot_label_choice {
    cm_plot_label label;
    bool any;
    int cost; /* its penalty where it is free */
} cm_plot_label_choice;

void cm_plot_labels_add_line(cm_plot_labels *labels, double x1, double y1, double x2, double y2);
void cm_plot_labels_add_mark(cm_plot_labels *labels, double x, double y);

/* Offers a place, those of the least penalty first. Whether no later one can be better, so that none is needed. */
bool cm_plot_labels_offer(const cm_plot_labels *labels, const cm_plot_label *label, cm_plot_label_choice *best);
/* The best one is taken: nothing else is to stand there. */
const cm_plot_label *cm_plot_labels_take(cm_plot_labels *labels, const cm_plot_label_choice *best);

#endif
