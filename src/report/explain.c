/* `explain`: finds what was asked for, and writes it as text or JSON. */
#include "report/explain.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json_build.h"
#include "report/page.h"
#include "report/report.h"
#include "core/json_writer.h"
#include "core/json_value.h"
#include "discovery/results.h"

static bool is_metric(const json_t *one)
{
    return json_object_get(one, "metric") != NULL;
}

/* Those that are metrics, or those that are events; NULL without memory. */
static json_t *of_kind(const json_t *found, bool metric)
{
    json_t *array = json_array(), *one;
    size_t i;
    json_array_foreach(found, i, one) if (is_metric(one) == metric) array = cm_json_append(array, json_incref(one));
    return array;
}

/* One member a kind that was found. */
static cm_status put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    json_t *document = json_pack("{s:s}", "schema", "catmint.explain/1");
    for (int metric = 0; metric <= 1; metric++) {
        json_t *array = of_kind(content, metric == 1);
        if (array == NULL || json_array_size(array) > 0)
            document = cm_json_set(document, metric == 1 ? "metrics" : "events", array);
        else
            json_decref(array);
    }
    return cm_json_print(document, stream, error);
}

static cm_status put_text(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    bool short_of_memory;
    const cm_page page = cm_page_make(style, stream, &short_of_memory);
    size_t i;
    json_t *one;
    json_array_foreach((const json_t *)content, i, one)
    {
        if (i > 0)
            fputc('\n', stream);
        (is_metric(one) ? cm_explain_put_metric : cm_explain_put_event)(one, &page);
    }
    return short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

cm_status cm_results_explain(const cm_results *results, const cm_question *question, const cm_style *style,
                             FILE *stream, cm_error *error)
{
    json_t *found = NULL;
    cm_status status = cm_explain_find(results, question, &found, error);
    if (status == CM_OK)
        status = cm_report_write(
            &(cm_report){"the explanation", found, {[CM_FORMAT_TABLE] = put_text, [CM_FORMAT_JSON] = put_json}}, style,
            stream, error);
    json_decref(found);
    return status;
}
