/* A roofline, as Williams, Waterman and Patterson draw it ("Roofline: An Insightful Visual Performance Model for
 * Multicore Architectures", 2009), with a line for each cache, as the cache-aware one has it (Ilic, Pratas and Sousa,
 * 2014). */
#include "machines/report/report.h"

enum { ROOF_LEFT = 72, ROOF_RIGHT = 264, ROOF_TOP = 62, ROOF_WIDTH = 720, ROOF_HEIGHT = 440, ROOF_BOTTOM = 52 };
enum { ROOF_LETTERS = 28, MOST_PEAKS = 8 };

static const double least_intensity = 0.01, most_intensity = 100.0;

bool cm_plot_has_roofline(const cm_roofline *roofline, size_t cores, cm_float_precision precision)
{
    return cm_roofline_peak(roofline, cores, precision, NULL, true) != NULL ||
           cm_roofline_peak(roofline, cores, precision, NULL, false) != NULL;
}

/* The highest peak. */
static const cm_ceiling *roof(const cm_roofline *roofline, size_t cores, cm_float_precision precision)
{
    const cm_ceiling *fused = cm_roofline_peak(roofline, cores, precision, NULL, true);
    const cm_ceiling *other = cm_roofline_peak(roofline, cores, precision, NULL, false);
    return fused == NULL || (other != NULL && other->rate.median > fused->rate.median) ? other : fused;
}

static void add_intensity(cm_log_range *range, double flops, double bytes)
{
    if (!isnan(bytes))
        cm_log_range_add(range, flops / bytes);
}

/* Makes both axes for the range of peaks, bandwidths and programs on so many cores. */
static cm_plot_plane make_roofline_plane(const cm_roofline *roofline, size_t cores, cm_float_precision precision)
{
    cm_log_range across = {least_intensity, most_intensity}, up = {0};
    cm_log_range_add(&up, roof(roofline, cores, precision)->rate.median);
    const cm_ceiling *memory = cm_roofline_bandwidth(roofline, cores, cm_level_name(CM_CACHE_LEVELS));
    if (memory != NULL)
        cm_log_range_add(&up, 2.0 * least_intensity * memory->rate.median);
    for (size_t i = 0; i < roofline->point_count; i++) {
        const cm_point *point = &roofline->points[i];
        if (point->cores != cores)
            continue;
        add_intensity(&across, point->flops, point->l1_bytes);
        add_intensity(&across, point->flops, point->memory_bytes);
        cm_log_range_add(&up, point->flops / point->seconds);
    }
    return cm_plot_plane_of(&across, &up, (cm_plot_box){ROOF_LEFT, ROOF_TOP, ROOF_WIDTH, ROOF_HEIGHT});
}

/* ---- lines ---- */

/* The line of a peak, from the line of the fastest level on. */
static cm_plot_segment flat(const cm_ceiling *ceiling, double fastest, const cm_plot_plane *plane)
{
    const double peak = ceiling->rate.median, y = cm_plot_up(plane, peak);
    return (cm_plot_segment){fastest > 0.0 ? cm_plot_across(plane, peak / fastest) : ROOF_LEFT, y,
                             ROOF_LEFT + ROOF_WIDTH, y};
}

/* ---- labels of lines ---- */

/* Writes the bandwidth's label, without the stream that reached it if that does not fit; the title has both. */
static void label_bandwidth(const cm_ceiling *ceiling, const cm_plot_segment *at, cm_plot_labels *labels, FILE *stream)
{
    char rate[CM_RATE_SIZE], name[CM_RATE_SIZE + 32], text[128];
    snprintf(name, sizeof name, "%.20s %s", ceiling->level, cm_rate_text(ceiling->rate.median, "B/s", rate));
    snprintf(text, sizeof text, "%s, %.40s", name, cm_timed_words(ceiling->operation));
    cm_plot_label_choice best = cm_plot_segment_label(at, cm_plot_text_width(text), labels);
    const cm_plot_label_choice shorter = cm_plot_segment_label(at, cm_plot_text_width(name), labels);
    const bool is_short = shorter.cost < best.cost;
    if (is_short)
        best = shorter;
    const cm_plot_label *label = cm_plot_labels_take(labels, &best);
    cm_svg_begin_sloped_text("tick", label->x, label->y, label->degrees, stream);
    cm_markup_write(is_short ? name : text, stream);
    if (is_short) {
        fputs("<title>", stream);
        cm_markup_write(text, stream);
        fputs("</title>", stream);
    }
    fputs("</text>\n", stream);
}

/* Writes the peak's label right of its line, or below the next higher peak's label; returns its baseline. */
static double label_peak(const cm_ceiling *ceiling, const cm_plot_segment *at, double higher, FILE *stream)
{
    enum { JOINT = 16, GAP = 4, MIDDLE = 4 };
    char rate[CM_RATE_SIZE], text[128];
    const double y = fmax(at->y2 + MIDDLE, higher + CM_PLOT_LABEL_LINE);
    snprintf(text, sizeof text, "%.40s %.40s %s", ceiling->vectors, cm_timed_words(ceiling->operation),
             cm_rate_text(ceiling->rate.median, "flop/s", rate));
    cm_svg_line("span", at->x2, at->y2, at->x2 + JOINT, y - MIDDLE, stream);
    cm_svg_text("tick", at->x2 + JOINT + GAP, y, CM_SVG_START, text, stream);
    return y;
}

