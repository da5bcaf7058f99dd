/* A roofline, as Williams, Waterman and Patterson draw it ("Roofline: An Insightful Visual Performance Model for
 * Multicore Architectures", 2009), with a line for each cache, as the cache-aware one has it (Ilic, Pratas and Sousa,
 * 2014). */
#include "report/plots/roofline.h"

#include <math.h>
#include <stdlib.h>

#include "report/plots/axis.h"
#include "report/plots/svg.h"
#include "report/roofline.h"

enum {
    LEFT = 72,
    RIGHT = 24,
    TOP = 62,
    WIDTH = 720,
    HEIGHT = 440,
    BOTTOM = 52,
    MOST_LETTERS = 28,
    LETTER = 7,
    LINE = 13,
    MOST_PEAKS = 8
};

static const double least_intensity = 0.01, most_intensity = 100.0;

struct plane {
    cm_log_axis across, up;
};

bool cm_plot_has_roofline(const cm_roofline *roofline, size_t cores, cm_precision precision)
{
    return cm_roofline_peak(roofline, cores, precision, NULL, true) != NULL ||
           cm_roofline_peak(roofline, cores, precision, NULL, false) != NULL;
}

/* The highest of all. */
static const cm_ceiling *roof(const cm_roofline *roofline, size_t cores, cm_precision precision)
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

static struct plane make_plane(const cm_roofline *roofline, size_t cores, cm_precision precision)
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
    struct plane plane = {cm_log_axis_of(&across), cm_log_axis_of(&up)};
    plane.across.from = LEFT;
    plane.across.to = LEFT + WIDTH;
    plane.up.from = TOP + HEIGHT;
    plane.up.to = TOP;
    plane.across.zero_at = plane.up.zero_at = NAN;
    return plane;
}

static double across(const struct plane *plane, double intensity)
{
    return cm_log_axis_place(&plane->across, intensity);
}

static double up(const struct plane *plane, double rate)
{
    return cm_log_axis_place(&plane->up, rate);
}

/* From the left or the lower edge up to the roof, its label along it. */
static void draw_bandwidth(const cm_ceiling *ceiling, double highest, const struct plane *plane, FILE *stream)
{
    char rate[CM_RATE_SIZE];
    double bandwidth = ceiling->rate.median;
    double from = fmax(pow(10.0, plane->across.low), pow(10.0, plane->up.low) / bandwidth);
    double x1 = across(plane, from), y1 = up(plane, from * bandwidth);
    double x2 = across(plane, highest / bandwidth), y2 = up(plane, highest);
    double degrees = 180.0 / acos(-1.0) * atan2(y1 - y2, x2 - x1);
    cm_svg_line("expected", x1, y1, x2, y2, stream);
    cm_svg_begin_sloped_text("tick", x1 + 24, y1 - 24 * (y1 - y2) / (x2 - x1) - 6, degrees, stream);
    cm_markup_put(ceiling->level, stream);
    fprintf(stream, " %s, ", cm_rate_text(bandwidth, "B/s", rate));
    cm_markup_put(cm_timed_words(ceiling->operation), stream);
    fputs("</text>\n", stream);
}

/* From the line of the fastest level on; `label` is where its text stands. */
static void draw_peak(const cm_ceiling *ceiling, double fastest, bool top, double label, const struct plane *plane,
                      FILE *stream)
{
    char rate[CM_RATE_SIZE];
    double peak = ceiling->rate.median, y = up(plane, peak);
    double x1 = fastest > 0.0 ? across(plane, peak / fastest) : LEFT;
    cm_svg_line(top ? "expected" : "limit", x1, y, LEFT + WIDTH, y, stream);
    cm_svg_begin_text("tick", LEFT + WIDTH, label, CM_SVG_END, false, stream);
    cm_markup_put(ceiling->vectors, stream);
    fputc(' ', stream);
    cm_markup_put(cm_timed_words(ceiling->operation), stream);
    fprintf(stream, " %s</text>\n", cm_rate_text(peak, "flop/s", rate));
}

/* Sorted, the lowest first. */
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

/* Multiply-adds of each width, what the widest reach without them, and the matrix product. Labels stand above their
 * lines, and above those of lower lines. */
static void draw_peaks(const cm_roofline *roofline, size_t cores, cm_precision precision, double fastest,
                       const struct plane *plane, FILE *stream)
{
    const cm_ceiling *peaks[MOST_PEAKS], *highest = roof(roofline, cores, precision);
    const cm_ceiling *without = cm_roofline_peak(roofline, cores, precision, NULL, false);
    size_t count = 0;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (ceiling->kind == CM_CEILING_FLOPS && ceiling->cores == cores && ceiling->precision == precision &&
            ceiling == cm_roofline_peak(roofline, cores, precision, ceiling->vectors, true))
            add_peak(peaks, &count, ceiling);
    }
    add_peak(peaks, &count, cm_roofline_product(roofline, cores, precision));
    add_peak(peaks, &count, without);
    double label = INFINITY;
    for (size_t i = 0; i < count; i++) {
        label = fmin(up(plane, peaks[i]->rate.median) - 3, label - LINE);
        draw_peak(peaks[i], fastest, peaks[i] == highest, label, plane, stream);
    }
}

