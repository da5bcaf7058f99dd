/* Both machines' rooflines for a program, and equation 4's speed for each level's intensity in each level's roofline:
 * Figures 4 to 9 of Gavaille et al. 2022. */
#include "machines/report/report.h"

enum { CASE_LEFT = 72, CASE_RIGHT = 150, CASE_TOP = 62, CASE_WIDTH = 720, CASE_HEIGHT = 440, CASE_BOTTOM = 52 };

/* Classes of the lines and texts of both machines. */
static const char *const sides[] = {"source", "target"}, *const mixes[] = {"source mix", "target mix"},
                         *const texts[] = {"tick source-text", "tick target-text"};

/* A machine's figure, as the case changes the target's. */
static cm_project_figure bandwidth_of(const cm_projection *made, const cm_projected_case *one, int side, int level)
{
    const cm_project_figure *own = &made->machines[side].bandwidth[level];
    const double given = one->result.bandwidth;
    return side == 1 && level == CM_LEVEL_MEM ? (cm_project_figure){given, given, given} : *own;
}

static double performance_of(const cm_projection *made, const cm_projected_case *one, int side)
{
    return side == 0 ? made->machines[0].performance.value : one->performance;
}

/* Infinite intensities, of levels that answer nothing, stand at the right end. */
static void add_finite(cm_log_range *range, double value)
{
    if (isfinite(value) && value > 0.0)
        cm_log_range_add(range, value);
}

/* The plane that has all speeds, ceilings and intensities of the case. */
static cm_plot_plane make_projection_plane(const cm_projection *made, const cm_projected_case *one)
{
    cm_log_range across = {0}, up = {0};
    double lowest = INFINITY;
    cm_log_range_add(&across, 1.0);
    add_finite(&up, made->measured.value);
    for (size_t i = 0; i < one->pair_count; i++) {
        const cm_projected_pair *pair = &one->pairs[i];
        add_finite(&up, pair->projected.value);
        for (int side = 0; side < 2; side++) {
            add_finite(&across, pair->intensities[side]);
            lowest = fmin(lowest, pair->rooflines[side].value);
        }
    }
    add_finite(&up, lowest);
    for (int side = 0; side < 2; side++) {
        add_finite(&up, performance_of(made, one, side));
        for (int level = 0; level < CM_LEVELS; level++)
            add_finite(&across, performance_of(made, one, side) / bandwidth_of(made, one, side, level).value);
    }
    return cm_plot_plane_of(&across, &up, (cm_plot_box){CASE_LEFT, CASE_TOP, CASE_WIDTH, CASE_HEIGHT});
}

/* Draws the performance, and that of the program's mix as a dotted line if it is another. */
static void draw_tops(const cm_projection *made, const cm_projected_case *one, int side, double fastest,
                      const cm_plot_plane *plane, cm_plot_labels *labels, FILE *stream)
{
    enum { ABOVE = -3, BELOW = 11 };
    const double tops[] = {performance_of(made, one, side), one->weighted[side].value};
    const int count = fabs(cm_plot_up(plane, tops[1]) - cm_plot_up(plane, tops[0])) < 1.0 ? 1 : 2;
    const bool is_higher = tops[0] > performance_of(made, one, 1 - side) || (tops[0] >= one->performance && side == 1);
    for (int i = 0; i < count; i++) {
        char text[64];
        const double y = cm_plot_up(plane, tops[i]);
        const cm_plot_segment at = {cm_plot_across(plane, tops[i] / fastest), y, CASE_LEFT + CASE_WIDTH, y};
        snprintf(text, sizeof text, "%.3g GFLOP/s%s", tops[i], i == 0 ? "" : ", mix");
        cm_plot_segment_draw(i == 0 ? sides[side] : mixes[side], &at, labels, stream);
        cm_svg_text(texts[side], CASE_LEFT + CASE_WIDTH + 6, y + (is_higher ? ABOVE : BELOW), CM_SVG_START, text,
                    stream);
    }
}

/* Draws the rooflines of a machine. */
static void draw_machine(const cm_projection *made, const cm_projected_case *one, int side, const cm_plot_plane *plane,
                         cm_plot_labels *labels, FILE *stream)
{
    cm_plot_segment lines[CM_LEVELS];
    double fastest = 0.0;
    for (int level = 0; level < CM_LEVELS; level++) {
        const double bandwidth = bandwidth_of(made, one, side, level).value;
        if (isnan(bandwidth))
            continue;
        fastest = fmax(fastest, bandwidth);
        lines[level] = cm_plot_rising(bandwidth, performance_of(made, one, side), plane);
        cm_plot_segment_draw(sides[side], &lines[level], labels, stream);
    }
    if (fastest > 0.0)
        draw_tops(made, one, side, fastest, plane, labels, stream);
    for (int level = 0; level < CM_LEVELS; level++) {
        char text[64];
        const double bandwidth = bandwidth_of(made, one, side, level).value;
        if (isnan(bandwidth))
            continue;
        snprintf(text, sizeof text, "%s %.3g GB/s", cm_level_names[level], bandwidth);
        const cm_plot_label_choice best = cm_plot_segment_label(&lines[level], cm_plot_text_width(text), labels);
        const cm_plot_label *label = cm_plot_labels_take(labels, &best);
        cm_svg_begin_sloped_text(texts[side], label->x, label->y, label->degrees, stream);
        fprintf(stream, "%s</text>\n", text);
    }
}

