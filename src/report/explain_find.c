/* Finds the events and metrics that `explain` is asked for. */
#include "report/report.h"

static const char preset[] = "PAPI_";

/* Whether the name is a preset, which names a metric in every benchmark. */
static bool is_preset(const char *name)
{
    return strncmp(name, preset, strlen(preset)) == 0;
}

void cm_explanations_clear(cm_explanations *found)
{
    cm_arena_clear(&found->arena);
    CM_FREE(found->events, found->metrics, found->is_metric);
    *found = (cm_explanations){0};
}

/* Enlarges a list, and the list of kinds, by one element; NULL if memory runs out. */
static void *grow_list(cm_explanations *found, void *list, size_t count, size_t size)
{
    return CM_GROW_BY_ONE(found->is_metric, found->count) ? cm_grow_by_one(list, count, size) : NULL;
}

/* Keeps a copy with the fields of its document only, so that text and JSON say the same. */
static cm_status keep_explained(const cm_fields *fields, const cm_filler *filler, const void *explained,
                                cm_explanations *found, void *kept, size_t *count, cm_error *error)
{
    cm_status status = filler->short_of_memory ? cm_error_no_memory(error)
                                               : cm_fields_copy(fields, explained, &found->arena, kept, error);
    found->is_metric[found->count] = fields == &cm_explained_metric_fields;
    found->count += status == CM_OK;
    *count += status == CM_OK;
    return status;
}

/* Adds one metric of a benchmark. */
static cm_status explain_metric(const cm_benchmark_result *result, size_t metric, const cm_symbol_words *words,
                                cm_explanations *found, cm_error *error)
{
    cm_arena arena = {0};
    cm_filler filler = {.arena = &arena};
    cm_explained_metric explained, *grown = grow_list(found, found->metrics, found->metric_count, sizeof explained);
    if (grown == NULL)
        return cm_error_no_memory(error);
    found->metrics = grown;
    cm_explain_metric(result, metric, words, &filler, &explained);
    cm_status status = keep_explained(&cm_explained_metric_fields, &filler, &explained, found,
                                      &grown[found->metric_count], &found->metric_count, error);
    cm_arena_clear(&arena);
    return status;
}

static cm_status explain_metrics(const cm_benchmark_result *result, const char *metric, const cm_symbol_words *words,
                                 cm_explanations *found, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < result->signatures->metric_count && status == CM_OK; i++)
        if (cm_metric_is_called(result->signatures->metrics[i].metric, result->signatures->metrics[i].preset, metric))
            status = explain_metric(result, i, words, found, error);
    return status;
}

static bool is_metric(const cm_results *results, const char *name)
{
    for (size_t b = 0; b < results->benchmark_count; b++) {
        const cm_signatures *signatures = results->benchmarks[b]->signatures;
        for (size_t i = 0; i < signatures->metric_count; i++)
            if (cm_metric_is_called(signatures->metrics[i].metric, signatures->metrics[i].preset, name))
                return true;
    }
    return false;
}

/* Loads descriptions of symbols; NULL if the data in use have none. */
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

/* Adds the event as one benchmark explains it. */
static cm_status explain_event(const cm_benchmark_result *result, const char *event,
                               const cm_event_components *components, const cm_symbol_words *words,
                               cm_explanations *found, cm_error *error)
{
    size_t index = SIZE_MAX;
    cm_arena arena = {0};
    cm_filler filler = {.arena = &arena};
    cm_explained_event explained, *grown = NULL;
    cm_status status = cm_event_find(result->analysis, event, components, &index, error);
    if (status != CM_OK || index == SIZE_MAX)
        return status;
    grown = grow_list(found, found->events, found->event_count, sizeof explained);
    if (grown == NULL)
        return cm_error_no_memory(error);
    found->events = grown;
    status = cm_explain_event(result, index, words, &filler, &explained, error);
    CM_THEN(status, keep_explained(&cm_explained_event_fields, &filler, &explained, found, &grown[found->event_count],
                                   &found->event_count, error));
    cm_arena_clear(&arena);
    return status;
}

