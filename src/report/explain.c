/* `explain`: finds what was asked for, and writes it as text or JSON. */
#include "report/explain.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "report/page.h"
#include "report/report.h"
#include "core/json_writer.h"
#include "core/json_value.h"
#include "discovery/results.h"

/* What was found, which is of metrics or of events. */
typedef struct answer {
    json_t *found;
    bool metric;
} answer;

static cm_status put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    const answer *what = content;
    json_t *document =
        json_pack("{s:s, s:O}", "schema", "catmint.explain/1", what->metric ? "metrics" : "events", what->found);
    bool written = document != NULL && cm_json_write(document, stream);
    json_decref(document);
    return written ? CM_OK : cm_error_no_memory(error);
}

static cm_status put_text(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    const answer *what = content;
    bool short_of_memory;
    const cm_page page = cm_page_make(style, stream, &short_of_memory);
    size_t i;
    json_t *one;
    json_array_foreach(what->found, i, one)
    {
        if (i > 0)
            fputc('\n', stream);
        (what->metric ? cm_explain_put_metric : cm_explain_put_event)(one, &page);
    }
    return short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

cm_status cm_results_explain(const cm_results *results, const cm_question *question, const cm_style *style,
                             FILE *stream, cm_error *error)
{
    answer what = {.metric = question->metric};
    cm_status status = cm_explain_find(results, question, &what.found, error);
    if (status == CM_OK)
        status = cm_report_write(
            &(cm_report){"the explanation", &what, {[CM_FORMAT_TABLE] = put_text, [CM_FORMAT_JSON] = put_json}}, style,
            stream, error);
    json_decref(what.found);
    return status;
}
