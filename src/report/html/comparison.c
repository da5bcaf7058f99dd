/* What differs between two results. */
#include "report/html/html.h"

enum { MOST_ROWS = 2000 };

static void put_side(const cm_html *html, const char *class, const char *text)
{
    fprintf(html->stream, "<td class=\"long %s\">", class);
    cm_markup_put(text != NULL ? text : "not there", html->stream);
    cm_html_put(html, "</td>");
}

static void put_row(const cm_html *html, const cm_difference *difference)
{
    cm_html_put(html, "<tr>");
    cm_html_cell(html, NULL, difference->benchmark != NULL ? difference->benchmark : "all");
    cm_html_put(html, "<td>");
    cm_html_put(html, difference->subject);
    cm_html_put(html, "</td>");
    cm_html_cell(html, "long", difference->name != NULL ? difference->name : "");
    put_side(html, "removed", difference->before);
    put_side(html, "added", difference->after);
    cm_html_put(html, "</tr>\n");
}

static void put_name(const cm_html *html, const char *before, const cm_view *view)
{
    cm_html_put(html, before);
    cm_html_put(html, "<strong>");
    cm_markup_put(view->name, html->stream);
    cm_html_put(html, "</strong>");
}

void cm_html_comparison(const cm_html *html)
{
    static const char *const columns[] = {"Benchmark", "What", "Name", "In the first", "In the second"};
    const cm_differences *found = html->differences;
    if (found == NULL)
        return;
    cm_html_put(html, "<section id=\"comparison\">\n<h2>What differs</h2>\n<p>");
    put_name(html, "The first results are ", html->views[0]);
    put_name(html, ", the second ", html->views[1]);
    fprintf(html->stream, ". They differ in %zu place%s. Figures that vary from run to run are not compared.</p>\n",
            found->count, found->count == 1 ? "" : "s");
    if (found->count > 0) {
        cm_html_put(html, "<div class=\"panel\">\n");
        cm_html_begin_table(html, "Differences", columns, sizeof columns / sizeof columns[0]);
        for (size_t i = 0; i < found->count && i < MOST_ROWS; i++)
            put_row(html, &found->list[i]);
        cm_html_end_table(html);
        if (found->count > MOST_ROWS)
            fprintf(html->stream, "<p class=\"dim\">%zu more: <code>catmint diff</code> lists them all.</p>\n",
                    found->count - MOST_ROWS);
        cm_html_put(html, "</div>\n");
    }
    cm_html_put(html, "</section>\n");
}
