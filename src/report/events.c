/* The events that can be counted here, and why the rest cannot. */
#include "report/report.h"

enum { EXAMPLES = 3, WIDEST_NAME = 48 };

/* ---- table ---- */

static size_t count_countable(const cm_counting *counting, size_t component)
{
    size_t countable = 0;
    for (size_t i = 0; i < cm_counting_event_count(counting); i++) {
        cm_native_event event = cm_counting_event(counting, i);
        countable += event.component == component && event.countable;
    }
    return countable;
}

/* Writes the components, with their numbers of events or the reason why they are disabled. */
static void write_components(const cm_counting *counting, const cm_page *page)
{
    fputs("\nComponents\n", page->stream);
    for (size_t i = 0; i < cm_counting_component_count(counting); i++) {
        cm_component_info component = cm_counting_component(counting, i);
        fprintf(page->stream, "  ");
        cm_page_write(page, component.name, 20);
        fputc(' ', page->stream);
        if (component.enabled && component.event_count == 0)
            fprintf(page->stream, "has no events on this machine");
        else if (component.enabled)
            fprintf(page->stream, "%zu of %zu events can be counted", count_countable(counting, i),
                    component.event_count);
        else
            cm_text_wrap(component.reason[0] != '\0' ? component.reason : "disabled, PAPI does not say why", 23, 23,
                         page->width, page->stream);
        if (component.hint[0] != '\0') {
            fprintf(page->stream, "\n%*s", 23, "");
            cm_text_wrap(component.hint, 23, 23, page->width, page->stream);
        }
        fputc('\n', page->stream);
    }
}

/* Writes as many whole words of the description as fit. */
static void write_shortened(const cm_page *page, const char *text, size_t columns)
{
    char shown[2048];
    bool whole = cm_text_width(text) <= columns;
    cm_text_show(text, shown,
                 !whole && columns < sizeof shown ? columns + 1 : sizeof shown); /* a byte is no less than a column */
    size_t length = columns > strlen(" ...") ? columns - strlen(" ...") : 0;
    if (whole || length > strlen(shown))
        length = strlen(shown);
    while (!whole && length > 0 && shown[length] != ' ')
        length--;
    fprintf(page->stream, "%.*s%s\n", (int)length, shown, whole ? "" : " ...");
}

/* The width of the longest name that can be counted, of those that fit into the column. */
static size_t widest_countable(const cm_counting *counting)
{
    size_t widest = 0;
    for (size_t i = 0; i < cm_counting_event_count(counting); i++) {
        cm_native_event event = cm_counting_event(counting, i);
        size_t width = cm_text_width(event.name);
        if (event.countable && width > widest && width <= WIDEST_NAME)
            widest = width;
    }
    return widest;
}

/* Writes the countable events of a component, under its name if `headed`; returns their number. */
static size_t write_countable_of(const cm_counting *counting, size_t component, bool headed, const cm_page *page)
{
    size_t printed = 0, name_width = widest_countable(counting);
    for (size_t i = 0; i < cm_counting_event_count(counting); i++) {
        cm_native_event event = cm_counting_event(counting, i);
        if (!event.countable || event.component != component)
            continue;
        if (headed && printed == 0) {
            cm_page_write(page, cm_counting_component(counting, component).name, 0);
            fputs(":\n", page->stream);
        }
        fprintf(page->stream, "  ");
        cm_page_write(page, event.name, name_width);
        fprintf(page->stream, "  ");
        size_t own = cm_text_width(event.name), taken = 4 + (own > name_width ? own : name_width);
        write_shortened(page, event.description, page->width > taken ? page->width - taken : 0);
        printed++;
    }
    return printed;
}

/* Names the components only if several count, since two may have events of the same name. */
static void write_countable(const cm_counting *counting, const cm_page *page)
{
    fputs("\nEvents that can be counted\n", page->stream);
    size_t printed = 0, counting_components = 0;
    for (size_t i = 0; i < cm_counting_component_count(counting); i++)
        counting_components += count_countable(counting, i) != 0;
    for (size_t i = 0; i < cm_counting_component_count(counting); i++)
        printed += write_countable_of(counting, i, counting_components > 1, page);
    if (printed == 0)
        fputs("  none\n", page->stream);
}

/* Refused events that share component, reason and hint. */
typedef struct refusal {
    cm_native_event first;
    size_t count;
    const char *examples[EXAMPLES];
} refusal;

static bool same_refusal(const cm_native_event *a, const cm_native_event *b)
{
    return a->component == b->component && strcmp(a->reason, b->reason) == 0 && strcmp(a->hint, b->hint) == 0;
}

/* The component that has the model's events. */
static size_t component_of_model(const cm_counting *counting)
{
    size_t component = 0;
    while (component + 1 < cm_counting_component_count(counting) &&
           strcmp(cm_counting_component(counting, component).name, "sde") != 0)
        component++;
    return component;
}

/* The event of the model whose meaning is unknown, beside its events; false past the last. */
static bool find_unknown(const cm_counting *counting, size_t index, cm_native_event *event)
{
    const cm_pmu_model *model = cm_counting_model(counting);
    const char *name = model != NULL ? cm_pmu_model_unknown(model, index) : NULL;
    *event = (cm_native_event){.name = name,
                               .papi_name = name,
                               .description = "",
                               .component = component_of_model(counting),
                               .reason = "not modelled",
                               .hint = "the processor has them, and no document or fact settles their meaning"};
    return name != NULL;
}

/* Counts a refused event in its group. */
static void group_refusal(const cm_native_event *event, refusal *groups, size_t *count)
{
    size_t group = 0;
    while (group < *count && !same_refusal(&groups[group].first, event))
        group++;
    if (group == *count)
        groups[(*count)++] = (refusal){.first = *event};
    if (groups[group].count < EXAMPLES)
        groups[group].examples[groups[group].count] = event->name;
    groups[group].count++;
}

