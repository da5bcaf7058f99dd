/* The parts of a page. */
#ifndef CM_REPORT_HTML_HTML_H
#define CM_REPORT_HTML_HTML_H

#include "report/compare/compare.h"
#include "report/plots/plots.h"
#include "report/view/view.h"

/* One page. */
typedef struct cm_html {
    const char *title; /* NULL: the views' names, and the page gets tools to search it */
    cm_results_view *const *views;
    size_t view_count;
    const cm_differences *differences; /* NULL: there is but one view */
    const cm_page_part *part;          /* NULL: none */
    const cm_formula_values *const *values;
    size_t value_count;
    size_t names_left; /* names of events that tables may still show */
    long bytes_left;   /* bytes that these tables may still take */
    FILE *stream;
} cm_html;

enum {
    CM_HTML_MOST_NAMES = 20000,   /* in tables of events */
    CM_HTML_MOST_BYTES = 3300000, /* in these tables: a page stays below 5 MB */
};

/* One benchmark of one view. */
typedef struct cm_html_part {
    size_t view, number;
    const cm_definitions *definitions;
    const cm_view_benchmark *benchmark;
} cm_html_part;

/* ---- parts.c ---- */

/* Opens and closes an element with a class: "<p class=\"dim\">". */
CM_SHARED void cm_html_write(const cm_html *html, const char *text);
/* <td>TEXT</td>, the text escaped. */
CM_SHARED void cm_html_cell(const cm_html *html, const char *class, const char *text);
/* A figure as in tables; "unknown" for NaN. */
void cm_html_figure(const cm_html *html, double value);
CM_SHARED void cm_html_percent(const cm_html *html, double share);
/* <dt>NAME</dt><dd>, and the end of that. */
void cm_html_begin_fact(const cm_html *html, const char *name);
void cm_html_end_fact(const cm_html *html);
/* Around an SVG element: it scrolls by itself if it is wider than the page. */
CM_SHARED void cm_html_begin_plot(const cm_html *html, const char *label);
CM_SHARED void cm_html_end_plot(const cm_html *html, const char *caption);
/* Around a table that may be wide. */
CM_SHARED void cm_html_begin_table(const cm_html *html, const char *label, const char *const *columns, size_t count);
CM_SHARED void cm_html_end_table(const cm_html *html);
/* A magnitude as coefficients are shown, with a minus if it is negative. */
void cm_html_number(const cm_html *html, double value);

/* The number of programs, not used for fitting, in which the definition is within the limit. */
size_t cm_html_held(const cm_view_metric *metric);
/* The range of a definition that does not hold everywhere, of this many columns, between two pieces of markup. */
void cm_html_ranges(const cm_html *html, const cm_defined_metric *defined, size_t width, const char *before,
                    const char *after);
void cm_html_badge(const cm_html *html, const cm_view_metric *metric);

/* ---- head.c, summary.c ---- */

CM_SHARED void cm_html_head(const cm_html *html);
void cm_html_summary(const cm_html *html, size_t view);
void cm_html_overview(const cm_html *html, size_t view);

/* ---- cores.c ---- */

/* The definitions on each type of cores, side by side. */
void cm_html_cores(const cm_html *html, size_t view);

/* ---- comparison.c ---- */

void cm_html_comparison(const cm_html *html);

/* ---- events.c ---- */

void cm_html_events(cm_html *html, const cm_html_part *part);
void cm_html_map(const cm_html *html, const cm_html_part *part);

/* ---- metric.c ---- */

void cm_html_metrics(const cm_html *html, const cm_html_part *part);
void cm_html_validation(const cm_html *html, const cm_html_part *part);

/* ---- values.c ---- */

void cm_html_values(const cm_html *html);

/* ---- exports.c ---- */

void cm_html_exports(const cm_html *html, const cm_html_part *part, size_t number);

/* ---- unavailable.c, audit.c ---- */

bool cm_html_has_unavailable(const cm_results_view *view);
void cm_html_unavailable(const cm_html *html, size_t number);
void cm_html_audits(const cm_html *html, size_t view);

#endif
