/* Events that could not be counted, and why. */
#include "report/html/html.h"

enum { MOST_OF_A_REASON = 200 };

/* The end of the pairs with the reason of the pair at `first`; pairs are sorted by reason. */
static size_t end_of(const cm_results_view *view, size_t first)
{
    size_t end = first;
    while (end < view->definitions->unavailable_count &&
           strcmp(view->definitions->unavailable[end].reason, view->definitions->unavailable[first].reason) == 0)
        end++;
    return end;
}

/* Writes the events from `first` to before `end`, which share a reason. */
static void write_reason(const cm_html *html, const cm_results_view *view, size_t first, size_t end)
{
    size_t shown = end - first < MOST_OF_A_REASON ? end - first : MOST_OF_A_REASON;
    fprintf(html->stream, "<details><summary>%zu event%s: ", end - first, end - first == 1 ? "" : "s");
    cm_markup_write(view->definitions->unavailable[first].reason, html->stream);
    cm_html_write(html, "</summary><p class=\"name\">");
    for (size_t i = first; i < first + shown; i++) {
        cm_html_write(html, i > first ? ", " : "");
        cm_markup_write_name(view->definitions->unavailable[i].event, html->stream);
    }
    if (first + shown < end)
        fprintf(html->stream, " and %zu more", end - first - shown);
    cm_html_write(html, "</p></details>\n");
}

/* Writes the obstacles and disturbances that the machine has. */
static void write_findings(const cm_html *html, const cm_definitions *definitions)
{
    if (definitions->finding_count == 0)
        return;
    cm_html_write(html, "<h3>Obstacles and disturbances</h3>\n<ul>\n");
    for (size_t i = 0; i < definitions->finding_count; i++) {
        cm_html_write(html, "<li>");
        cm_markup_write(definitions->findings[i].text, html->stream);
        if (definitions->findings[i].advice[0] != '\0') {
            cm_html_write(html, " <span class=\"dim\">");
            cm_markup_write(definitions->findings[i].advice, html->stream);
            cm_html_write(html, "</span>");
        }
        cm_html_write(html, "</li>\n");
    }
    cm_html_write(html, "</ul>\n");
}

bool cm_html_has_unavailable(const cm_results_view *view)
{
    return view->definitions->unavailable_count + view->definitions->finding_count > 0;
}

void cm_html_unavailable(const cm_html *html, size_t number)
{
    const cm_results_view *view = html->views[number];
    if (!cm_html_has_unavailable(view))
        return;
    fprintf(html->stream,
            "<section id=\"unavailable-%zu\">\n<h2>Events that could not be counted</h2>\n<div class=\"panel\">\n",
            number);
    for (size_t first = 0, end; first < view->definitions->unavailable_count; first = end) {
        end = end_of(view, first);
        write_reason(html, view, first, end);
    }
    write_findings(html, view->definitions);
    cm_html_write(html, "</div></section>\n");
}
