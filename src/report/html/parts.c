#include "report/html/html.h"

void cm_html_write(const cm_html *html, const char *text)
{
    fputs(text, html->stream);
}

void cm_html_cell(const cm_html *html, const char *class, const char *text)
{
    fprintf(html->stream, class != NULL ? "<td class=\"%s\">" : "<td>", class);
    cm_markup_write(text, html->stream);
    cm_html_write(html, "</td>");
}

void cm_html_figure(const cm_html *html, double value)
{
    char text[CM_NUMBER_SIZE];
    cm_html_write(html, isnan(value) ? "unknown" : cm_figure_text(value, text));
}

void cm_html_percent(const cm_html *html, double share)
{
    char text[CM_NUMBER_SIZE];
    cm_html_write(html, isnan(share) ? "unknown" : cm_percent_text(share, text));
}

void cm_html_number(const cm_html *html, double value)
{
    char text[CM_NUMBER_SIZE];
    if (isfinite(value))
        fprintf(html->stream, "%s%s", value < 0.0 ? "\xE2\x88\x92" : "", cm_coefficient_text(fabs(value), text));
    else
        cm_html_write(html, isnan(value) ? "unknown" : "no limit");
}

void cm_html_begin_fact(const cm_html *html, const char *name)
{
    cm_html_write(html, "<dt>");
    cm_markup_write(name, html->stream);
    cm_html_write(html, "</dt><dd>");
}

void cm_html_end_fact(const cm_html *html)
{
    cm_html_write(html, "</dd>\n");
}

/* Begins an element that scrolls: the keyboard must reach it, so that it needs a name. */
static void begin_scroll(const cm_html *html, const char *label)
{
    cm_html_write(html, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
    cm_markup_write(label, html->stream);
    cm_html_write(html, "\">\n");
}

void cm_html_begin_plot(const cm_html *html, const char *label)
{
    cm_html_write(html, "<figure>");
    begin_scroll(html, label);
}

void cm_html_end_plot(const cm_html *html, const char *caption)
{
    cm_html_write(html, "</div><figcaption>");
    cm_html_write(html, caption);
    cm_html_write(html, "</figcaption></figure>\n");
}

void cm_html_begin_table(const cm_html *html, const char *label, const char *const *columns, size_t count)
{
    begin_scroll(html, label);
    cm_html_write(html, "<table><thead><tr>");
    for (size_t i = 0; i < count; i++) {
        cm_html_write(html, "<th scope=\"col\">");
        cm_markup_write(columns[i], html->stream);
        cm_html_write(html, "</th>");
    }
    cm_html_write(html, "</tr></thead><tbody>\n");
}

void cm_html_end_table(const cm_html *html)
{
    cm_html_write(html, "</tbody></table></div>\n");
}

void cm_html_ranges(const cm_html *html, const cm_defined_metric *defined, size_t width, const char *before,
                    const char *after)
{
    char *text = cm_ranges_text(defined->ranges, defined->range_count, defined->range_share, width, NULL);
    if (text == NULL)
        return;
    cm_html_write(html, before);
    cm_markup_write(text, html->stream);
    cm_html_write(html, after);
    free(text);
}

size_t cm_html_held(const cm_view_metric *metric)
{
    const cm_defined_trial *trial = metric->defined->programs;
    return trial != NULL && trial->failed < trial->programs ? trial->programs - trial->failed : 0;
}

/* The verdict, such as "composable", and its CSS class. */
static const char *text_of_verdict(const cm_view_metric *metric)
{
    if (!metric->defined->measurable)
        return "not measurable here";
    if (metric->defined->verdict == CM_METRIC_REFUTED)
        return "refuted";
    return metric->defined->composable ? "composable" : metric->defined->usable ? "in a range" : "not composable";
}

static const char *class_of_verdict(const cm_view_metric *metric)
{
    return !metric->defined->measurable ? "none" : metric->defined->usable ? "good" : "bad";
}

void cm_html_badge(const cm_html *html, const cm_view_metric *metric)
{
    fprintf(html->stream, "<span class=\"badge %s\">%s</span>", class_of_verdict(metric), text_of_verdict(metric));
}