/* Refused events, grouped by component, reason and hint; free with free(). NULL if memory runs out. */
static refusal *group_refusals(const cm_counting *counting, size_t *count)
{
    size_t events = cm_counting_event_count(counting);
    refusal *groups = calloc(events + 1, sizeof *groups);
    cm_native_event unknown;
    *count = 0;
    for (size_t i = 0; groups != NULL && i < events; i++) {
        cm_native_event event = cm_counting_event(counting, i);
        if (!event.countable)
            group_refusal(&event, groups, count);
    }
    for (size_t i = 0; groups != NULL && find_unknown(counting, i, &unknown); i++)
        group_refusal(&unknown, groups, count);
    return groups;
}

static void write_examples(const refusal *group, const cm_page *page)
{
    char names[512] = "", name[128];
    for (size_t k = 0; k < group->count && k < EXAMPLES; k++)
        cm_text_append(names, sizeof names, ", ", "%s%s", k > 0 ? "" : "as ",
                       cm_text_show(group->examples[k], name, sizeof name));
    cm_text_wrap(names, 10, 10, page->width, page->stream);
}

/* Writes each group of refused events with reason, hint and examples. */
static void write_refusals(const cm_counting *counting, const refusal *groups, size_t count, const cm_page *page)
{
    fputs("\nEvents that cannot be counted, by reason\n", page->stream);
    for (size_t i = 0; i < count; i++) {
        const refusal *group = &groups[i];
        const char *component = cm_counting_component(counting, group->first.component).name;
        fprintf(page->stream, "  %6zu  ", group->count);
        cm_page_write(page, component, 0);
        fprintf(page->stream, ": ");
        cm_text_wrap(group->first.reason, 12 + cm_text_width(component), 10, page->width, page->stream);
        if (group->first.hint[0] != '\0') {
            fprintf(page->stream, "\n%*s", 10, "");
            cm_text_wrap(group->first.hint, 10, 10, page->width, page->stream);
        }
        fprintf(page->stream, "\n%*s", 10, "");
        write_examples(group, page);
        fputs(group->count > EXAMPLES ? " ...\n" : "\n", page->stream);
    }
    if (count == 0)
        fputs("  none\n", page->stream);
}

/* Writes the PMU, its components, its countable events and its refused ones. */
static void write_events_table(const void *content, const cm_page *page)
{
    const cm_counting *counting = content;
    FILE *stream = page->stream;
    size_t count = 0;
    refusal *groups = group_refusals(counting, &count);
    if (groups == NULL) {
        *page->short_of_memory = true;
        return;
    }
    fprintf(stream, "PMU  ");
    cm_page_write(page, cm_counting_pmu(counting), 0);
    fprintf(stream, ": ");
    cm_text_wrap(cm_counting_reason(counting), 7 + cm_text_width(cm_counting_pmu(counting)), 5, page->width, stream);
    const char *version = cm_counting_papi_version(counting);
    fprintf(stream, "\nPAPI %s\n", version[0] != '\0' ? version : "none: this catmint was built without it");
    write_components(counting, page);
    write_countable(counting, page);
    write_refusals(counting, groups, count, page);
    free(groups);
}

/* ---- JSON ---- */

/* The sources of events, each with the reason why it is disabled. */
static json_t *components_json(const cm_counting *counting)
{
    json_t *array = json_array();
    for (size_t i = 0; i < cm_counting_component_count(counting); i++) {
        cm_component_info component = cm_counting_component(counting, i);
        array =
            cm_json_append(array, json_pack("{s:o, s:o, s:b, s:o, s:o, s:I}", "component", cm_json_text(component.name),
                                            "description", cm_json_text(component.description), "enabled",
                                            component.enabled, "reason", cm_json_text(component.reason), "hint",
                                            cm_json_text(component.hint), "events", (json_int_t)component.event_count));
    }
    return array;
}

static json_t *native_event_json(const cm_counting *counting, const cm_native_event *event)
{
    const char *component = cm_counting_component(counting, event->component).name;
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "event", cm_json_text(event->name), "component",
                     cm_json_text(component), "papi_name", cm_json_text(event->papi_name), "description",
                     cm_json_text(event->description), "countable", event->countable, "reason",
                     cm_json_text(event->reason), "hint", cm_json_text(event->hint));
}

json_t *cm_event_json(const cm_counting *counting, size_t index)
{
    const cm_native_event event = cm_counting_event(counting, index);
    return native_event_json(counting, &event);
}

json_t *cm_events_document(const cm_counting *counting, json_t *events)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "schema", "catmint.events/1", "pmu",
                     cm_json_text(cm_counting_pmu(counting)), "pmu_reason", cm_json_text(cm_counting_reason(counting)),
                     "papi", cm_json_text(cm_counting_papi_version(counting)), "components", components_json(counting),
                     "events", events);
}

/* All events of the sources, and after them those that were asked for and are not known. */
static json_t *events_json(const void *content)
{
    const cm_counting *counting = content;
    json_t *array = json_array();
    for (size_t i = 0; i < cm_counting_event_count(counting); i++)
        array = cm_json_append(array, cm_event_json(counting, i));
    cm_native_event unknown;
    for (size_t i = 0; find_unknown(counting, i, &unknown); i++)
        array = cm_json_append(array, native_event_json(counting, &unknown));
    return cm_events_document(counting, array);
}

static const cm_report events_report = {"events", events_json, .page = write_events_table};

CM_REPORT_WRITE(cm_events_write, cm_counting, events_report)
