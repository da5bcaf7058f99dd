/* The bandwidth of a triad over the size of its arrays, with the sizes of caches. */
#include "machines/report/report.h"

enum { SIZES_LEFT = 72, SIZES_RIGHT = 24, SIZES_TOP = 62, SIZES_WIDTH = 720, SIZES_HEIGHT = 320, SIZES_BOTTOM = 52 };

static bool is_of_cores(const cm_ceiling *ceiling, size_t cores)
{
    return ceiling->kind == CM_CEILING_SIZE && ceiling->cores == cores;
}

bool cm_plot_has_sweep(const cm_roofline *roofline, size_t cores)
{
    for (size_t i = 0; i < roofline->ceiling_count; i++)
        if (is_of_cores(&roofline->ceilings[i], cores))
            return true;
    return false;
}

/* Writes a cache's label beside its line, left or right, as high as possible. */
static void label_cache(double x, const char *text, cm_plot_labels *labels, FILE *stream)
{
    enum { FIRST = 14, GAP = 4 };
    const double width = CM_PLOT_LABEL_LETTER * (double)cm_text_width(text);
    cm_plot_label_choice best = {0};
    bool found = false;
    for (double y = SIZES_TOP + FIRST; y < SIZES_TOP + SIZES_HEIGHT && !found; y += CM_PLOT_LABEL_LINE)
        for (int side = 0; side < 2 && !found; side++)
            found = cm_plot_labels_offer(labels,
                                         &(cm_plot_label){.x = side == 0 ? x - GAP : x + GAP,
                                                          .y = y,
                                                          .width = width,
                                                          .anchor = side == 0 ? CM_SVG_END : CM_SVG_START},
                                         &best);
    const cm_plot_label *label = cm_plot_labels_take(labels, &best);
    cm_svg_text("limit-text", label->x, label->y, label->anchor, text, stream);
}

/* Labels each cache's size on the axis. */
static void label_caches(const cm_roofline *roofline, const cm_log_axis *across, cm_plot_labels *labels, FILE *stream)
{
    const double kib = 1024.0, mib = kib * kib;
    char size[CM_RATE_SIZE];
    for (size_t level = 0; level < CM_CACHE_LEVELS; level++) {
        const double bytes = (double)roofline->caches[level];
        if (roofline->caches[level] == 0)
            continue;
        snprintf(size, sizeof size, "%s %.4g %s", cm_level_name(level), bytes / (bytes < mib ? kib : mib),
                 bytes < mib ? "KiB" : "MiB");
        label_cache(cm_log_axis_place(across, bytes), size, labels, stream);
    }
}

static void draw_caches(const cm_roofline *roofline, const cm_log_axis *across, cm_plot_labels *labels, FILE *stream)
{
    for (size_t level = 0; level < CM_CACHE_LEVELS; level++) {
        const double x = cm_log_axis_place(across, (double)roofline->caches[level]);
        if (roofline->caches[level] == 0)
            continue;
        cm_svg_line("limit", x, SIZES_TOP, x, SIZES_TOP + SIZES_HEIGHT, stream);
        cm_plot_labels_add_line(labels, x, SIZES_TOP, x, SIZES_TOP + SIZES_HEIGHT);
    }
}

static void draw_size(const cm_ceiling *ceiling, double x, double y, FILE *stream)
{
    char rate[CM_RATE_SIZE];
    cm_svg_begin_mark("value", CM_SVG_DOT, x, y, stream);
    fprintf(stream, "><title>%.4g KiB a core: %s", ceiling->bytes / 1024.0,
            cm_rate_text(ceiling->rate.median, "B/s", rate));
    fprintf(stream, ", from %s", cm_rate_text(ceiling->rate.lowest, "B/s", rate));
    fprintf(stream, " to %s</title></path>\n", cm_rate_text(ceiling->rate.highest, "B/s", rate));
}

/* Draws the bandwidth of each size and a line through all. */
static void draw_sizes(const cm_roofline *roofline, size_t cores, const cm_log_axis *across, const cm_linear_axis *up,
                       cm_plot_labels *labels, FILE *stream)
{
    double last_x = NAN, last_y = NAN;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (!is_of_cores(ceiling, cores))
            continue;
        double x = cm_log_axis_place(across, ceiling->bytes), y = cm_linear_axis_place(up, ceiling->rate.median / 1e9);
        if (!isnan(last_x)) {
            cm_svg_line("span", last_x, last_y, x, y, stream);
            cm_plot_labels_add_line(labels, last_x, last_y, x, y);
        }
        cm_plot_labels_add_mark(labels, x, y);
        draw_size(ceiling, x, y, stream);
        last_x = x;
        last_y = y;
    }
}

void cm_plot_sweep(const cm_roofline *roofline, size_t cores, FILE *stream)
{
    cm_log_range sizes = {0};
    double highest = 0.0;
    for (size_t i = 0; i < roofline->ceiling_count; i++)
        if (is_of_cores(&roofline->ceilings[i], cores)) {
            cm_log_range_add(&sizes, roofline->ceilings[i].bytes);
            highest = fmax(highest, roofline->ceilings[i].rate.median / 1e9);
        }
    cm_log_axis across = cm_log_axis_of(&sizes);
    across.from = SIZES_LEFT;
    across.to = SIZES_LEFT + SIZES_WIDTH;
    across.zero_at = NAN;
    cm_linear_axis up = cm_linear_axis_of(0.0, highest);
    up.from = SIZES_TOP + SIZES_HEIGHT;
    up.to = SIZES_TOP;
    cm_svg_begin(SIZES_LEFT + SIZES_WIDTH + SIZES_RIGHT, SIZES_TOP + SIZES_HEIGHT + SIZES_BOTTOM, stream,
                 "STREAM triad on %zu core%s, the same operations at every size: %.100s", cores, cores == 1 ? "" : "s",
                 roofline->processor);
    cm_log_axis_draw(&across, 0, SIZES_TOP, SIZES_TOP + SIZES_HEIGHT, stream);
    cm_linear_axis_draw(&up, SIZES_LEFT, SIZES_LEFT + SIZES_WIDTH, stream);
    cm_plot_labels labels = {
        .left = SIZES_LEFT, .top = SIZES_TOP, .right = SIZES_LEFT + SIZES_WIDTH, .bottom = SIZES_TOP + SIZES_HEIGHT};
    draw_caches(roofline, &across, &labels, stream);
    draw_sizes(roofline, cores, &across, &up, &labels, stream);
    fputs("<g class=\"over\">\n", stream);
    label_caches(roofline, &across, &labels, stream);
    fputs("</g>\n", stream);
    cm_svg_text("axis", SIZES_LEFT + SIZES_WIDTH / 2.0, SIZES_TOP + SIZES_HEIGHT + 40, CM_SVG_MIDDLE,
                "bytes of the three arrays on each core", stream);
    cm_svg_begin_text("axis", 16, SIZES_TOP + SIZES_HEIGHT / 2.0, CM_SVG_MIDDLE, true, stream);
    fputs("GB/s</text>\n", stream);
    cm_svg_end(stream);
}