/* Draws the interval as a dotted box around the projections, a cross each. */
static void draw_pairs(const cm_projected_case *one, const cm_plot_plane *plane, FILE *stream)
{
    double left = INFINITY, right = -INFINITY;
    for (size_t i = 0; i < one->pair_count; i++) {
        left = fmin(left, cm_plot_across(plane, one->pairs[i].intensities[1]));
        right = fmax(right, cm_plot_across(plane, one->pairs[i].intensities[1]));
    }
    const double low = cm_plot_up(plane, one->result.lowest), high = cm_plot_up(plane, one->result.highest);
    cm_svg_line("interval", left, low, right, low, stream);
    cm_svg_line("interval", left, high, right, high, stream);
    cm_svg_line("interval", left, low, left, high, stream);
    cm_svg_line("interval", right, low, right, high, stream);
    for (size_t i = 0; i < one->pair_count; i++) {
        const cm_projected_pair *pair = &one->pairs[i];
        cm_svg_begin_mark("projected", CM_SVG_CROSS, cm_plot_across(plane, pair->intensities[1]),
                          cm_plot_up(plane, pair->projected.value), stream);
        fprintf(stream, "><title>%.4g GFLOP/s by the intensity of %s in the roofline of %s</title></path>\n",
                pair->projected.value, cm_level_names[pair->intensity], cm_level_names[pair->roofline]);
    }
}

/* Draws the measured speed at the source's intensity of each level. */
static void draw_measured(const cm_projection *made, const cm_projected_case *one, const cm_plot_plane *plane,
                          FILE *stream)
{
    for (size_t i = 0; i < one->pair_count; i++) {
        const cm_projected_pair *pair = &one->pairs[i];
        if (i > 0 && pair->intensity == one->pairs[i - 1].intensity)
            continue;
        cm_svg_begin_mark("measured", CM_SVG_DOT, cm_plot_across(plane, pair->intensities[0]),
                          cm_plot_up(plane, made->measured.value), stream);
        fprintf(stream, "><title>measured: %.4g GFLOP/s, by the intensity of %s</title></path>\n", made->measured.value,
                cm_level_names[pair->intensity]);
    }
}

/* Says which machine has which colour, and explains the marks. */
static void draw_projection_legend(const cm_projection *made, FILE *stream)
{
    for (int side = 0; side < 2; side++) {
        cm_svg_line(sides[side], CASE_LEFT + side * 200, 40, CASE_LEFT + side * 200 + 20, 40, stream);
        cm_svg_name(CASE_LEFT + side * 200 + 26, 44, CM_SVG_START, false, made->machines[side].name, 24, stream);
    }
    cm_svg_begin_mark("measured", CM_SVG_DOT, CASE_LEFT + 410, 40, stream);
    fputs("/>\n", stream);
    cm_svg_text("tick", CASE_LEFT + 420, 44, CM_SVG_START, "measured", stream);
    cm_svg_begin_mark("projected", CM_SVG_CROSS, CASE_LEFT + 500, 40, stream);
    fputs("/>\n", stream);
    cm_svg_text("tick", CASE_LEFT + 510, 44, CM_SVG_START, "projected; dotted: their interval", stream);
}

void cm_plot_projection(const cm_projection *made, const cm_projected_case *one, FILE *stream)
{
    const cm_plot_plane plane = make_projection_plane(made, one);
    cm_plot_labels labels = {
        .left = CASE_LEFT, .top = CASE_TOP, .right = CASE_LEFT + CASE_WIDTH + 1, .bottom = CASE_TOP + CASE_HEIGHT};
    cm_svg_begin(CASE_LEFT + CASE_WIDTH + CASE_RIGHT, CASE_TOP + CASE_HEIGHT + CASE_BOTTOM, stream,
                 "%.60s%s%.30s, vectors of %g bits: %.3g to %.3g GFLOP/s on %.60s", one->result.program,
                 one->result.memory[0] != '\0' ? " with " : "", one->result.memory, one->result.vector_bits,
                 one->result.lowest, one->result.highest, made->machines[1].name);
    draw_projection_legend(made, stream);
    cm_log_axis_draw(&plane.across, 0, CASE_TOP, CASE_TOP + CASE_HEIGHT, stream);
    cm_log_axis_draw(&plane.up, 1, CASE_LEFT, CASE_LEFT + CASE_WIDTH, stream);
    cm_svg_text("axis", CASE_LEFT + CASE_WIDTH / 2.0, CASE_TOP + CASE_HEIGHT + 40, CM_SVG_MIDDLE, "FLOP/byte", stream);
    cm_svg_begin_text("axis", 16, CASE_TOP + CASE_HEIGHT / 2.0, CM_SVG_MIDDLE, true, stream);
    fputs("GFLOP/s</text>\n<g class=\"over\">\n", stream);
    for (int side = 0; side < 2; side++)
        draw_machine(made, one, side, &plane, &labels, stream);
    fputs("</g>\n", stream);
    draw_measured(made, one, &plane, stream);
    draw_pairs(one, &plane, stream);
    cm_svg_end(stream);
}