/* Offers a preset also for a name that lacks its prefix. */
static void offer_preset(const char *name, cm_near *near)
{
    cm_near_offer(near, name);
    if (is_preset(name) && strcasecmp(name + strlen(preset), near->wanted) == 0) {
        snprintf(near->name, sizeof near->name, "%s", name);
        near->distance = 0;
    }
}

static void offer_names(const cm_benchmark_result *result, bool metric, cm_near *near)
{
    for (size_t i = 0; i < result->signatures->metric_count; i++) {
        if (metric)
            cm_near_offer(near, result->signatures->metrics[i].metric);
        offer_preset(result->signatures->metrics[i].preset, near);
    }
    for (size_t i = 0; !metric && i < cm_analysis_event_count(result->analysis); i++)
        cm_near_offer(near, cm_analysis_event(result->analysis, i).event);
}

/* The error for a name that the results lack: it is of the other kind, was not counted, or is unknown. */
static cm_status describe_lack(const cm_results *results, const char *name, bool metric, cm_error *error)
{
    if (!metric && is_metric(results, name))
        return CM_FAIL(error, CM_BAD_INPUT, "'%s' is a metric, not an event; --metric '%s' explains it", name, name);
    for (size_t i = 0; i < results->unavailable_count && !metric; i++) {
        const cm_unavailable_event *event = &results->unavailable[i];
        const cm_event_components component = {component_of_unavailable, (void *)(uintptr_t)event};
        if (cm_event_match_name(event->event, name, &component) != CM_EVENT_OTHER)
            return CM_FAIL(error, CM_BAD_INPUT, "event '%s' could not be counted: %s", name, event->reason);
    }
    cm_near near = {.wanted = name};
    for (size_t i = 0; i < results->benchmark_count; i++)
        offer_names(results->benchmarks[i], metric, &near);
    char offered[CM_NEAR_TEXT];
    return CM_FAIL(error, CM_BAD_INPUT, "there is no %s '%s' in these results%s", metric ? "metric" : "event", name,
                   cm_near_text(&near, offered));
}

/* Explains one name in every benchmark; an error if none has it. */
static cm_status explain_one(const cm_results *results, const char *name, bool asked_metric,
                             const cm_symbol_words *words, const cm_event_components *components,
                             cm_explanations *found, cm_error *error)
{
    const bool metric = asked_metric || is_preset(name);
    size_t before = found->count;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < results->benchmark_count; i++)
        status = metric ? explain_metrics(results->benchmarks[i], name, words, found, error)
                        : explain_event(results->benchmarks[i], name, components, words, found, error);
    return status == CM_OK && found->count == before ? describe_lack(results, name, metric, error) : status;
}

static bool names_component(const cm_explain_question *question)
{
    bool named = cm_component_is_named(question->name);
    for (size_t i = 0; i < question->more_count; i++)
        named = named || cm_component_is_named(question->more[i]);
    return named && !question->metric;
}

cm_status cm_explain_find(const cm_results *results, const cm_explain_question *question, cm_explanations *found,
                          cm_error *error)
{
    cm_symbol_words *words = NULL;
    cm_component_list *list = NULL;
    cm_status status = load_words(&words, error);
    if (status == CM_OK && names_component(question) && results->events_file != NULL)
        status = cm_component_list_load(results->events_file, &list, error);
    const cm_event_components components = cm_component_list_events(list);
    CM_THEN(status, explain_one(results, question->name, question->metric, words, &components, found, error));
    for (size_t i = 0; status == CM_OK && i < question->more_count; i++)
        status = explain_one(results, question->more[i], question->metric, words, &components, found, error);
    cm_component_list_free(list);
    cm_symbol_words_free(words);
    return status;
}
