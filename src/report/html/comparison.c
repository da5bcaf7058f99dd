/* The differences between two results. */
#include "report/html/html.h"

enum { MOST_ROWS = 2000 };

/* Writes a sum with a line for each of its terms. */
static void write_sum(const cm_html *html, const char *text)
{
    char term[256];
    for (const char *from = text; *from != '\0';) {
        size_t length = strcspn(from, " "), skipped = length;
        while (from[skipped] == ' ' && from[skipped + 1] != '+' && from[skipped + 1] != '-')
            skipped += 1 + strcspn(from + skipped + 1, " ");
        snprintf(term, sizeof term, "%.*s", (int)skipped, from);
        cm_markup_write_name(skipped < sizeof term ? term : text, html->stream);
        if (skipped >= sizeof term)
            return;
        from += skipped + (from[skipped] == ' ');
        cm_html_write(html, *from != '\0' ? " <br>" : "");
    }
}

static void write_difference_cell(const cm_html *html, const char *label, const char *class, const char *text)
{
    fprintf(html->stream, "<td class=\"%s\" data-label=\"%s\">", class, label);
    write_sum(html, text != NULL ? text : "not there");
    cm_html_write(html, "</td>");
}

static const char *const columns[] = {"Benchmark", "What", "Name", "In the first", "In the second"};

static void write_difference_row(const cm_html *html, const cm_difference *difference)
{
    cm_html_write(html, "<tr>");
    write_difference_cell(html, columns[0], "", difference->benchmark != NULL ? difference->benchmark : "all");
    write_difference_cell(html, columns[1], "", difference->subject);
    write_difference_cell(html, columns[2], "", difference->name != NULL ? difference->name : "");
    write_difference_cell(html, columns[3], "removed", difference->before);
    write_difference_cell(html, columns[4], "added", difference->after);
    cm_html_write(html, "</tr>\n");
}

static void write_name(const cm_html *html, const char *before, const cm_results_view *view)
{
    cm_html_write(html, before);
    cm_html_write(html, "<strong>");
    cm_markup_write(view->name, html->stream);
    cm_html_write(html, "</strong>");
}

static bool is_of_event(const cm_difference *difference)
{
    return strcmp(difference->subject, "event") == 0;
}

static size_t count_events(const cm_differences *found)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += is_of_event(&found->list[i]);
    return count;
}

/* Writes a table of the differences of events, or of all others; `count` is their number. */
static void write_differences_table(const cm_html *html, const char *label, bool events, size_t count)
{
    const cm_differences *found = html->differences;
    size_t shown = 0;
    cm_html_begin_table(html, label, columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < found->count && shown < MOST_ROWS; i++)
        if (is_of_event(&found->list[i]) == events) {
            write_difference_row(html, &found->list[i]);
            shown++;
        }
    cm_html_end_table(html);
    if (shown < count)
        fprintf(html->stream, "<p class=\"dim\">%zu more: <code>catmint diff</code> lists them all.</p>\n",
                count - shown);
}

/* Writes metrics first and events folded, since two processors have hundreds of their own. */
static void write_all_differences(const cm_html *html, size_t events)
{
    size_t others = html->differences->count - events;
    if (others > 0) {
        cm_html_write(html, "<div class=\"panel both\">\n");
        write_differences_table(html, "Differences", false, others);
        cm_html_write(html, "</div>\n");
    }
    if (events > 0) {
        fprintf(html->stream, "<details class=\"panel both\"%s>\n<summary>%zu event%s</summary>\n",
                others == 0 ? " open" : "", events, events == 1 ? "" : "s");
        write_differences_table(html, "Events that differ", true, events);
        cm_html_write(html, "</details>\n");
    }
}

void cm_html_comparison(const cm_html *html)
{
    const cm_differences *found = html->differences;
    if (found == NULL)
        return;
    size_t events = count_events(found);
    cm_html_write(html, "<section id=\"comparison\">\n<h2>Differences</h2>\n<p>");
    write_name(html, "The first results are ", html->views[0]);
    write_name(html, ", the second ", html->views[1]);
    fprintf(html->stream, ". They differ in %zu place%s", found->count, found->count == 1 ? "" : "s");
    if (events > 0)
        fprintf(html->stream, ", %zu of them events", events);
    cm_html_write(html, ". Figures that vary from run to run are not compared.</p>\n");
    write_all_differences(html, events);
    cm_html_write(html, "</section>\n");
}
