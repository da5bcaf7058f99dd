/* `explain`: finds events and metrics by name, and writes all that is known of them as text or JSON. */
#include "report/explain.h"

#include "core/base.h"
#include "report/report.h"

static cm_status write_json(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    return cm_fields_write(&cm_explanation_fields, content, stream, error);
}

/* Writes all explanations as text, in the order of the question. */
static cm_status write_text(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    bool short_of_memory, cut = false;
    const cm_explanations *found = content;
    cm_page page = cm_page_make(style, stream, &short_of_memory);
    page.cut = found->whole ? NULL : &cut;
    for (size_t i = 0, event = 0, metric = 0; i < found->count; i++) {
        if (i > 0)
            fputc('\n', stream);
        if (found->is_metric[i])
            cm_explain_write_metric(&found->metrics[metric++], &page);
        else
            cm_explain_write_event(&found->events[event++], &page);
    }
    if (cut)
        cm_page_labelled(&page, "More", "--verbose lists all of it");
    return short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

cm_status cm_results_explain(const cm_results *results, const cm_explain_question *question,
                             const cm_output_style *style, FILE *stream, cm_error *error)
{
    cm_explanations found = {.schema = "catmint.explain/1", .whole = question->whole};
    cm_status status = cm_explain_find(results, question, &found, error);
    if (status == CM_OK)
        status = cm_report_write(
            &(cm_report){"the explanation", &found, {[CM_FORMAT_TABLE] = write_text, [CM_FORMAT_JSON] = write_json}},
            style, stream, error);
    cm_explanations_clear(&found);
    return status;
}
