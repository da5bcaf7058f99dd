/* A hybrid processor's definitions, side by side for its types of cores. */
#include "report/html/html.h"

enum { MOST_DIFFERENT = 50 };

/* The cell of one type of cores: the definition's terms, one below the other. */
static void write_core_definition(const cm_html *html, const cm_on_core *defined, const cm_core_type *core)
{
    cm_html_write(html, "<td class=\"name\">");
    if (defined == NULL)
        cm_html_write(html, "<span class=\"dim\">no definition</span>");
    for (size_t i = 0; defined != NULL && i < defined->term_count; i++) {
        cm_html_write(html, i > 0 ? "<br>" : "");
        cm_html_number(html, defined->terms[i].coefficient);
        cm_html_write(html, " × ");
        cm_markup_write(cm_core_bare(core, defined->terms[i].event), html->stream);
    }
    cm_html_write(html, "</td>");
}

/* A metric with its definition on each type of cores, and whether these are the same. */
static void write_metric_on_cores(const cm_html *html, const cm_results_view *view, const cm_by_core *row)
{
    cm_html_write(html, "<tr>");
    cm_html_cell(html, "metric", row->name);
    cm_html_cell(html, NULL, row->benchmark);
    for (size_t i = 0; i < cm_definitions_core_count(view->definitions); i++) {
        const cm_core_type *core = cm_definitions_core(view->definitions, i);
        write_core_definition(html, cm_core_definition(row, core->name), core);
    }
    cm_html_cell(html, NULL, row->same ? "the same on all cores" : "not the same on all cores");
    cm_html_write(html, "</tr>\n");
}

/* A column for each type of cores, a row for each metric that is defined on one of them. */
static void write_cores_table(const cm_html *html, const cm_results_view *view)
{
    const char *columns[3 + CM_CORE_TYPES] = {"Metric", "Benchmark"};
    size_t types = cm_definitions_core_count(view->definitions);
    for (size_t i = 0; i < types; i++)
        columns[2 + i] = cm_definitions_core(view->definitions, i)->name;
    columns[2 + types] = "Cores";
    cm_html_begin_table(html, "Definitions by type of cores", columns, 3 + types);
    for (size_t i = 0; i < view->definitions->by_core_count; i++)
        if (cm_is_defined_on_a_core(&view->definitions->by_core[i]))
            write_metric_on_cores(html, view, &view->definitions->by_core[i]);
    cm_html_end_table(html);
}

/* The events that share a name but not their counts; nothing if there are none. */
static void write_different(const cm_html *html, const cm_results_view *view)
{
    if (view->definitions->different_count == 0)
        return;
    cm_html_write(html, "<p>Not merged: events with the same name but different counts on each type of cores: ");
    for (size_t i = 0; i < view->definitions->different_count && i < MOST_DIFFERENT; i++) {
        cm_html_write(html, i > 0 ? ", " : "");
        cm_markup_write(view->definitions->different[i].name, html->stream);
    }
    if (view->definitions->different_count > MOST_DIFFERENT)
        fprintf(html->stream, " and %zu more", view->definitions->different_count - MOST_DIFFERENT);
    cm_html_write(html, ".</p>\n");
}

void cm_html_cores(const cm_html *html, size_t number)
{
    const cm_results_view *view = html->views[number];
    if (view->definitions->by_core_count == 0)
        return;
    fprintf(html->stream, "<section id=\"cores-%zu\">\n<h2>Cores side by side</h2>\n<div class=\"panel\">\n", number);
    write_cores_table(html, view);
    write_different(html, view);
    cm_html_write(html, "</div></section>\n");
}
