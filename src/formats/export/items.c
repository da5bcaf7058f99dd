/* Chooses the definitions to export, and names them. */
#include "formats/export/export.h"

#include "result/result.h"

/* Passes the refused definition on, and notes it. */
static void pass_refused(void *data, const cm_writing_item *item, const char *why)
{
    cm_export *export = data;
    char text[1280];
    export->summary.refused++;
    if (export->take != NULL)
        export->take(&(cm_export_piece){.metric = item->metric, .refusal = why}, export->take_data);
    if (export->options->note == NULL)
        return;
    cm_text_print(text, sizeof text, "%.200s: %s", item->metric, why);
    export->options->note(text, export->options->note_data);
}

/* Frees the members of an item. */
static void item_clear(cm_writing_item *item)
{
    cm_free_list(item->events, item->term_count);
    CM_FREE(item->terms, item->order, item->name, item->trust);
    *item = (cm_writing_item){0};
}

void cm_export_clear(cm_export *export)
{
    for (size_t i = 0; i < export->writing.count; i++)
        item_clear(&export->writing.items[i]);
    cm_known_events_free(export->known);
    export->known = NULL;
    CM_FREE(export->writing.items, export->origin);
    export->writing.items = NULL;
    export->writing.origin = export->origin = NULL;
    export->writing.count = 0;
}

/* Whether the event is perf_event's: of events with one name in several components, other programs mean that one. */
static bool is_the_cores(const cm_event_list *list, const size_t *candidates, size_t count, const char *event)
{
    static const char core[] = "perf_event";
    size_t cores = 0;
    for (size_t i = 0; i < count; i++) {
        if (cm_spelling_component(list->events[candidates[i]]) == 0)
            return false;
        cores += cm_component_begins(list->events[candidates[i]], core);
    }
    return cores == 1 && cm_component_begins(event, core);
}

/* The reason why the spelled name does not identify the event; NULL: it does. */
static const char *check_event(const cm_event_names *names, const cm_event_list *list, const char *event,
                               const char *spelled)
{
    enum { MOST = 16 };
    size_t found[MOST] = {0}, count = 0;
    switch (cm_event_names_find(names, spelled, found, MOST, &count)) {
    case CM_NAME_FOUND: return strcmp(list->events[found[0]], event) == 0 ? NULL : "is the name of another event";
    case CM_NAME_AMBIGUOUS:
        return count <= MOST && is_the_cores(list, found, count, event) ? NULL : "is the name of several events";
    case CM_NAME_UNKNOWN: break;
    }
    return "does not identify it";
}

/* Whether the event's component has names of its own, which only PAPI knows. */
static bool is_foreign(const char *event)
{
    const char *bare = cm_component_bare(event);
    bool model = cm_component_begins(event, "sde") && strstr(bare, "::") == NULL;
    return cm_component_is_named(event) && !model && !cm_component_begins(event, "perf_event");
}

/* Spells the event as the other program does; false: unknown there. Names for PAPI keep their qualifiers. */
static bool spell_known(const cm_export *export, const char *event, char *spelled)
{
    cm_event_code code; /* every processor accepts codes, listed or not */
    if (cm_event_code_parse(cm_component_bare(event), &code))
        return export->format->name_event(event, spelled, CM_WRITING_NAME_SIZE) == NULL;
    bool papi = export->format->takes_cpus;
    const char *known = papi && is_foreign(event) ? event : cm_known_events_spell(export->known, event);
    return known != NULL && export->format->name_event(papi ? event : known, spelled, CM_WRITING_NAME_SIZE) == NULL;
}

/* Whether the program cannot use a definition because its events cannot be counted together. */
static bool is_refused(const cm_export *export, cm_counted_together together)
{
    return export->format->one_set && !export->options->multiplex && together == CM_TOGETHER_NO;
}

/* Names the event, or if necessary another one that counts the same or a multiple. */
static bool name_known_event(cm_export *export, const cm_defined_term *term, cm_writing_item *item, size_t k,
                             char *spelled)
{
    if (spell_known(export, term->event, spelled))
        return true;
    for (size_t i = 0; i < term->equivalent_count; i++) {
        const cm_defined_equivalent *other = &term->equivalents[i];
        if (is_refused(export, other->together) || !spell_known(export, other->event, spelled))
            continue;
        item->terms[k] = (cm_writing_term){other->event, term->coefficient / other->factor};
        return true;
    }
    cm_writing_refuse(&export->writing, item, "event '%.200s' is not in %.200s, nor is one that counts the same",
                      term->event, cm_known_events_title(export->known));
    return false;
}

/* Another event of the results with the same name in the format; NULL: there is none. */
static const char *find_namesake(const cm_foreign_format *format, const cm_event_list *list, const char *event,
                                 const char *spelled)
{
    char other[CM_WRITING_NAME_SIZE];
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->events[i], event) != 0 && format->name_event(list->events[i], other, sizeof other) == NULL &&
            strcmp(other, spelled) == 0)
            return list->events[i];
    return NULL;
}

