/* The plots of results. Each is one SVG element, the same in a page and in a file; plots.css has its style. */
#ifndef CM_REPORT_PLOTS_PLOTS_H
#define CM_REPORT_PLOTS_PLOTS_H

#include "formulas/evaluate/evaluation.h"
#include "report/view/view.h"

/* The style of plots, in light and dark and on paper, for the head of a page. */
extern const char *const cm_plots_style;

enum {
    CM_PLOT_MOST_MARKS = 2000, /* events with a mark each; if there are more, a mark stands for several */
    CM_PLOT_MOST_ROWS = 60,    /* events in a map */
};

struct cm_html;

/* A part of a page that another library shows: its link, its sections, and its plots. */
enum { CM_PLOT_NAME = 48 };
struct cm_page_part {
    const void *content;
    void (*write_link)(const void *content, const struct cm_html *html);
    void (*write_sections)(const void *content, const struct cm_html *html);
    size_t plot_count;
    /* Writes the name of the plot's file, without ".svg"; false: there is no such plot. */
    bool (*name_plot)(const void *content, size_t plot, char name[CM_PLOT_NAME]);
    void (*draw_plot)(const void *content, size_t plot, FILE *stream);
};

/* The noise of all events, sorted, with tau. A mark has data-event, the event's place in the document; a mark for
 * several events has data-count. */
bool cm_plot_has_noise(const cm_view_benchmark *benchmark);
void cm_plot_noise(const cm_view_benchmark *benchmark, FILE *stream);

/* A definition beside its metric, on each kernel. */
bool cm_plot_has_metric(const cm_view_metric *metric);
void cm_plot_metric(const cm_view_benchmark *benchmark, const cm_view_metric *metric, FILE *stream);

/* The counts of the first CM_PLOT_MOST_ROWS kept events by symbol. */
bool cm_plot_has_map(const cm_view_benchmark *benchmark);
size_t cm_plot_map_rows(const cm_view_benchmark *benchmark);
void cm_plot_map(const cm_view_benchmark *benchmark, FILE *stream);

/* The deviations of definitions in programs that were not used for fitting. */
bool cm_plot_has_validation(const cm_view_benchmark *benchmark);
void cm_plot_validation(const cm_view_benchmark *benchmark, FILE *stream);

/* Measured against expected values in these programs, a mark a program and metric. */
bool cm_plot_has_programs(const cm_view_benchmark *benchmark);
void cm_plot_programs(const cm_view_benchmark *benchmark, FILE *stream);
/* Whether the outcome is beyond the limit. */
bool cm_plot_is_off(const cm_view_benchmark *benchmark, const cm_defined_outcome *outcome);

/* ---- file.c: a plot as a file of its own ---- */

/* Draws one SVG element. */
typedef void (*cm_plot_draw)(const void *content, FILE *stream);

/* Writes the page's SVG element with its style inside, as a file of its own. */
CM_SHARED cm_status cm_plot_write(cm_plot_draw draw, const void *content, FILE *stream, cm_error *error);

/* ---- markup.c: text in markup, of HTML and of SVG: nothing of it is ever taken for markup ---- */

/* As text.h shows it, escaped for contents of elements and for attributes in double quotes. */
CM_SHARED void cm_markup_write(const char *text, FILE *stream);
/* The name of an event for HTML: a narrow page breaks it behind its colons and underscores. */
CM_SHARED void cm_markup_write_name(const char *name, FILE *stream);
/* At most `most` characters of it, the last one "..." as one character if there are more. */
void cm_markup_write_short(const char *text, size_t most, FILE *stream);
/* The same with newlines and tabs kept, for text to be copied. */
void cm_markup_write_lines(const char *text, FILE *stream);
/* A length, rounded to tenths, the same in every locale. */
void cm_markup_write_length(double length, FILE *stream);

/* ---- tree.c ---- */

/* The plot of a hierarchy: a box for each metric, from the whole on the left to its parts on the right. */

/* Draws `count` runs from `first` on, one below the other; none: the hierarchy alone. The values must have a tree. */
void cm_plot_tree(const cm_formula_values *values, size_t first, size_t count, FILE *stream);

/* ---- axis.c: axes: the places of values, and the lines and numbers beside them ---- */

/* Powers of ten from 10^low to 10^high, and zero before them. */
typedef struct cm_log_axis {
    int low, high;
    double zero_at;  /* pixels; NaN: there is no zero */
    double from, to; /* pixels of the powers */
} cm_log_axis;

/* The powers that contain all positive values, at least two apart; `least` is the smallest first power. */
typedef struct cm_log_range {
    double lowest, highest; /* positive; 0: none yet */
} cm_log_range;
CM_SHARED void cm_log_range_add(cm_log_range *range, double value);
/* `zero_at`, `from` and `to` are set by the caller. */
CM_SHARED cm_log_axis cm_log_axis_of(const cm_log_range *range);
/* Values beyond the ends stand at the ends. */
CM_SHARED double cm_log_axis_place(const cm_log_axis *axis, double value);
/* Numbers of at most ten powers; lines from `start` to `end` across. */
CM_SHARED void cm_log_axis_draw(const cm_log_axis *axis, int vertical, double start, double end, FILE *stream);

