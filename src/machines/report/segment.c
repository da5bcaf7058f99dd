/* Straight lines of plots, and texts along them. */
#include "machines/report/report.h"

void cm_plot_segment_draw(const char *class, const cm_plot_segment *at, cm_plot_labels *labels, FILE *stream)
{
    cm_svg_line(class, at->x1, at->y1, at->x2, at->y2, stream);
    cm_plot_labels_add_line(labels, at->x1, at->y1, at->x2, at->y2);
}

double cm_plot_text_width(const char *text)
{
    return CM_PLOT_LABEL_LETTER * (double)cm_text_width(text);
}

/* The distance of a text above its line is its descent, below it the height of its letters. */
enum { ABOVE = 6, BELOW = 13 };

cm_plot_label_choice cm_plot_segment_label(const cm_plot_segment *at, double width, const cm_plot_labels *labels)
{
    enum { FIRST = 6, STEP = 4 };
    const double length = hypot(at->x2 - at->x1, at->y2 - at->y1);
    const double cosine = length > 0.0 ? (at->x2 - at->x1) / length : 1.0;
    const double sine = length > 0.0 ? (at->y1 - at->y2) / length : 0.0;
    const double last = fmax(FIRST, length - width);
    cm_plot_label_choice best = {0};
    bool found = false;
    for (int side = 0; side < 2; side++)
        for (double along = FIRST; along <= last && !found; along += STEP) {
            const double off = side == 0 ? ABOVE : -BELOW;
            found = cm_plot_labels_offer(labels,
                                         &(cm_plot_label){.x = at->x1 + along * cosine - off * sine,
                                                          .y = at->y1 - along * sine - off * cosine,
                                                          .width = width,
                                                          .degrees = 180.0 / acos(-1.0) * atan2(sine, cosine)},
                                         &best);
        }
    return best;
}