/* Spells an event in the format; a definition whose event has no unique name is refused. */
static bool name_event(cm_export *export, const cm_event_list *list, const cm_event_names *names,
                       const cm_writing_item *item, const char *event, char *spelled)
{
    const cm_foreign_format *format = export->format;
    const char *why = format->name_event(event, spelled, CM_WRITING_NAME_SIZE);
    if (why != NULL) {
        cm_writing_refuse(&export->writing, item, "event '%.200s' has no name in %s: %s", event, format->name, why);
        return false;
    }
    cm_event_code code; /* a code is its own description, and a socket's event has a written name */
    why = format->respells && !cm_event_code_parse(cm_component_bare(event), &code) && !cm_is_socket_event(event)
              ? check_event(names, list, event, spelled)
              : NULL;
    if (why != NULL)
        cm_writing_refuse(&export->writing, item, "event '%.200s' has no name in %s: '%.200s' %s", event, format->name,
                          spelled, why);
    const char *namesake = why == NULL && format->renames ? find_namesake(format, list, event, spelled) : NULL;
    if (namesake != NULL)
        cm_writing_refuse(&export->writing, item, "event '%.200s' would be '%.200s' in %s, and so would '%.200s'",
                          event, spelled, format->name, namesake);
    return why == NULL && namesake == NULL;
}

/* Names all events; false if the definition was refused. */
static bool name_events(cm_export *export, const cm_event_list *list, const cm_event_names *names,
                        const cm_defined_metric *metric, cm_writing_item *item, cm_status *status, cm_error *error)
{
    for (size_t k = 0; k < item->term_count; k++) {
        char spelled[CM_WRITING_NAME_SIZE];
        if (export->known != NULL && !name_known_event(export, &metric->terms[k], item, k, spelled))
            return false;
        if (export->known == NULL && !name_event(export, list, names, item, item->terms[k].event, spelled))
            return false;
        if (item->core != NULL && export->format->name_on_core != NULL)
            export->format->name_on_core(item->core->name, spelled, sizeof spelled);
        item->events[k] = strdup(spelled);
        if (item->events[k] == NULL) {
            *status = cm_error_no_memory(error);
            return false;
        }
    }
    return true;
}

/* Names the metric; false if the definition was refused. */
static bool name_metric(cm_export *export, const cm_name_index *taken, cm_writing_item *item, cm_status *status,
                        cm_error *error)
{
    const cm_foreign_format *format = export->format;
    char name[CM_WRITING_NAME_SIZE];
    size_t other = 0;
    const char *why = format->name_metric(item, name, sizeof name);
    if (why != NULL) {
        cm_writing_refuse(&export->writing, item, "%s", why);
        return false;
    }
    if (cm_name_index_find(taken, name, &other)) {
        cm_writing_refuse(&export->writing, item, "'%.200s', its name in %s, is already the name of '%.200s'", name,
                          format->name, export->writing.items[other].metric);
        return false;
    }
    item->name = strdup(name);
    if (item->name == NULL)
        *status = cm_error_no_memory(error);
    return item->name != NULL;
}

/* Whether the terms can be exported; else the definition is refused. */
static bool good_terms(cm_export *export, const cm_writing_item *item, const cm_defined_metric *metric)
{
    size_t most = export->options->max_events;
    if (most > 0 && metric->term_count > most) {
        cm_writing_refuse(&export->writing, item, "its definition has %zu events, --max-events allows %zu",
                          metric->term_count, most);
        return false;
    }
    if (metric->term_count == 0) {
        cm_writing_refuse(&export->writing, item, "its definition has no events");
        return false;
    }
    for (size_t k = 0; k < metric->term_count; k++)
        if (!isfinite(metric->terms[k].coefficient) || metric->terms[k].coefficient == 0.0) {
            cm_writing_refuse(&export->writing, item, "the coefficient of '%.200s' is 0 or not a number",
                              metric->terms[k].event);
            return false;
        }
    return true;
}

/* Tells a writer whether the events of a group can be counted together. */
static cm_writing_set ask_together(const void *data, const char *const *events, size_t count)
{
    const cm_export *export = data;
    cm_counted_together together = cm_definitions_find_together(export->definitions, events, count);
    if (is_refused(export, together))
        return CM_WRITING_REFUSED;
    return together == CM_TOGETHER_YES ? CM_WRITING_COUNTED : CM_WRITING_UNTRIED;
}

/* False if the events cannot be counted together: the definition is refused with the names of those events. */
static bool are_counted_together(cm_export *export, const cm_writing_item *item, const cm_defined_metric *metric)
{
    char list[640] = "";
    if (!is_refused(export, metric->together))
        return true;
    for (size_t i = 0; i < metric->refusing_count; i++)
        cm_text_append(list, sizeof list, ", ", "%.200s", metric->refusing[i]);
    cm_writing_refuse(&export->writing, item,
                      "its events cannot be counted together: %s refuse each other; --multiplex exports it", list);
    return false;
}