static void draw_mark(const cm_point *point, const char *kind, double bytes, cm_svg_shape shape,
                      const struct plane *plane, FILE *stream)
{
    char rate[CM_RATE_SIZE];
    cm_svg_begin_mark(shape == CM_SVG_DOT ? "value" : "worst", shape, across(plane, point->flops / bytes),
                      up(plane, point->flops / point->seconds), stream);
    fputs("><title>", stream);
    cm_markup_put(point->name, stream);
    fprintf(stream, ": %s, %.3g flop/byte %s</title></path>\n",
            cm_rate_text(point->flops / point->seconds, "flop/s", rate), point->flops / bytes, kind);
}

/* Where names stand. */
struct names {
    size_t count;
    struct {
        double left, right, y;
    } * places; /* room for all; NULL: not kept */
};

static bool is_free(const struct names *names, double left, double right, double y)
{
    for (size_t i = 0; i < names->count; i++)
        if (left < names->places[i].right && names->places[i].left < right && fabs(y - names->places[i].y) < LINE)
            return false;
    return true;
}

/* Beside its mark, or as many lines below or above as are needed to be read. */
static double place_name(struct names *names, double left, double right, double y)
{
    enum { TRIES = 4 };
    double place = y;
    if (names->places == NULL)
        return y;
    for (int i = 1; i <= TRIES && !is_free(names, left, right, place); i++) {
        place = y + i * LINE;
        if (!is_free(names, left, right, place))
            place = y - i * LINE;
    }
    names->places[names->count].left = left;
    names->places[names->count].right = right;
    names->places[names->count++].y = place;
    return place;
}

static void draw_point(const cm_point *point, const struct plane *plane, struct names *names, FILE *stream)
{
    double y = up(plane, point->flops / point->seconds), rightmost = LEFT;
    if (!isnan(point->l1_bytes)) {
        draw_mark(point, "by what is loaded and stored", point->l1_bytes, CM_SVG_DOT, plane, stream);
        rightmost = across(plane, point->flops / point->l1_bytes);
    }
    if (!isnan(point->memory_bytes)) {
        draw_mark(point, "by what memory gives and takes", point->memory_bytes, CM_SVG_RING, plane, stream);
        rightmost = fmax(rightmost, across(plane, point->flops / point->memory_bytes));
    }
    const double width = LETTER * (double)cm_svg_name_length(point->name, MOST_LETTERS);
    cm_svg_name(rightmost + 8, place_name(names, rightmost + 8, rightmost + 8 + width, y + 4), CM_SVG_START, false,
                point->name, MOST_LETTERS, stream);
}

static void draw_legend(FILE *stream)
{
    fputs("<g class=\"key\">", stream);
    cm_svg_begin_mark("value", CM_SVG_DOT, LEFT + 6, 40, stream);
    fputs("/>", stream);
    cm_svg_begin_mark("worst", CM_SVG_RING, LEFT + 256, 40, stream);
    fputs("/></g>\n", stream);
    cm_svg_text("tick", LEFT + 16, 44, CM_SVG_START, "by bytes that are loaded and stored", stream);
    cm_svg_text("tick", LEFT + 266, 44, CM_SVG_START, "by bytes that memory gives and takes", stream);
}

static void draw_axes(const struct plane *plane, FILE *stream)
{
    cm_log_axis_draw(&plane->across, 0, TOP, TOP + HEIGHT, stream);
    cm_log_axis_draw(&plane->up, 1, LEFT, LEFT + WIDTH, stream);
    cm_svg_text("axis", LEFT + WIDTH / 2.0, TOP + HEIGHT + 40, CM_SVG_MIDDLE, "flop/byte", stream);
    cm_svg_begin_text("axis", 16, TOP + HEIGHT / 2.0, CM_SVG_MIDDLE, true, stream);
    fputs("flop/s</text>\n", stream);
}

void cm_plot_roofline(const cm_roofline *roofline, size_t cores, cm_precision precision, FILE *stream)
{
    char title[256];
    const struct plane plane = make_plane(roofline, cores, precision);
    const double highest = roof(roofline, cores, precision)->rate.median;
    double fastest = 0.0;
    snprintf(title, sizeof title, "Roofline of %zu core%s, %s precision: %.100s", cores, cores == 1 ? "" : "s",
             cm_precision_name(precision), roofline->processor);
    cm_svg_begin(LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, title, stream);
    draw_legend(stream);
    draw_axes(&plane, stream);
    for (size_t level = 0; level <= CM_CACHE_LEVELS; level++) {
        const cm_ceiling *ceiling = cm_roofline_bandwidth(roofline, cores, cm_level_name(level));
        if (ceiling == NULL)
            continue;
        fastest = fmax(fastest, ceiling->rate.median);
        draw_bandwidth(ceiling, highest, &plane, stream);
    }
    draw_peaks(roofline, cores, precision, fastest, &plane, stream);
    struct names names = {.places = calloc(roofline->point_count, sizeof *names.places)};
    for (size_t i = 0; i < roofline->point_count; i++)
        if (roofline->points[i].cores == cores)
            draw_point(&roofline->points[i], &plane, &names, stream);
    free(names.places);
    cm_svg_end(stream);
}
