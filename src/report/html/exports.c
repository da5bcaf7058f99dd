/* A definition in other programs' formats, to be copied. */
#include "report/html/html.h"

static const struct {
    const char *format, *title;
} titles[] = {{"papi", "PAPI (preset)"}, {"papi-user", "PAPI (user event)"}, {"likwid", "LIKWID"}, {"perf", "perf"}};

static const char *title_of(const char *format)
{
    const size_t i = CM_FIND_BY(format, format, titles, CM_COUNT_OF(titles));
    return i < CM_COUNT_OF(titles) ? titles[i].title : format;
}

static void write_text(const cm_html *html, const char *id, const char *format, const char *text)
{
    fprintf(html->stream,
            "<p class=\"copy\"><strong>%s</strong> <button type=\"button\" data-copy=\"%s\" hidden>Copy for %s</button>"
            "</p>\n<pre id=\"%s\" tabindex=\"0\" role=\"group\" aria-label=\"Definition for %s\">",
            title_of(format), id, title_of(format), id, title_of(format));
    cm_markup_write_lines(text, html->stream);
    cm_html_write(html, "</pre>\n");
}

/* Whether the format is shown: a user event only if there is no preset. */
static bool is_needed(const cm_view_metric *metric, size_t format)
{
    return strcmp(cm_view_exports[format], "papi-user") != 0 || metric->exports[0] == NULL;
}

void cm_html_exports(const cm_html *html, const cm_html_part *part, size_t number)
{
    const cm_view_metric *metric = &part->benchmark->metrics[number];
    if (!metric->defined->usable)
        return;
    cm_html_write(html, "<details class=\"exports\"><summary>Use it with PAPI, LIKWID or perf</summary>\n");
    for (size_t i = 0; i < CM_VIEW_EXPORTS; i++) {
        char id[96];
        snprintf(id, sizeof id, "copy-%zu-%zu-%zu-%s", part->view, part->number, number, cm_view_exports[i]);
        if (metric->exports[i] != NULL && is_needed(metric, i))
            write_text(html, id, cm_view_exports[i], metric->exports[i]);
        if (metric->exports[i] == NULL && metric->refusals[i] != NULL && is_needed(metric, i)) {
            fprintf(html->stream, "<p class=\"dim\">%s: ", title_of(cm_view_exports[i]));
            cm_markup_write(metric->refusals[i], html->stream);
            cm_html_write(html, ".</p>\n");
        }
    }
    for (size_t i = 0; i < CM_VIEW_EXPORTS; i++)
        if (metric->exports[i] != NULL && strstr(metric->exports[i], "CPU," CM_VIEW_UNNAMED_PMU "\n") != NULL) {
            cm_html_write(html, "<p class=\"dim\">Put libpfm4's name of the processor's PMU in the place of "
                                "<code>CPU," CM_VIEW_UNNAMED_PMU "</code>, such as <code>CPU,skx</code>.</p>\n");
            break;
        }
    cm_html_write(html, "</details>\n");
}
