/* Names of events that are named by their codes, as far as a table has them. */
#include "result/result.h"

json_t *cm_code_names_of(const cm_benchmark_result *result, const char *event)
{
    return json_object_get(result->code_names, event);
}

json_t *cm_code_names_create(const cm_benchmark_result *result)
{
    json_t *object = json_object();
    for (size_t i = 0; result->code_names != NULL && i < cm_analysis_event_count(result->analysis); i++) {
        const cm_event_analysis event = cm_analysis_event(result->analysis, i);
        json_t *names = cm_code_names_of(result, event.event);
        if (names != NULL && (event.status == CM_EVENT_SELECTED || event.status == CM_EVENT_DEPENDENT))
            object = cm_json_set(object, event.event, json_incref(names));
    }
    return object;
}

char *cm_code_names_text(const json_t *names)
{
    char *text = NULL;
    size_t size = 0, index;
    json_t *name;
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return NULL;
    json_array_foreach((json_t *)names, index, name)
        fprintf(stream, "%s%s", index > 0 ? ", " : "", json_string_value(name));
    return cm_memory_text(stream, &text);
}
