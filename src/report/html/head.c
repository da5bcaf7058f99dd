/* The head of the page, and the tools that its script brings to life. */
#include <catmint/version.h>

#include "page_css.h"
#include "report/html/html.h"

/* The title of the window: the document's own, and the names of the results. */
static void write_title(const cm_html *html)
{
    cm_html_write(html, "<title>catmint: ");
    if (html->title != NULL)
        cm_markup_write(html->title, html->stream);
    for (size_t i = 0; i < html->view_count; i++) {
        cm_html_write(html, i > 0 ? " and " : "");
        cm_markup_write(html->views[i]->name, html->stream);
    }
    cm_html_write(html, "</title>\n");
}

/* The field to search and the choice of a status, hidden until the script shows them. */
static void write_tools(const cm_html *html)
{
    cm_html_write(html,
                  "<div class=\"tools\" role=\"search\" hidden>\n<label for=\"search\">Event or metric</label>"
                  "<input id=\"search\" type=\"search\" placeholder=\"Event or metric\" autocomplete=\"off\" "
                  "spellcheck=\"false\">\n"
                  "<label for=\"status\">Status</label><select id=\"status\"><option value=\"\">any status</option>");
    for (int i = CM_VIEW_STATUSES - 1; i >= 0; i--)
        fprintf(html->stream, "<option>%s</option>", cm_event_status_text((cm_event_status)i));
    cm_html_write(html, "</select>\n<span id=\"found\" aria-live=\"polite\" class=\"dim\"></span>\n</div>\n");
}

void cm_html_head(const cm_html *html)
{
    cm_html_write(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    cm_html_write(html, "<meta name=\"generator\" content=\"catmint " CATMINT_VERSION "\">\n");
    /* The browser may load nothing. */
    cm_html_write(html, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                        "'unsafe-inline'; script-src 'unsafe-inline'\">\n");
    write_title(html);
    cm_html_write(html, "<style>\n");
    cm_html_write(html, page_css);
    cm_html_write(html, cm_plots_style);
    cm_html_write(html, "</style>\n</head>\n<body>\n");
    if (html->title == NULL)
        write_tools(html);
}