/* ---- which lines there are ---- */

/* Inserts a peak in ascending order. */
static void add_peak(const cm_ceiling *peaks[MOST_PEAKS], size_t *count, const cm_ceiling *peak)
{
    size_t i = *count;
    if (peak == NULL || *count == MOST_PEAKS)
        return;
    for (; i > 0 && peaks[i - 1]->rate.median > peak->rate.median; i--)
        peaks[i] = peaks[i - 1];
    peaks[i] = peak;
    ++*count;
}

/* Finds multiply-adds of each width, the widest without them, and the matrix product; returns their number. */
static size_t find_peaks(const cm_roofline *roofline, size_t cores, cm_float_precision precision,
                         const cm_ceiling *peaks[MOST_PEAKS])
{
    size_t count = 0;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (ceiling->kind == CM_CEILING_FLOPS && ceiling->cores == cores && ceiling->precision == precision &&
            ceiling == cm_roofline_peak(roofline, cores, precision, ceiling->vectors, true))
            add_peak(peaks, &count, ceiling);
    }
    add_peak(peaks, &count, cm_roofline_product(roofline, cores, precision));
    add_peak(peaks, &count, cm_roofline_peak(roofline, cores, precision, NULL, false));
    return count;
}

/* Lists the bandwidths of so many cores, the first cache's first, and returns their number. */
static size_t find_bandwidths(const cm_roofline *roofline, size_t cores,
                              const cm_ceiling *bandwidths[CM_CACHE_LEVELS + 1])
{
    size_t count = 0;
    for (size_t level = 0; level <= CM_CACHE_LEVELS; level++) {
        const cm_ceiling *ceiling = cm_roofline_bandwidth(roofline, cores, cm_level_name(level));
        if (ceiling != NULL)
            bandwidths[count++] = ceiling;
    }
    return count;
}

/* ---- points ---- */

/* A program's mark by one of its traffics; labels keep clear of it. */
static void draw_mark(const cm_point *point, const char *kind, double bytes, cm_svg_shape shape,
                      const cm_plot_plane *plane, cm_plot_labels *labels, FILE *stream)
{
    char rate[CM_RATE_SIZE];
    const double x = cm_plot_across(plane, point->flops / bytes), y = cm_plot_up(plane, point->flops / point->seconds);
    cm_plot_labels_add_mark(labels, x, y);
    cm_svg_begin_mark(shape == CM_SVG_DOT ? "value" : "worst", shape, x, y, stream);
    fputs("><title>", stream);
    cm_markup_write(point->name, stream);
    fprintf(stream, ": %s, %.3g flop/byte %s</title></path>\n",
            cm_rate_text(point->flops / point->seconds, "flop/s", rate), point->flops / bytes, kind);
}

/* Draws the two marks of a program and a line that joins them. */
static void draw_point(const cm_point *point, const cm_plot_plane *plane, cm_plot_labels *labels, FILE *stream)
{
    const double dot = cm_plot_across(plane, point->flops / point->l1_bytes);
    const double ring = cm_plot_across(plane, point->flops / point->memory_bytes);
    const double y = cm_plot_up(plane, point->flops / point->seconds);
    if (!isnan(dot) && !isnan(ring))
        cm_plot_segment_draw("joint", &(cm_plot_segment){fmin(dot, ring), y, fmax(dot, ring), y}, labels, stream);
    if (!isnan(point->l1_bytes))
        draw_mark(point, "by loads and stores", point->l1_bytes, CM_SVG_DOT, plane, labels, stream);
    if (!isnan(point->memory_bytes))
        draw_mark(point, "by memory traffic", point->memory_bytes, CM_SVG_RING, plane, labels, stream);
}

/* Writes the name beside its marks, right or left; else as little below or above as keeps it readable. */
static void name_point(const cm_point *point, const cm_plot_plane *plane, cm_plot_labels *labels, FILE *stream)
{
    enum {
        GAP = 8,
        MIDDLE = 4,
        STEP = 2,
        FARTHEST = 3 * CM_PLOT_LABEL_LINE,
        EACH = 5 /* pixels that cost a quarter of a crossed line */
    };
    const double dot = cm_plot_across(plane, point->flops / point->l1_bytes);
    const double ring = cm_plot_across(plane, point->flops / point->memory_bytes);
    const double left = isnan(point->l1_bytes) ? ring : isnan(point->memory_bytes) ? dot : fmin(dot, ring);
    const double right = isnan(point->l1_bytes) ? ring : isnan(point->memory_bytes) ? dot : fmax(dot, ring);
    const double y = cm_plot_up(plane, point->flops / point->seconds) + MIDDLE;
    const double width = CM_SVG_LETTER * (double)cm_svg_name_length(point->name, ROOF_LETTERS);
    cm_plot_label_choice best = {0};
    bool found = false;
    for (int off = 0; off <= FARTHEST && !found; off += STEP)
        for (int side = 0; side < 4 && !found; side++) {
            const cm_plot_label label = {.x = side % 2 == 0 ? right + GAP : left - GAP,
                                         .y = side < 2 ? y + off : y - off,
                                         .width = width,
                                         .anchor = side % 2 == 0 ? CM_SVG_START : CM_SVG_END,
                                         .penalty = off / EACH};
            found = cm_plot_labels_offer(labels, &label, &best);
        }
    const cm_plot_label *label = cm_plot_labels_take(labels, &best);
    cm_svg_name(label->x, label->y, label->anchor, false, point->name, ROOF_LETTERS, stream);
}