/* Fills terms and their order. */
static cm_status fill_terms(const cm_defined_metric *metric, cm_writing_item *item, cm_error *error)
{
    item->terms = calloc(metric->term_count, sizeof *item->terms);
    item->events = calloc(metric->term_count, sizeof *item->events);
    item->order = malloc(metric->term_count * sizeof *item->order);
    if (item->terms == NULL || item->events == NULL || item->order == NULL)
        return cm_error_no_memory(error);
    item->term_count = metric->term_count;
    for (size_t k = 0; k < metric->term_count; k++)
        item->terms[k] = (cm_writing_term){metric->terms[k].event, metric->terms[k].coefficient};
    size_t count = 0;
    for (int negative = 0; negative <= 1; negative++)
        for (size_t k = 0; k < metric->term_count; k++)
            if ((metric->terms[k].coefficient < 0.0) == (negative == 1))
                item->order[count++] = k;
    return CM_OK;
}

_Static_assert((int)CM_EXPORT_MOST_COUNTERS == (int)CM_WRITING_COUNTERS,
               "writers take as many counters as they are given");

/* Adds all definitions of a type of cores that can be exported. */
static cm_status take_metrics(cm_export *export, const cm_core_type *core, const cm_event_list *list,
                              const cm_event_names *names, cm_name_index *taken, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < cm_definitions_count(export->definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(export->definitions, i);
        if (!cm_core_has(core, metric->core))
            continue;
        if (!metric->usable && !export->options->all) {
            export->summary.left_out++;
            continue;
        }
        cm_writing_item *item = &export->writing.items[export->writing.count];
        *item = (cm_writing_item){.metric = metric->metric,
                                  .core = core,
                                  .preset = metric->preset,
                                  .description = metric->description,
                                  .benchmark = metric->benchmark};
        if (!good_terms(export, item, metric) || !are_counted_together(export, item, metric))
            continue;
        status = fill_terms(metric, item, error);
        bool named = status == CM_OK && name_metric(export, taken, item, &status, error) &&
                     name_events(export, list, names, metric, item, &status, error);
        if (named)
            status = cm_export_describe(export->definitions, metric, item, error);
        if (named && status == CM_OK)
            status = cm_name_index_add(taken, item->name, export->writing.count++, error);
        else
            item_clear(item);
    }
    return status;
}

/* Finds the events that the other program counts: from the caller, or for PAPI from libpfm4's tables of the PMUs. */
static cm_status find_known(cm_export *export, const cm_core_type *core, cm_error *error)
{
    const cm_export_options *options = export->options;
    cm_known_events_free(export->known);
    export->known = NULL;
    if (options->known_events != NULL)
        return cm_known_events_load(options->known_events, &export->known, error);
    if (!export->format->takes_cpus)
        return CM_OK;
    const char *pmu = core != NULL ? core->pmu : "";
    if (pmu[0] != '\0')
        return cm_known_events_of_pmus(&pmu, 1, &export->known, error);
    return options->cpu_count != 0 ? cm_known_events_of_pmus(options->cpus, options->cpu_count, &export->known, error)
                                   : CM_OK;
}

/* Adds the definitions for a type of cores; NULL: for all cores. Each type has its own events and metrics. */
static cm_status take_core(cm_export *export, const cm_core_type *core, cm_error *error)
{
    const cm_export_names *names = core == NULL ? export->names : NULL;
    cm_export_names *own = NULL;
    cm_name_index *taken = NULL;
    cm_status status = find_known(export, core, error);
    if (status == CM_OK && names == NULL)
        status = cm_export_names_create(export->definitions, core, &own, error);
    CM_THEN(status, cm_name_index_create(&taken, error));
    names = names != NULL ? names : own;
    CM_THEN(status, take_metrics(export, core, &names->list, names->names, taken, error));
    cm_name_index_free(taken);
    cm_export_names_free(own);
    return status;
}

cm_status cm_export_prepare(cm_export *export, const cm_export_names *names, cm_error *error)
{
    size_t most = cm_definitions_count(export->definitions);
    export->names = names;
    cm_status status = cm_export_origin_create(export->definitions, &export->origin, error);
    export->writing = (cm_writing){.origin = export->origin,
                                   .cpus = export->options->cpus,
                                   .cpu_count = export->options->cpu_count,
                                   .counters = export->options->counters,
                                   .refuse = pass_refused,
                                   .refuse_data = export,
                                   .ask = ask_together,
                                   .ask_data = export};
    if (export->writing.counters == 0)
        export->writing.counters = CM_EXPORT_COUNTERS;
    export->writing.items = calloc(most > 0 ? most : 1, sizeof *export->writing.items);
    if (status == CM_OK && export->writing.items == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_export_each_core(export, take_core, error));
    return status;
}
