/* The noise of all events, sorted, on a logarithmic scale: the paper's Figure 2. */
#include "report/plots/plots.h"

enum { WIDTH = 760, HEIGHT = 400, NOISE_LEFT = 64, NOISE_RIGHT = 20, NOISE_TOP = 66, NOISE_BOTTOM = 54 };
enum { NOISE_ZERO_BAND = 26, COLUMNS = 640 };

static const double plot_right = WIDTH - NOISE_RIGHT, plot_bottom = HEIGHT - NOISE_BOTTOM;

/* The classes of plots.css are the names of the statuses. */
static const cm_svg_shape shapes[CM_VIEW_STATUSES] = {
    [CM_EVENT_ZERO] = CM_SVG_DASH,
    [CM_EVENT_NOISY] = CM_SVG_CROSS,
    [CM_EVENT_UNREPRESENTABLE] = CM_SVG_TRIANGLE,
    [CM_EVENT_DEPENDENT] = CM_SVG_DOT,
    [CM_EVENT_SELECTED] = CM_SVG_DIAMOND,
    [CM_EVENT_AVOIDED] = CM_SVG_SQUARE,
};

bool cm_plot_has_noise(const cm_view_benchmark *benchmark)
{
    return benchmark->noise_count > 0;
}

/* The event of a rank, from 0, the quietest. */
static const cm_defined_event *event_at(const cm_view_benchmark *benchmark, size_t rank)
{
    return &benchmark->events[benchmark->by_noise[rank]];
}

/* An axis over all noise and tau, with a band below it for events without noise. */
static cm_log_axis noise_axis(const cm_view_benchmark *benchmark)
{
    cm_log_range range = {0};
    for (size_t i = 0; i < benchmark->noise_count; i++)
        cm_log_range_add(&range, event_at(benchmark, i)->max_rnmse);
    cm_log_range_add(&range, benchmark->listed->tau);
    cm_log_axis axis = cm_log_axis_of(&range);
    axis.zero_at = plot_bottom - 8;
    axis.from = plot_bottom - NOISE_ZERO_BAND;
    axis.to = NOISE_TOP;
    return axis;
}

static double place_of_rank(const cm_view_benchmark *benchmark, size_t rank)
{
    return NOISE_LEFT + ((double)rank + 0.5) / (double)benchmark->noise_count * (plot_right - NOISE_LEFT);
}

/* The mark of one event; the page's script finds the event by its number. */
static void draw_event(const cm_view_benchmark *benchmark, size_t rank, const cm_log_axis *axis, FILE *stream)
{
    const cm_defined_event *event = event_at(benchmark, rank);
    char figure[CM_NUMBER_SIZE];
    cm_svg_begin_mark(cm_event_status_text(event->status), shapes[event->status], place_of_rank(benchmark, rank),
                      cm_log_axis_place(axis, event->max_rnmse), stream);
    fprintf(stream, " data-event=\"%zu\"><title>", benchmark->by_noise[rank]);
    cm_markup_write(event->event, stream);
    fprintf(stream, ": %s, noise %s</title></path>\n", cm_event_status_text(event->status),
            cm_figure_text(event->max_rnmse, figure));
}

/* The events of one status in a column. */
typedef struct bin {
    size_t count;
    double low, high; /* noise */
} bin;

static void draw_bin(cm_event_status status, const bin *one, double x, double width, const cm_log_axis *axis,
                     FILE *stream)
{
    char low[CM_NUMBER_SIZE], high[CM_NUMBER_SIZE];
    double top = cm_log_axis_place(axis, one->high), bottom = cm_log_axis_place(axis, one->low);
    cm_svg_begin_box(cm_event_status_text(status), x, top - 1.5, width, bottom - top + 3.0, stream);
    fprintf(stream, " data-count=\"%zu\"><title>%zu %s, noise %s to %s</title></rect>\n", one->count, one->count,
            cm_event_status_text(status), cm_figure_text(one->low, low), cm_figure_text(one->high, high));
}

