#include "report/plots/plots.h"

/* The penalty of a text that overlaps a text, a mark, a line, or the plot's edge. */
enum { TEXT = 64, MARK = 16, LINE = CM_PLOT_LABEL_CROSSES, BEYOND = 64 };

/* Pixels: a text's height above and below its baseline, half the width of a line, half a mark. */
static const double ascent = 9.5, descent = 3.0, half_line = 1.5, half_mark = 5.5;

static void add_shape(cm_plot_labels *labels, const cm_plot_label_shape *shape)
{
    if (labels->count < CM_PLOT_LABEL_MOST)
        labels->shapes[labels->count++] = *shape;
}

void cm_plot_labels_add_line(cm_plot_labels *labels, double x1, double y1, double x2, double y2)
{
    const double length = hypot(x2 - x1, y2 - y1);
    if (length > 0.0)
        add_shape(labels, &(cm_plot_label_shape){0.5 * (x1 + x2), 0.5 * (y1 + y2), (x2 - x1) / length,
                                                 (y1 - y2) / length, 0.5 * length, half_line, LINE});
}

void cm_plot_labels_add_mark(cm_plot_labels *labels, double x, double y)
{
    add_shape(labels, &(cm_plot_label_shape){x, y, 1.0, 0.0, half_mark, half_mark, MARK});
}

/* The label's rectangle: its middle, its direction, half its sides. */
static cm_plot_label_shape shape_of(const cm_plot_label *label)
{
    const double angle = label->degrees * acos(-1.0) / 180.0, cosine = cos(angle), sine = sin(angle);
    const double along = (label->anchor == CM_SVG_END ? -0.5 : 0.5) * label->width, up = 0.5 * (ascent - descent);
    return (cm_plot_label_shape){label->x + along * cosine - up * sine,
                                 label->y - along * sine - up * cosine,
                                 cosine,
                                 sine,
                                 0.5 * label->width,
                                 0.5 * (ascent + descent),
                                 TEXT};
}

/* Half the extent of a shape in a direction. */
static double reach_of(const cm_plot_label_shape *shape, double cosine, double sine)
{
    return shape->along * fabs(cosine * shape->cosine + sine * shape->sine) +
           shape->across * fabs(sine * shape->cosine - cosine * shape->sine);
}

/* Whether two rectangles overlap: not if the direction of a side separates them. */
static bool shapes_overlap(const cm_plot_label_shape *a, const cm_plot_label_shape *b)
{
    const double x = b->x - a->x, y = a->y - b->y;
    const double directions[][2] = {
        {a->cosine, a->sine}, {-a->sine, a->cosine}, {b->cosine, b->sine}, {-b->sine, b->cosine}};
    for (size_t i = 0; i < CM_COUNT_OF(directions); i++) {
        const double cosine = directions[i][0], sine = directions[i][1];
        if (fabs(x * cosine + y * sine) >= reach_of(a, cosine, sine) + reach_of(b, cosine, sine))
            return false;
    }
    return true;
}

/* How much is wrong with a label here: the weights of all that it would cover or leave. */
static int cost_of(const cm_plot_labels *labels, const cm_plot_label_shape *shape)
{
    const double wide = reach_of(shape, 1.0, 0.0), high = reach_of(shape, 0.0, 1.0);
    const bool beyond = shape->x - wide < labels->left || shape->x + wide > labels->right ||
                        shape->y - high < labels->top || shape->y + high > labels->bottom;
    int cost = beyond ? BEYOND : 0;
    for (size_t i = 0; i < labels->count; i++)
        if (shapes_overlap(shape, &labels->shapes[i]))
            cost += labels->shapes[i].weight;
    return cost;
}

bool cm_plot_labels_offer(const cm_plot_labels *labels, const cm_plot_label *label, cm_plot_label_choice *best)
{
    const cm_plot_label_shape shape = shape_of(label);
    const int cost = label->penalty + cost_of(labels, &shape);
    if (!best->any || cost < best->cost)
        *best = (cm_plot_label_choice){*label, true, cost};
    return best->cost <= label->penalty;
}

const cm_plot_label *cm_plot_labels_take(cm_plot_labels *labels, const cm_plot_label_choice *best)
{
    const cm_plot_label_shape shape = shape_of(&best->label);
    add_shape(labels, &shape);
    return &best->label;
}
