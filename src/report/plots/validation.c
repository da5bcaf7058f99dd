/* The deviations of definitions in programs that were not used for fitting, on a logarithmic scale. */
#include "report/plots/plots.h"

enum { VALIDATION_PLOT = 440, VALIDATION_RIGHT = 24, VALIDATION_TOP = 62, VALIDATION_ROW = 22 };
enum { VALIDATION_ZERO_BAND = 48, MOST_METRIC = 40 };

static bool is_validated(const cm_view_metric *metric)
{
    return metric->defined->validation_count > 0;
}

bool cm_plot_has_validation(const cm_view_benchmark *benchmark)
{
    for (size_t i = 0; i < benchmark->metric_count; i++)
        if (is_validated(&benchmark->metrics[i]))
            return true;
    return false;
}

typedef struct validation_layout {
    size_t rows;
    double left, right, bottom, limit;
    cm_log_axis axis;
} validation_layout;

/* The layout for the metrics' names and the range of their deviations. */
static validation_layout lay_out_validation(const cm_view_benchmark *benchmark)
{
    validation_layout out = {.limit = CM_VALIDATION_FACTOR * benchmark->listed->residual};
    cm_log_range range = {0};
    size_t longest = 0;
    cm_log_range_add(&range, out.limit);
    for (size_t i = 0; i < benchmark->metric_count; i++) {
        const cm_defined_metric *metric = benchmark->metrics[i].defined;
        if (!is_validated(&benchmark->metrics[i]))
            continue;
        size_t length = cm_svg_name_length(metric->metric, MOST_METRIC);
        longest = length > longest ? length : longest;
        cm_log_range_add(&range, metric->validation_median);
        cm_log_range_add(&range, metric->validation_worst);
        out.rows++;
    }
    out.axis = cm_log_axis_of(&range);
    out.left = 24 + CM_SVG_LETTER * (double)longest;
    out.right = out.left + VALIDATION_PLOT;
    out.bottom = VALIDATION_TOP + VALIDATION_ROW * (double)out.rows + 6;
    out.axis.zero_at = out.left + 10;
    out.axis.from = out.left + VALIDATION_ZERO_BAND;
    out.axis.to = out.right;
    return out;
}

static void draw_mark(const char *class, cm_svg_shape shape, const cm_defined_metric *metric, const char *outcome,
                      double value, double x, double y, FILE *stream)
{
    char text[CM_NUMBER_SIZE];
    cm_svg_begin_mark(class, shape, x, y, stream);
    fputs("><title>", stream);
    cm_markup_write(metric->metric, stream);
    fprintf(stream, ": %s of %zu programs off by %s</title></path>\n", outcome, metric->validation_count,
            cm_percent_text(value, text));
}

/* A span from the median to the worst deviation, with a mark at each end. */
static void draw_metric(const cm_defined_metric *metric, const validation_layout *out, double y, FILE *stream)
{
    double median = metric->validation_median, worst = metric->validation_worst;
    cm_svg_name(out->left - 8, y + 4, CM_SVG_END, false, metric->metric, MOST_METRIC, stream);
    if (isnan(median) || isnan(worst))
        return;
    double from = cm_log_axis_place(&out->axis, median), to = cm_log_axis_place(&out->axis, worst);
    cm_svg_line("span", from, y, to, y, stream);
    draw_mark("worst", CM_SVG_RING, metric, "the worst", worst, to, y, stream);
    draw_mark(median > out->limit ? "off" : "value", CM_SVG_DIAMOND, metric, "the median", median, from, y, stream);
}

/* The two marks and the limit. */
static void draw_validation_legend(const validation_layout *out, FILE *stream)
{
    fputs("<g class=\"key\">", stream);
    cm_svg_begin_mark("value", CM_SVG_DIAMOND, out->left + 6, 40, stream);
    fputs("/>", stream);
    cm_svg_begin_mark("worst", CM_SVG_RING, out->left + 96, 40, stream);
    fputs("/></g>\n", stream);
    cm_svg_text("tick", out->left + 16, 44, CM_SVG_START, "median", stream);
    cm_svg_text("tick", out->left + 106, 44, CM_SVG_START, "worst program", stream);
    cm_svg_text("limit-text", out->left + 220, 44, CM_SVG_START, "dashed: refuted if the median is beyond", stream);
}

void cm_plot_validation(const cm_view_benchmark *benchmark, FILE *stream)
{
    validation_layout out = lay_out_validation(benchmark);
    double y = VALIDATION_TOP + VALIDATION_ROW / 2.0, limit = cm_log_axis_place(&out.axis, out.limit);
    cm_svg_begin(out.right + VALIDATION_RIGHT, out.bottom + 52, stream,
                 "%.100s: deviation in programs not used for fitting", benchmark->title);
    draw_validation_legend(&out, stream);
    cm_log_axis_draw(&out.axis, 0, VALIDATION_TOP, out.bottom, stream);
    cm_svg_line("limit", limit, VALIDATION_TOP, limit, out.bottom, stream);
    for (size_t i = 0; i < benchmark->metric_count; i++)
        if (is_validated(&benchmark->metrics[i])) {
            draw_metric(benchmark->metrics[i].defined, &out, y, stream);
            y += VALIDATION_ROW;
        }
    cm_svg_text("axis", (out.left + out.right) / 2, out.bottom + 40, CM_SVG_MIDDLE,
                "relative difference between definition and metric", stream);
    cm_svg_end(stream);
}
