/* The intervals of programs, lengths of vectors and memories, a row each: Figures 10 to 17 of Gavaille et al. 2022. */
#include "machines/report/report.h"

enum { OVERVIEW_LEFT = 330, OVERVIEW_RIGHT = 40, OVERVIEW_TOP = 74, OVERVIEW_WIDTH = 560, OVERVIEW_BOTTOM = 56 };
enum { OVERVIEW_ROW = 30, OVERVIEW_LETTERS = 44 };

/* The axis that has all projected speeds and their ranges. */
static cm_log_axis make_axis(const cm_projection *made)
{
    cm_log_range range = {0};
    cm_log_range_add(&range, made->measured.value);
    for (size_t i = 0; i < made->case_count; i++) {
        const cm_projected_speed *result = &made->cases[i].result;
        cm_log_range_add(&range, result->lowest);
        cm_log_range_add(&range, result->highest);
        if (made->cases[i].bounded) {
            cm_log_range_add(&range, result->bound_lowest);
            cm_log_range_add(&range, result->bound_highest);
        }
    }
    cm_log_axis axis = cm_log_axis_of(&range);
    axis.from = OVERVIEW_LEFT;
    axis.to = OVERVIEW_LEFT + OVERVIEW_WIDTH;
    axis.zero_at = NAN;
    return axis;
}

/* Draws an interval as a line between two marks, which coincide if it is a point. */
static void draw_interval(const char *class, cm_svg_shape shape, double lowest, double highest, double y,
                          const cm_log_axis *axis, FILE *stream)
{
    const double ends[] = {lowest, highest};
    cm_svg_line("span", cm_log_axis_place(axis, lowest), y, cm_log_axis_place(axis, highest), y, stream);
    for (int i = 0; i < 2; i++) {
        cm_svg_begin_mark(class, shape, cm_log_axis_place(axis, ends[i]), y, stream);
        fprintf(stream, "><title>%.4g GFLOP/s</title></path>\n", ends[i]);
    }
}

/* A case's name, its interval by the equations, and below it the one by the rooflines. */
static void draw_row(const cm_projected_case *one, double y, const cm_log_axis *axis, FILE *stream)
{
    char name[160];
    const cm_projected_speed *result = &one->result;
    snprintf(name, sizeof name, "%.80s, %g bits%s%.40s", result->program, result->vector_bits,
             result->memory[0] != '\0' ? ", " : "", result->memory);
    cm_svg_name(OVERVIEW_LEFT - 12, y + 4, CM_SVG_END, false, name, OVERVIEW_LETTERS, stream);
    draw_interval("value", CM_SVG_DOT, result->lowest, result->highest, y - 4, axis, stream);
    if (one->bounded)
        draw_interval("worst", CM_SVG_RING, result->bound_lowest, result->bound_highest, y + 6, axis, stream);
}

/* The two marks and the line. */
static void draw_overview_legend(FILE *stream)
{
    cm_svg_begin_mark("value", CM_SVG_DOT, OVERVIEW_LEFT + 6, 40, stream);
    fputs("/>\n", stream);
    cm_svg_text("tick", OVERVIEW_LEFT + 16, 44, CM_SVG_START, "by equations 1 to 4", stream);
    cm_svg_begin_mark("worst", CM_SVG_RING, OVERVIEW_LEFT + 166, 40, stream);
    fputs("/>\n", stream);
    cm_svg_text("tick", OVERVIEW_LEFT + 176, 44, CM_SVG_START, "by the tightest roofline", stream);
    cm_svg_line("limit", OVERVIEW_LEFT + 340, 40, OVERVIEW_LEFT + 360, 40, stream);
    cm_svg_text("tick", OVERVIEW_LEFT + 366, 44, CM_SVG_START, "measured on the source", stream);
}

void cm_plot_projections(const cm_projection *made, FILE *stream)
{
    const cm_log_axis axis = make_axis(made);
    const double bottom = OVERVIEW_TOP + OVERVIEW_ROW * (double)made->case_count,
                 measured = cm_log_axis_place(&axis, made->measured.value);
    cm_svg_begin(OVERVIEW_LEFT + OVERVIEW_WIDTH + OVERVIEW_RIGHT, bottom + OVERVIEW_BOTTOM, stream,
                 "From %.80s to %.80s", made->machines[0].name, made->machines[1].name);
    draw_overview_legend(stream);
    cm_log_axis_draw(&axis, 0, OVERVIEW_TOP - 14, bottom, stream);
    cm_svg_line("limit", measured, OVERVIEW_TOP - 14, measured, bottom, stream);
    for (size_t i = 0; i < made->case_count; i++)
        draw_row(&made->cases[i], OVERVIEW_TOP + OVERVIEW_ROW * ((double)i + 0.4), &axis, stream);
    cm_svg_text("axis", OVERVIEW_LEFT + OVERVIEW_WIDTH / 2.0, bottom + 44, CM_SVG_MIDDLE, "GFLOP/s", stream);
    cm_svg_end(stream);
}
