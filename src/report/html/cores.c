/* A hybrid processor's definitions, side by side for its types of cores. */
#include "report/html/html.h"

enum { MOST_NAMES = 50 };

/* The usable definition of a row's metric on one type of cores, or NULL. */
static const cm_defined_metric *find_metric(const cm_results_view *view, const cm_by_core *row,
                                            const cm_core_type *core)
{
    for (size_t i = 0; i < cm_definitions_count(view->definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(view->definitions, i);
        if (metric->usable && strcmp(metric->core, core->name) == 0 && strcmp(metric->benchmark, row->benchmark) == 0 &&
            strcmp(metric->metric, row->name) == 0)
            return metric;
    }
    return NULL;
}

static bool is_defined(const cm_results_view *view, const cm_by_core *row)
{
    bool defined = false;
    for (size_t i = 0; i < cm_definitions_core_count(view->definitions); i++)
        defined = defined || find_metric(view, row, cm_definitions_core(view->definitions, i)) != NULL;
    return defined;
}

/* The cell of one type of cores: the definition's terms, one below the other. */
static void write_definition(const cm_html *html, const cm_defined_metric *metric, const cm_core_type *core)
{
    cm_html_write(html, "<td class=\"name\">");
    if (metric == NULL)
        cm_html_write(html, "<span class=\"dim\">no definition</span>");
    for (size_t i = 0; metric != NULL && i < metric->term_count; i++) {
        cm_html_write(html, i > 0 ? "<br>" : "");
        cm_html_number(html, metric->terms[i].coefficient);
        cm_html_write(html, " × ");
        cm_markup_write(cm_core_bare(core, metric->terms[i].event), html->stream);
    }
    cm_html_write(html, "</td>");
}

/* A metric with its definition on each type of cores, and whether these are the same. */
static void write_row(const cm_html *html, const cm_results_view *view, const cm_by_core *row)
{
    cm_html_write(html, "<tr>");
    cm_html_cell(html, "metric", row->name);
    cm_html_cell(html, NULL, row->benchmark);
    for (size_t i = 0; i < cm_definitions_core_count(view->definitions); i++) {
        const cm_core_type *core = cm_definitions_core(view->definitions, i);
        write_definition(html, find_metric(view, row, core), core);
    }
    cm_html_cell(html, NULL, row->same ? "the same on all cores" : "not the same on all cores");
    cm_html_write(html, "</tr>\n");
}

/* A column for each type of cores, a row for each metric that is defined on one of them. */
static void write_table(const cm_html *html, const cm_results_view *view)
{
    const char *columns[3 + CM_CORE_TYPES] = {"Metric", "Benchmark"};
    size_t types = cm_definitions_core_count(view->definitions);
    for (size_t i = 0; i < types; i++)
        columns[2 + i] = cm_definitions_core(view->definitions, i)->name;
    columns[2 + types] = "Cores";
    cm_html_begin_table(html, "Definitions by type of cores", columns, 3 + types);
    for (size_t i = 0; i < view->definitions->by_core_count; i++)
        if (is_defined(view, &view->definitions->by_core[i]))
            write_row(html, view, &view->definitions->by_core[i]);
    cm_html_end_table(html);
}

/* The events that share a name but not their counts; nothing if there are none. */
static void write_different(const cm_html *html, const cm_results_view *view)
{
    if (view->definitions->different_count == 0)
        return;
    cm_html_write(html, "<p>Not merged: events with the same name but different counts on each type of cores: ");
    for (size_t i = 0; i < view->definitions->different_count && i < MOST_NAMES; i++) {
        cm_html_write(html, i > 0 ? ", " : "");
        cm_markup_write(view->definitions->different[i].name, html->stream);
    }
    if (view->definitions->different_count > MOST_NAMES)
        fprintf(html->stream, " and %zu more", view->definitions->different_count - MOST_NAMES);
    cm_html_write(html, ".</p>\n");
}

void cm_html_cores(const cm_html *html, size_t number)
{
    const cm_results_view *view = html->views[number];
    if (view->definitions->by_core_count == 0)
        return;
    fprintf(html->stream, "<section id=\"cores-%zu\">\n<h2>Cores side by side</h2>\n<div class=\"panel\">\n", number);
    write_table(html, view);
    write_different(html, view);
    cm_html_write(html, "</div></section>\n");
}
