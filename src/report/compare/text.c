/* Differences for people at a terminal, as diff shows them, and for programs. */
#include "report/compare/compare.h"

static void write_side(const cm_page *page, cm_mark mark, const char *sign, const char *text)
{
    cm_page_mark(page, mark);
    fprintf(page->stream, "    %s ", sign);
    cm_text_write(text != NULL ? text : "not there", page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
}

static void write_name(const cm_page *page, cm_mark mark, const char *sign, const cm_results_view *view)
{
    cm_page_mark(page, mark);
    fprintf(page->stream, "%s ", sign);
    cm_text_write(view->name, page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
}

static void write_heading(const cm_page *page, const char *text)
{
    cm_page_mark(page, CM_MARK_BOLD);
    cm_text_write(text, page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
}

/* The subject on a line, and below it both sides, marked as diff marks them. */
static void write_difference(const cm_page *page, const cm_difference *difference)
{
    fprintf(page->stream, "  %s", difference->subject);
    if (difference->name != NULL) {
        fputc(' ', page->stream);
        cm_text_write(difference->name, page->stream);
    }
    fputc('\n', page->stream);
    write_side(page, CM_MARK_BAD, "-", difference->before);
    write_side(page, CM_MARK_GOOD, "+", difference->after);
}

static bool is_of_another(const cm_difference *difference, const cm_difference *before)
{
    const char *benchmark = difference->benchmark, *last = before != NULL ? before->benchmark : NULL;
    if (benchmark == NULL)
        return before == NULL || last != NULL;
    return last == NULL || strcmp(benchmark, last) != 0;
}

/* Writes the differences, under a heading for each benchmark. */
static void write_text(const void *content, const cm_page *page)
{
    const cm_comparison *text = content;
    if (text->differences->count == 0)
        return;
    write_name(page, CM_MARK_BAD, "---", text->before);
    write_name(page, CM_MARK_GOOD, "+++", text->after);
    for (size_t i = 0; i < text->differences->count; i++) {
        const cm_difference *difference = &text->differences->list[i];
        if (is_of_another(difference, i > 0 ? difference - 1 : NULL))
            write_heading(page, difference->benchmark != NULL ? difference->benchmark : "all benchmarks");
        write_difference(page, difference);
    }
}

static json_t *text_json(const char *text)
{
    return text != NULL ? cm_json_text(text) : json_null();
}

/* The document catmint.diff/1. */
static json_t *comparison_json(const void *content)
{
    const cm_comparison *comparison = content;
    const cm_differences *differences = comparison->differences;
    json_t *array = json_array();
    for (size_t i = 0; i < differences->count && array != NULL; i++) {
        const cm_difference *one = &differences->list[i];
        json_t *json =
            json_pack("{s:o, s:s, s:o, s:o, s:o}", "benchmark", text_json(one->benchmark), "subject", one->subject,
                      "name", text_json(one->name), "before", text_json(one->before), "after", text_json(one->after));
        array = cm_json_append(array, json);
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "schema", "catmint.diff/1", "before", text_json(comparison->before->name),
                     "after", text_json(comparison->after->name), "differences", array);
}

cm_status cm_results_views_write_difference(const cm_results_view *before, const cm_results_view *after,
                                            const cm_output_style *style, FILE *stream, bool *different,
                                            cm_error *error)
{
    cm_differences *differences = NULL;
    cm_status status = cm_differences_create(before, after, &differences, error);
    if (status != CM_OK)
        return status;
    const cm_comparison comparison = {before, after, differences};
    static const cm_report report = {"the comparison", comparison_json, .page = write_text};
    status = cm_report_write(&report, &comparison, style, stream, error);
    if (status == CM_OK && different != NULL)
        *different = differences->count > 0;
    cm_differences_free(differences);
    return status;
}
