/* `explain`: finds what was asked for, and writes it as text or JSON. */
#include "report/explain.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/data_path.h>

#include "core/error.h"
#include "report/page.h"
#include "report/report.h"
#include "discovery/event_match.h"
#include "events/component.h"
#include "core/json_writer.h"
#include "core/json_value.h"
#include "discovery/results.h"

static json_t *explain_metrics(const cm_benchmark_result *result, const char *metric, const cm_symbol_words *words,
                               json_t *array)
{
    for (size_t i = 0; i < result->signatures->metric_count && array != NULL; i++)
        if (strcmp(result->signatures->metrics[i].metric, metric) == 0)
            array = cm_json_append(array, cm_explain_metric(result, i, words));
    return array;
}

/* NULL where the data that are used have none. */
static cm_status load_words(cm_symbol_words **words, cm_error *error)
{
    char *path = NULL;
    cm_status status = cm_data_path("bases/symbols.csv", &path, NULL);
    if (status == CM_OK)
        status = cm_symbol_words_load(path, words, error);
    else
        status = status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
    free(path);
    return status;
}

static const char *component_of_unavailable(const char *event, void *data)
{
    (void)event;
    const cm_unavailable_event *unavailable = data;
    return unavailable->component[0] != '\0' ? unavailable->component : NULL;
}

/* Adds the event of one benchmark; *array becomes NULL where memory is short. */
static cm_status explain_event(const cm_benchmark_result *result, const char *event,
                               const cm_event_components *components, const cm_symbol_words *words, json_t **array,
                               cm_error *error)
{
    size_t index = SIZE_MAX;
    cm_status status = cm_event_find(result->analysis, event, components, &index, error);
    if (status == CM_OK && index != SIZE_MAX)
        *array = cm_json_append(*array, cm_explain_event(result, index, words));
    return status;
}

static cm_status say_nothing_is_there(const cm_results *results, const cm_question *question, cm_error *error)
{
    for (size_t i = 0; i < results->unavailable_count && !question->metric; i++) {
        const cm_unavailable_event *event = &results->unavailable[i];
        const cm_event_components component = {component_of_unavailable, (void *)(uintptr_t)event};
        if (cm_event_match_name(event->event, question->name, &component) != CM_EVENT_OTHER)
            return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "event '%s' could not be counted: %s", question->name,
                                event->reason);
    }
    return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "there is no %s '%s' in these results",
                        question->metric ? "metric" : "event", question->name);
}

/* What was asked for, in every benchmark that has it. */
static cm_status find(const cm_results *results, const cm_question *question, json_t **found, cm_error *error)
{
    cm_symbol_words *words = NULL;
    cm_component_list *list = NULL;
    cm_status status = load_words(&words, error);
    if (status == CM_OK && !question->metric && cm_component_is_named(question->name) && results->events_file != NULL)
        status = cm_component_list_load(results->events_file, &list, error);
    const cm_event_components components = cm_component_list_events(list);
    json_t *array = json_array();
    for (size_t i = 0; status == CM_OK && i < results->benchmark_count && array != NULL; i++) {
        if (question->metric)
            array = explain_metrics(results->benchmarks[i], question->name, words, array);
        else
            status = explain_event(results->benchmarks[i], question->name, &components, words, &array, error);
    }
    cm_component_list_free(list);
    cm_symbol_words_free(words);
    if (status == CM_OK && array == NULL)
        return cm_error_no_memory(error);
    if (status == CM_OK && json_array_size(array) == 0)
        status = say_nothing_is_there(results, question, error);
    if (status == CM_OK)
        *found = array;
    else
        json_decref(array);
    return status;
}

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
    cm_status status = find(results, question, &what.found, error);
    if (status == CM_OK)
        status = cm_report_write(
            &(cm_report){"the explanation", &what, {[CM_FORMAT_TABLE] = put_text, [CM_FORMAT_JSON] = put_json}}, style,
            stream, error);
    json_decref(what.found);
    return status;
}
