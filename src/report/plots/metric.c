/* A definition beside its metric, on each kernel: the paper's Figure 3. */
#include "report/plots/plots.h"

enum { METRIC_LEFT = 76, METRIC_RIGHT = 20, METRIC_TOP = 66, METRIC_PLOT = 220 };
enum { STEP = 15, LEAST_WIDTH = 420, MOST_KERNEL = 24 };

bool cm_plot_has_metric(const cm_view_metric *metric)
{
    return metric->defined->check != NULL;
}

/* The layout of the plot. */
typedef struct metric_layout {
    size_t count; /* of kernels */
    double width, height, bottom;
    cm_linear_axis axis;
} metric_layout;

/* The layout for the kernels' names and the metric's range of values. */
static metric_layout lay_out_metric(const cm_view_benchmark *benchmark, const cm_view_metric *metric)
{
    metric_layout out = {.count = benchmark->listed->kernel_count, .bottom = METRIC_TOP + METRIC_PLOT};
    double low = 0.0, high = 0.0;
    size_t longest = 0;
    for (size_t i = 0; i < out.count; i++) {
        size_t length = cm_svg_name_length(benchmark->listed->kernels[i], MOST_KERNEL);
        low = fmin(low, fmin(metric->defined->check->expected[i], metric->defined->check->rounded[i]));
        high = fmax(high, fmax(metric->defined->check->expected[i], metric->defined->check->rounded[i]));
        longest = length > longest ? length : longest;
    }
    out.axis = cm_linear_axis_of(low, high);
    out.axis.from = out.bottom;
    out.axis.to = METRIC_TOP;
    out.width = fmax(LEAST_WIDTH, METRIC_LEFT + METRIC_RIGHT + STEP * (double)out.count);
    out.height = out.bottom + CM_SVG_LETTER * (double)longest + 44;
    return out;
}

static void write_value(double value, FILE *stream)
{
    char text[CM_NUMBER_SIZE];
    fprintf(stream, "%s%s", value < 0.0 ? "-" : "", cm_coefficient_text(fabs(value), text));
}

static bool is_off(const cm_view_benchmark *benchmark, const cm_view_metric *metric, size_t kernel)
{
    double largest = 0.0;
    for (size_t i = 0; i < benchmark->listed->kernel_count; i++)
        largest = fmax(largest, fabs(metric->defined->check->expected[i]));
    return fabs(metric->defined->check->rounded[kernel] - metric->defined->check->expected[kernel]) >
           benchmark->listed->residual * largest;
}

/* Draws the metric and the definition on one kernel. */
static void draw_kernel(const cm_view_benchmark *benchmark, const cm_view_metric *metric, const metric_layout *out,
                        size_t kernel, FILE *stream)
{
    double x = METRIC_LEFT + STEP * ((double)kernel + 0.7),
           wanted = cm_linear_axis_place(&out->axis, metric->defined->check->expected[kernel]);
    cm_svg_line("expected", x - 6, wanted, x + 6, wanted, stream);
    cm_svg_begin_mark(is_off(benchmark, metric, kernel) ? "off" : "value", CM_SVG_DIAMOND, x,
                      cm_linear_axis_place(&out->axis, metric->defined->check->rounded[kernel]), stream);
    fprintf(stream, " data-kernel=\"%zu\"><title>", kernel);
    cm_markup_write(benchmark->listed->kernels[kernel], stream);
    fputs(": metric ", stream);
    write_value(metric->defined->check->expected[kernel], stream);
    fputs(", definition ", stream);
    write_value(metric->defined->check->rounded[kernel], stream);
    fputs("</title></path>\n", stream);
    cm_svg_name(x + 4, out->bottom + 10, CM_SVG_END, true, benchmark->listed->kernels[kernel], MOST_KERNEL, stream);
}

/* The three marks and their meanings. */
static void draw_metric_legend(FILE *stream)
{
    cm_svg_line("expected", METRIC_LEFT, 42, METRIC_LEFT + 12, 42, stream);
    cm_svg_text("tick", METRIC_LEFT + 18, 46, CM_SVG_START, "metric", stream);
    fputs("<g class=\"key\">", stream);
    cm_svg_begin_mark("value", CM_SVG_DIAMOND, METRIC_LEFT + 80, 42, stream);
    fputs("/></g>\n", stream);
    cm_svg_text("tick", METRIC_LEFT + 90, 46, CM_SVG_START, "definition", stream);
    fputs("<g class=\"key\">", stream);
    cm_svg_begin_mark("off", CM_SVG_DIAMOND, METRIC_LEFT + 176, 42, stream);
    fputs("/></g>\n", stream);
    cm_svg_text("tick", METRIC_LEFT + 186, 46, CM_SVG_START, "definition, off", stream);
}

void cm_plot_metric(const cm_view_benchmark *benchmark, const cm_view_metric *metric, FILE *stream)
{
    metric_layout out = lay_out_metric(benchmark, metric);
    cm_svg_begin(out.width, out.height, stream, "%.100s: the metric and its definition", metric->defined->metric);
    draw_metric_legend(stream);
    cm_linear_axis_draw(&out.axis, METRIC_LEFT, METRIC_LEFT + STEP * ((double)out.count + 0.4), stream);
    for (size_t i = 0; i < out.count; i++)
        draw_kernel(benchmark, metric, &out, i, stream);
    cm_svg_begin_text("axis", 18, METRIC_TOP + METRIC_PLOT / 2.0, CM_SVG_MIDDLE, true, stream);
    fputs("counts per iteration</text>\n", stream);
    cm_svg_text("axis", METRIC_LEFT + STEP * (double)out.count / 2.0, out.height - 10, CM_SVG_MIDDLE, "kernels",
                stream);
    cm_svg_end(stream);
}
