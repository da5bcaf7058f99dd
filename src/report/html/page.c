/* The whole page. */
#include <catmint/version.h>

#include "page_js.h"
#include "report/html/html.h"

/* Writes links to the sections of a view. */
static void write_links(const cm_html *html, size_t view)
{
    const cm_results_view *of = html->views[view];
    for (size_t i = 0; i < of->benchmark_count; i++) {
        fprintf(html->stream, "<a href=\"#benchmark-%zu-%zu\">", view, i);
        cm_markup_write(of->benchmarks[i].title, html->stream);
        cm_html_write(html, "</a> \n");
    }
    if (of->definitions->by_core_count > 0)
        fprintf(html->stream, "<a href=\"#cores-%zu\">Cores side by side</a> \n", view);
    if (cm_html_has_unavailable(of))
        fprintf(html->stream, "<a href=\"#unavailable-%zu\">Events that could not be counted</a> \n", view);
    if (of->audit_count > 0)
        fprintf(html->stream, "<a href=\"#audits-%zu\">Audits of formulas</a> \n", view);
    for (size_t i = 0; i < html->value_count; i++) {
        fprintf(html->stream, "<a href=\"#values-%zu\">Values of ", i);
        cm_markup_write(cm_formula_values_title(html->values[i]), html->stream);
        cm_html_write(html, "</a> \n");
    }
    if (html->part != NULL)
        html->part->write_link(html->part->content, html);
}

static void write_header(const cm_html *html)
{
    cm_html_write(html, "<header>\n<h1>");
    for (size_t i = 0; i < html->view_count; i++) {
        cm_html_write(html, i > 0 ? " and " : "Metrics and events: ");
        cm_markup_write(html->views[i]->name, html->stream);
    }
    cm_html_write(html, "</h1>\n</header>\n");
}

/* The section of one benchmark: metrics, validation, events and the map of counts. */
static void write_benchmark(cm_html *html, size_t view, size_t number)
{
    const cm_html_part part = {view, number, html->views[view]->definitions, &html->views[view]->benchmarks[number]};
    fprintf(html->stream, "<section id=\"benchmark-%zu-%zu\">\n<h2>", view, number);
    cm_markup_write(part.benchmark->title, html->stream);
    cm_html_write(html, "</h2>\n");
    cm_html_metrics(html, &part);
    cm_html_validation(html, &part);
    cm_html_events(html, &part);
    cm_html_map(html, &part);
    cm_html_write(html, "</section>\n");
}

/* Writes all sections of a view. */
static void write_view(cm_html *html, size_t view)
{
    if (html->view_count > 1) {
        cm_html_write(html, "<h2>");
        cm_markup_write(html->views[view]->name, html->stream);
        cm_html_write(html, "</h2>\n");
    }
    cm_html_summary(html, view);
    cm_html_write(html, "<nav aria-label=\"Sections of ");
    cm_markup_write(html->views[view]->name, html->stream);
    fprintf(html->stream, ", %zu of %zu\"><p>", view + 1, html->view_count);
    write_links(html, view);
    cm_html_write(html, "</p></nav>\n");
    cm_html_overview(html, view);
    cm_html_cores(html, view);
    for (size_t i = 0; i < html->views[view]->benchmark_count; i++)
        write_benchmark(html, view, i);
    cm_html_unavailable(html, view);
    cm_html_audits(html, view);
}

/* Writes the whole page. */
static cm_status write_content(void *content, FILE *stream, cm_error *error)
{
    cm_html *html = content;
    (void)error;
    html->stream = stream;
    html->names_left = CM_HTML_MOST_NAMES;
    html->bytes_left = CM_HTML_MOST_BYTES;
    cm_html_head(html);
    write_header(html);
    cm_html_write(html, "<main>\n");
    cm_html_comparison(html);
    for (size_t i = 0; i < html->view_count; i++)
        write_view(html, i);
    cm_html_values(html);
    if (html->part != NULL)
        html->part->write_sections(html->part->content, html);
    cm_html_write(html, "</main>\n");
    cm_html_write(html, "<footer><p class=\"dim\">Written by catmint " CATMINT_VERSION ".</p></footer>\n<script>\n");
    cm_html_write(html, page_js);
    cm_html_write(html, "</script>\n</body>\n</html>\n");
    return CM_OK;
}

/* Adds exports and differences to the views; *differences is NULL for one view. */
static cm_status prepare_page(cm_results_view *const *views, size_t count, const cm_page_options *options,
                              cm_differences **differences, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_page_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    if (count == 0 || count > CM_MOST_VIEWS)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "%zu results, expected one or %d", count, CM_MOST_VIEWS);
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = cm_view_fill_exports(views[i], options->cpus, options->cpu_count, error);
    if (status == CM_OK && count == CM_MOST_VIEWS)
        status = cm_differences_create(views[0], views[1], differences, error);
    return status;
}

/* Writes the page into the stream, or if that is NULL into a file. */
static cm_status put_page(cm_results_view *const *views, size_t count, const cm_page_options *options, FILE *stream,
                          const char *path, cm_error *error)
{
    cm_differences *differences = NULL;
    cm_status status = prepare_page(views, count, options, &differences, error);
    cm_html html = {.views = views,
                    .view_count = count,
                    .differences = differences,
                    .part = options->part,
                    .values = options->values,
                    .value_count = options->value_count};
    const cm_document document = {"the page", write_content, &html};
    CM_THEN(status,
            stream != NULL ? cm_document_write(&document, stream, error) : cm_document_save(&document, path, error));
    cm_differences_free(differences);
    return status;
}

cm_status cm_results_views_write_page(cm_results_view *const *views, size_t count, const cm_page_options *options,
                                      FILE *stream, cm_error *error)
{
    return put_page(views, count, options, stream, NULL, error);
}

cm_status cm_results_views_save_page(cm_results_view *const *views, size_t count, const cm_page_options *options,
                                     const char *path, cm_error *error)
{
    return put_page(views, count, options, NULL, path, error);
}