/* ---- the plot ---- */

static void draw_roofline_legend(FILE *stream)
{
    fputs("<g class=\"key\">", stream);
    cm_svg_begin_mark("value", CM_SVG_DOT, ROOF_LEFT + 6, 40, stream);
    fputs("/>", stream);
    cm_svg_begin_mark("worst", CM_SVG_RING, ROOF_LEFT + 256, 40, stream);
    fputs("/></g>\n", stream);
    cm_svg_text("tick", ROOF_LEFT + 16, 44, CM_SVG_START, "by bytes loaded and stored", stream);
    cm_svg_text("tick", ROOF_LEFT + 266, 44, CM_SVG_START, "by bytes of memory traffic", stream);
}

static void draw_axes(const cm_plot_plane *plane, FILE *stream)
{
    cm_log_axis_draw(&plane->across, 0, ROOF_TOP, ROOF_TOP + ROOF_HEIGHT, stream);
    cm_log_axis_draw(&plane->up, 1, ROOF_LEFT, ROOF_LEFT + ROOF_WIDTH, stream);
    cm_svg_text("axis", ROOF_LEFT + ROOF_WIDTH / 2.0, ROOF_TOP + ROOF_HEIGHT + 40, CM_SVG_MIDDLE, "flop/byte", stream);
    cm_svg_begin_text("axis", 16, ROOF_TOP + ROOF_HEIGHT / 2.0, CM_SVG_MIDDLE, true, stream);
    fputs("flop/s</text>\n", stream);
}

/* Draws lines and marks first, which texts avoid; then texts, those with the fewest places first. */
static void draw_all(const cm_roofline *roofline, size_t cores, cm_float_precision precision,
                     const cm_plot_plane *plane, cm_plot_labels *labels, FILE *stream)
{
    const cm_ceiling *bandwidths[CM_CACHE_LEVELS + 1], *peaks[MOST_PEAKS], *top = roof(roofline, cores, precision);
    cm_plot_segment slopes[CM_CACHE_LEVELS + 1], flats[MOST_PEAKS];
    const size_t levels = find_bandwidths(roofline, cores, bandwidths);
    const size_t count = find_peaks(roofline, cores, precision, peaks);
    double fastest = 0.0;
    for (size_t i = 0; i < levels; i++) {
        fastest = fmax(fastest, bandwidths[i]->rate.median);
        slopes[i] = cm_plot_rising(bandwidths[i]->rate.median, top->rate.median, plane);
        cm_plot_segment_draw("expected", &slopes[i], labels, stream);
    }
    for (size_t i = 0; i < count; i++) {
        flats[i] = flat(peaks[i], fastest, plane);
        cm_plot_segment_draw(peaks[i] == top ? "expected" : "limit", &flats[i], labels, stream);
    }
    for (size_t i = 0; i < roofline->point_count; i++)
        if (roofline->points[i].cores == cores)
            draw_point(&roofline->points[i], plane, labels, stream);
    fputs("<g class=\"over\">\n", stream);
    for (size_t i = 0; i < roofline->point_count; i++)
        if (roofline->points[i].cores == cores)
            name_point(&roofline->points[i], plane, labels, stream);
    double higher = 0.0;
    for (size_t i = count; i-- > 0;)
        higher = label_peak(peaks[i], &flats[i], higher, stream);
    for (size_t i = 0; i < levels; i++)
        label_bandwidth(bandwidths[i], &slopes[i], labels, stream);
    fputs("</g>\n", stream);
}

void cm_plot_roofline(const cm_roofline *roofline, size_t cores, cm_float_precision precision, FILE *stream)
{
    const cm_plot_plane plane = make_roofline_plane(roofline, cores, precision);
    cm_plot_labels labels = {
        .left = ROOF_LEFT, .top = ROOF_TOP, .right = ROOF_LEFT + ROOF_WIDTH + 1, .bottom = ROOF_TOP + ROOF_HEIGHT};
    cm_svg_begin(ROOF_LEFT + ROOF_WIDTH + ROOF_RIGHT, ROOF_TOP + ROOF_HEIGHT + ROOF_BOTTOM, stream,
                 "Roofline of %zu core%s, %s precision: %.100s", cores, cores == 1 ? "" : "s",
                 cm_float_precision_name(precision), roofline->processor);
    draw_roofline_legend(stream);
    draw_axes(&plane, stream);
    draw_all(roofline, cores, precision, &plane, &labels, stream);
    cm_svg_end(stream);
}