/* Draws a column: the events of some ranks without selected ones. */
static void draw_column(const cm_view_benchmark *benchmark, size_t first, size_t end, const cm_log_axis *axis,
                        FILE *stream)
{
    bin bins[CM_VIEW_STATUSES] = {{0}};
    for (size_t rank = first; rank < end; rank++) {
        const cm_defined_event *event = event_at(benchmark, rank);
        bin *into = &bins[event->status];
        if (into->count++ == 0)
            into->low = event->max_rnmse;
        into->high = event->max_rnmse;
    }
    double x = place_of_rank(benchmark, first), width = place_of_rank(benchmark, end) - x;
    for (int status = 0; status < CM_VIEW_STATUSES; status++)
        if (bins[status].count > 0 && status != CM_EVENT_SELECTED)
            draw_bin((cm_event_status)status, &bins[status], x, fmax(width, 1.0), axis, stream);
}

/* A mark for each event, or, of too many, a bar for those side by side. */
static void draw_events(const cm_view_benchmark *benchmark, const cm_log_axis *axis, FILE *stream)
{
    size_t count = benchmark->noise_count;
    if (count <= CM_PLOT_MOST_MARKS) {
        for (size_t rank = 0; rank < count; rank++)
            draw_event(benchmark, rank, axis, stream);
        return;
    }
    for (size_t i = 0; i < COLUMNS; i++)
        draw_column(benchmark, count * i / COLUMNS, count * (i + 1) / COLUMNS, axis, stream);
    for (size_t rank = 0; rank < benchmark->noise_count; rank++)
        if (event_at(benchmark, rank)->status == CM_EVENT_SELECTED)
            draw_event(benchmark, rank, axis, stream);
}

/* Draws the shape of each status that events have, from left to right. */
static void draw_noise_legend(const cm_view_benchmark *benchmark, FILE *stream)
{
    size_t counts[CM_VIEW_STATUSES] = {0};
    double x = NOISE_LEFT + 6;
    for (size_t rank = 0; rank < benchmark->noise_count; rank++)
        counts[event_at(benchmark, rank)->status]++;
    for (int i = CM_VIEW_STATUSES - 1; i >= 0; i--) {
        if (counts[i] == 0)
            continue;
        const char *word = cm_event_status_text((cm_event_status)i);
        char text[64];
        /* A group, so that these are not taken for events. */
        fputs("<g class=\"key\">", stream);
        cm_svg_begin_mark(cm_event_status_text((cm_event_status)i), shapes[i], x, 42, stream);
        fputs("/></g>\n", stream);
        snprintf(text, sizeof text, "%s (%zu)", word, counts[i]);
        cm_svg_text("tick", x + 9, 46, CM_SVG_START, text, stream);
        x += 9 + 6.6 * (double)strlen(text) + 14;
    }
}

/* The line above which events are too noisy to be used; none if tau is without limit. */
static void draw_tau(const cm_view_benchmark *benchmark, const cm_log_axis *axis, FILE *stream)
{
    double tau = benchmark->listed->tau;
    char text[64], figure[CM_NUMBER_SIZE];
    if (isinf(tau))
        return;
    double y = cm_log_axis_place(axis, tau);
    cm_svg_line("limit", NOISE_LEFT, y, plot_right, y, stream);
    snprintf(text, sizeof text, "tau = %s: noisier events are not used", cm_coefficient_text(tau, figure));
    cm_svg_text("limit-text", NOISE_LEFT + 8, y - 5, CM_SVG_START, text, stream);
}

void cm_plot_noise(const cm_view_benchmark *benchmark, FILE *stream)
{
    char last[32];
    cm_log_axis axis = noise_axis(benchmark);
    snprintf(last, sizeof last, "%zu", benchmark->noise_count);
    cm_svg_begin(WIDTH, HEIGHT, stream, "%.100s: noise of the events, sorted", benchmark->title);
    draw_noise_legend(benchmark, stream);
    cm_log_axis_draw(&axis, 1, NOISE_LEFT, plot_right, stream);
    draw_tau(benchmark, &axis, stream);
    draw_events(benchmark, &axis, stream);
    cm_svg_text("tick", NOISE_LEFT, plot_bottom + 18, CM_SVG_START, "1", stream);
    cm_svg_text("tick", plot_right, plot_bottom + 18, CM_SVG_END, last, stream);
    cm_svg_text("axis", (NOISE_LEFT + plot_right) / 2, plot_bottom + 36, CM_SVG_MIDDLE, "events, the quietest first",
                stream);
    cm_svg_begin_text("axis", 16, (NOISE_TOP + plot_bottom) / 2, CM_SVG_MIDDLE, true, stream);
    fputs("largest relative difference of two runs</text>\n", stream);
    cm_svg_end(stream);
}
