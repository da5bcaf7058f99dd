/* The counts of the kept events by symbol, as a map: rows are events, columns symbols. */
#include "report/plots/plots.h"

enum { CELL = 30, MAP_ROW = 20, MAP_TOP = 40, MAP_RIGHT = 20, MOST_EVENT = 48, MOST_SYMBOL = 20, SHADES = 5 };

/* The event of a row: kept events that have a representation. */
static const cm_defined_event *row_event(const cm_view_benchmark *benchmark, size_t row)
{
    return &benchmark->events[benchmark->kept[row]];
}

size_t cm_plot_map_rows(const cm_view_benchmark *benchmark)
{
    return benchmark->kept_count < CM_PLOT_MOST_ROWS ? benchmark->kept_count : CM_PLOT_MOST_ROWS;
}

bool cm_plot_has_map(const cm_view_benchmark *benchmark)
{
    return benchmark->kept_count > 0 && benchmark->listed->symbol_count > 0;
}

typedef struct map_layout {
    size_t rows, columns;
    double left, top;
} map_layout;

/* The layout for the names of events and symbols. */
static map_layout lay_out_map(const cm_view_benchmark *benchmark)
{
    map_layout out = {.rows = cm_plot_map_rows(benchmark), .columns = benchmark->listed->symbol_count};
    size_t event = 0, symbol = 0;
    for (size_t i = 0; i < out.rows; i++) {
        size_t length = cm_svg_name_length(row_event(benchmark, i)->event, MOST_EVENT);
        event = length > event ? length : event;
    }
    for (size_t i = 0; i < out.columns; i++) {
        size_t length = cm_svg_name_length(benchmark->listed->symbols[i], MOST_SYMBOL);
        symbol = length > symbol ? length : symbol;
    }
    out.left = 34 + CM_SVG_LETTER * (double)event;
    out.top = MAP_TOP + CM_SVG_LETTER * (double)symbol + 6;
    return out;
}

static double largest_of(const cm_defined_event *event, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count && event->representation != NULL; i++)
        largest = fmax(largest, fabs(event->representation[i]));
    return largest;
}

/* Writes one or two digits, at most five letters: "1", "-.12", "2e3", "-5e-4". */
static void write_number(double value, FILE *stream)
{
    const double size = fabs(value);
    char text[32];
    if (size < 0.01 || size >= 1000.0) {
        snprintf(text, sizeof text, "%.0e", value);
        const char *power = strchr(text, 'e');
        fprintf(stream, "%.*se%ld", (int)(power - text), text, strtol(power + 1, NULL, 10));
        return;
    }
    snprintf(text, sizeof text, size >= 100.0 ? "%.0f" : "%.2g", size);
    fprintf(stream, "%s%s", value < 0.0 ? "-" : "", text + (text[0] == '0'));
}

/* Draws the count of one event for one symbol; nothing if it is a rounding error. */
static void draw_cell(const cm_view_benchmark *benchmark, const map_layout *out, size_t row, size_t column,
                      FILE *stream)
{
    const cm_defined_event *event = row_event(benchmark, row);
    double value = event->representation[column], largest = largest_of(event, out->columns);
    char class[32];
    if (fabs(value) < benchmark->listed->alpha * fmax(largest, 1e-300))
        return;
    int shade = (int)fmin(SHADES, ceil(SHADES * fabs(value) / largest));
    snprintf(class, sizeof class, "%s%d", value < 0.0 ? "minus" : "plus", shade);
    double x = out->left + CELL * (double)column, y = out->top + MAP_ROW * (double)row;
    cm_svg_begin_box(class, x, y, CELL, MAP_ROW, stream);
    fprintf(stream, " data-event=\"%zu\"><title>", benchmark->kept[row]);
    cm_markup_write(event->event, stream);
    fputs(" counts ", stream);
    write_number(value, stream);
    fputs(" of ", stream);
    cm_markup_write(benchmark->listed->symbols[column], stream);
    fputs("</title></rect>\n", stream);
    cm_svg_begin_text(shade > 3 ? "cell dark" : "cell", x + CELL / 2.0, y + 14, CM_SVG_MIDDLE, false, stream);
    write_number(value, stream);
    fputs("</text>\n", stream);
}

/* An event's name, the mark of its status, and a cell for each fact that it counts. */
static void draw_row(const cm_view_benchmark *benchmark, const map_layout *out, size_t row, FILE *stream)
{
    const cm_defined_event *event = row_event(benchmark, row);
    double y = out->top + MAP_ROW * (double)row;
    cm_svg_line("grid", 12, y + MAP_ROW, out->left + CELL * (double)out->columns, y + MAP_ROW, stream);
    fputs("<g class=\"key\">", stream);
    cm_svg_begin_mark(cm_event_status_text(event->status),
                      event->status == CM_EVENT_SELECTED ? CM_SVG_DIAMOND : CM_SVG_DOT, 18, y + MAP_ROW / 2.0, stream);
    fputs("/></g>\n", stream);
    cm_svg_name(out->left - 6, y + 14, CM_SVG_END, false, event->event, MOST_EVENT, stream);
    for (size_t i = 0; i < out->columns && event->representation != NULL; i++)
        draw_cell(benchmark, out, row, i, stream);
}

void cm_plot_map(const cm_view_benchmark *benchmark, FILE *stream)
{
    map_layout out = lay_out_map(benchmark);
    double height = out.top + MAP_ROW * (double)out.rows, width = out.left + CELL * (double)out.columns + MAP_RIGHT;
    cm_svg_begin(fmax(width, 480), height + 40, stream, "%.100s: counts of events by symbol", benchmark->title);
    for (size_t i = 0; i <= out.columns; i++) {
        double x = out.left + CELL * (double)i;
        cm_svg_line("grid", x, out.top, x, height, stream);
        if (i < out.columns)
            cm_svg_name(x + CELL / 2.0 + 4, out.top - 6, CM_SVG_START, true, benchmark->listed->symbols[i], MOST_SYMBOL,
                        stream);
    }
    cm_svg_line("grid", 12, out.top, out.left + CELL * (double)out.columns, out.top, stream);
    for (size_t i = 0; i < out.rows; i++)
        draw_row(benchmark, &out, i, stream);
    cm_svg_text("axis", 12, height + 24, CM_SVG_START,
                "rows: events, selected ones (diamonds) first; columns: symbols; empty: none", stream);
    cm_svg_end(stream);
}
