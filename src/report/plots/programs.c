/* Measured against expected values of metrics in programs not used for fitting, on logarithmic axes. */
#include "report/plots/plots.h"

enum { PROGRAMS_LEFT = 72, PROGRAMS_RIGHT = 24, PROGRAMS_TOP = 62, PROGRAMS_BOTTOM = 52 };
enum { PROGRAMS_PLOT = 400, PROGRAMS_ZERO_BAND = 44 };

bool cm_plot_has_programs(const cm_view_benchmark *benchmark)
{
    for (size_t i = 0; i < benchmark->metric_count; i++)
        if (benchmark->metrics[i].defined->programs != NULL &&
            benchmark->metrics[i].defined->programs->outcome_count > 0)
            return true;
    return false;
}

bool cm_plot_is_off(const cm_view_benchmark *benchmark, const cm_defined_outcome *outcome)
{
    double beyond = fabs(outcome->measured - outcome->expected) - outcome->range;
    return beyond > CM_VALIDATION_FACTOR * benchmark->listed->residual * fabs(outcome->expected);
}

typedef struct cross {
    cm_log_axis across, up;
} cross;

/* Both axes, with the range of all expected and measured values. */
static cross axes_of(const cm_view_benchmark *benchmark)
{
    cm_log_range range = {0};
    for (size_t i = 0; i < benchmark->metric_count; i++) {
        const cm_defined_trial *trial = benchmark->metrics[i].defined->programs;
        for (size_t k = 0; trial != NULL && k < trial->outcome_count; k++) {
            cm_log_range_add(&range, trial->outcomes[k].expected);
            cm_log_range_add(&range, trial->outcomes[k].measured);
        }
    }
    cross axes = {cm_log_axis_of(&range), cm_log_axis_of(&range)};
    axes.across.zero_at = PROGRAMS_LEFT + 10;
    axes.across.from = PROGRAMS_LEFT + PROGRAMS_ZERO_BAND;
    axes.across.to = PROGRAMS_LEFT + PROGRAMS_PLOT;
    axes.up.zero_at = PROGRAMS_TOP + PROGRAMS_PLOT - 10;
    axes.up.from = PROGRAMS_TOP + PROGRAMS_PLOT - PROGRAMS_ZERO_BAND;
    axes.up.to = PROGRAMS_TOP;
    return axes;
}

/* The mark of one program, with the metric and both values in its title. */
static void draw_outcome(const cm_view_benchmark *benchmark, const cm_view_metric *metric,
                         const cm_defined_outcome *outcome, const cross *axes, FILE *stream)
{
    bool off = cm_plot_is_off(benchmark, outcome);
    cm_svg_begin_mark(off ? "off" : "value", off ? CM_SVG_SQUARE : CM_SVG_DOT,
                      cm_log_axis_place(&axes->across, outcome->expected),
                      cm_log_axis_place(&axes->up, outcome->measured), stream);
    fputs("><title>", stream);
    cm_markup_write(metric->defined->metric, stream);
    fputs(", ", stream);
    cm_markup_write(outcome->program, stream);
    fprintf(stream, ": expected %.10g, measured %.10g</title></path>\n", outcome->expected, outcome->measured);
}

/* The two marks and the line. */
static void draw_programs_legend(FILE *stream)
{
    fputs("<g class=\"key\">", stream);
    cm_svg_begin_mark("value", CM_SVG_DOT, PROGRAMS_LEFT + 6, 40, stream);
    fputs("/>", stream);
    cm_svg_begin_mark("off", CM_SVG_SQUARE, PROGRAMS_LEFT + 136, 40, stream);
    fputs("/></g>\n", stream);
    cm_svg_text("tick", PROGRAMS_LEFT + 16, 44, CM_SVG_START, "within the limit", stream);
    cm_svg_text("tick", PROGRAMS_LEFT + 146, 44, CM_SVG_START, "beyond it", stream);
    cm_svg_text("tick", PROGRAMS_LEFT + 226, 44, CM_SVG_START, "line: measured is expected", stream);
}

void cm_plot_programs(const cm_view_benchmark *benchmark, FILE *stream)
{
    const cross axes = axes_of(benchmark);
    cm_svg_begin(PROGRAMS_LEFT + PROGRAMS_PLOT + PROGRAMS_RIGHT, PROGRAMS_TOP + PROGRAMS_PLOT + PROGRAMS_BOTTOM, stream,
                 "%.100s: expected against measured in programs", benchmark->title);
    draw_programs_legend(stream);
    cm_log_axis_draw(&axes.across, 0, PROGRAMS_TOP, PROGRAMS_TOP + PROGRAMS_PLOT, stream);
    cm_log_axis_draw(&axes.up, 1, PROGRAMS_LEFT, PROGRAMS_LEFT + PROGRAMS_PLOT, stream);
    cm_svg_line("span", axes.across.from, axes.up.from, axes.across.to, axes.up.to, stream);
    for (size_t i = 0; i < benchmark->metric_count; i++) {
        const cm_view_metric *metric = &benchmark->metrics[i];
        const cm_defined_trial *trial = metric->defined->programs;
        for (size_t k = 0; trial != NULL && k < trial->outcome_count; k++)
            draw_outcome(benchmark, metric, &trial->outcomes[k], &axes, stream);
    }
    cm_svg_text("axis", PROGRAMS_LEFT + PROGRAMS_PLOT / 2.0, PROGRAMS_TOP + PROGRAMS_PLOT + 40, CM_SVG_MIDDLE,
                "expected: the metric's value in the program", stream);
    cm_svg_begin_text("axis", 16, PROGRAMS_TOP + PROGRAMS_PLOT / 2.0, CM_SVG_MIDDLE, true, stream);
    fputs("measured: its definition's value</text>\n", stream);
    cm_svg_end(stream);
}