/* From `low` to `high` in steps of 1, 2 or 5 times a power of ten. */
typedef struct cm_linear_axis {
    double low, high, step;
    double from, to; /* pixels */
} cm_linear_axis;
CM_SHARED cm_linear_axis cm_linear_axis_of(double low, double high);
CM_SHARED double cm_linear_axis_place(const cm_linear_axis *axis, double value);
/* Vertical, with lines from `start` to `end`. */
CM_SHARED void cm_linear_axis_draw(const cm_linear_axis *axis, double start, double end, FILE *stream);

/* ---- svg.c: the elements of all plots. Lengths are pixels, from the upper left corner ---- */

/* The width of a letter of names in plots, which are monospaced. */
#define CM_SVG_LETTER 6.7

typedef enum cm_svg_anchor { CM_SVG_START, CM_SVG_MIDDLE, CM_SVG_END } cm_svg_anchor;

typedef enum cm_svg_shape {
    CM_SVG_DIAMOND,
    CM_SVG_DOT,
    CM_SVG_TRIANGLE,
    CM_SVG_CROSS,
    CM_SVG_SQUARE,
    CM_SVG_DASH,
    CM_SVG_RING,
} cm_svg_shape;

/* Begins a plot, as wide as its title at least, which also describes it to those who cannot see it. */
CM_SHARED void cm_svg_begin(double least_width, double height, FILE *stream, const char *format, ...) CM_PRINTF(4, 5);
CM_SHARED void cm_svg_end(FILE *stream);

CM_SHARED void cm_svg_line(const char *class, double x1, double y1, double x2, double y2, FILE *stream);
/* Begins a text, whose words follow, and </text>. Rotated ones read upwards. */
CM_SHARED void cm_svg_begin_text(const char *class, double x, double y, cm_svg_anchor anchor, bool rotated,
                                 FILE *stream);
CM_SHARED void cm_svg_text(const char *class, double x, double y, cm_svg_anchor anchor, const char *text, FILE *stream);
/* The same for a text that rises by so many degrees. */
CM_SHARED void cm_svg_begin_sloped_text(const char *class, double x, double y, double degrees, FILE *stream);
/* A name of at most so many letters; its title has the whole. */
CM_SHARED void cm_svg_name(double x, double y, cm_svg_anchor anchor, bool rotated, const char *name, size_t most,
                           FILE *stream);
/* The letters that cm_svg_name shows of it. */
CM_SHARED size_t cm_svg_name_length(const char *name, size_t most);

/* The beginning of a mark, `<path class="m CLASS" d="..."`: attributes may follow, then ">", a title and </path>. */
CM_SHARED void cm_svg_begin_mark(const char *class, cm_svg_shape shape, double x, double y, FILE *stream);
/* The same for a filled rectangle, a <rect>. */
CM_SHARED void cm_svg_begin_box(const char *class, double x, double y, double width, double height, FILE *stream);

/* ---- labels.c: places for texts of a plot: beside other texts, lines and marks, not across them ---- */

/* The width of a letter of labels: about the widest average of all fonts. Names have CM_SVG_LETTER. */
#define CM_PLOT_LABEL_LETTER 6.6

/* Shapes in a plot, which needs no memory of its own: more would leave no space for texts. */
enum { CM_PLOT_LABEL_MOST = 512 };

/* Baseline to baseline. */
enum { CM_PLOT_LABEL_LINE = 13, CM_PLOT_LABEL_CROSSES = 4 };

/* A shape in a plot: a rectangle, rotated. */
typedef struct cm_plot_label_shape {
    double x, y;          /* its middle */
    double cosine, sine;  /* of its angle */
    double along, across; /* half of its lengths */
    int weight;           /* the penalty of a text across it */
} cm_plot_label_shape;

typedef struct cm_plot_labels {
    double left, top, right, bottom; /* the space for texts */
    size_t count;
    cm_plot_label_shape shapes[CM_PLOT_LABEL_MOST]; /* texts may overlap those from here on */
} cm_plot_labels;

/* A text of `width` pixels that begins, or ends, at x and y of its baseline and rises by so many degrees. */
typedef struct cm_plot_label {
    double x, y, width, degrees;
    cm_svg_anchor anchor; /* CM_SVG_START or CM_SVG_END */
    int penalty;          /* the penalty of the place itself; a text across a line adds CM_PLOT_LABEL_CROSSES */
} cm_plot_label;

/* The best place offered so far. Begin with {0}. */
typedef struct cm_plot_label_choice {
    cm_plot_label label;
    bool any;
    int cost; /* its penalty */
} cm_plot_label_choice;

CM_SHARED void cm_plot_labels_add_line(cm_plot_labels *labels, double x1, double y1, double x2, double y2);
CM_SHARED void cm_plot_labels_add_mark(cm_plot_labels *labels, double x, double y);

/* Offers a place, those of the least penalty first. Whether no later one can be better, so that none is needed. */
CM_SHARED bool cm_plot_labels_offer(const cm_plot_labels *labels, const cm_plot_label *label,
                                    cm_plot_label_choice *best);
/* The best one is taken: nothing else is to stand there. */
CM_SHARED const cm_plot_label *cm_plot_labels_take(cm_plot_labels *labels, const cm_plot_label_choice *best);

#endif
