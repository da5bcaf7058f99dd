#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/text.h>

#include "cli/json.h"
#include "cli/pmu.h"
#include "cli/terminal.h"

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

static void print_components(const cm_counting *counting, size_t width)
{
    puts("\nComponents");
    for (size_t i = 0; i < cm_counting_component_count(counting); i++) {
        cm_component component = cm_counting_component(counting, i);
        printf("  ");
        cli_put(component.name, 20);
        putchar(' ');
        if (component.enabled && component.event_count == 0)
            printf("has no events on this machine");
        else if (component.enabled)
            printf("%zu of %zu events can be counted", count_countable(counting, i), component.event_count);
        else
            cli_wrap(component.reason[0] != '\0' ? component.reason : "disabled, PAPI does not say why", 23, 23, width);
        if (component.hint[0] != '\0') {
            printf("\n%*s", 23, "");
            cli_wrap(component.hint, 23, 23, width);
        }
        putchar('\n');
    }
}

/* As much of a description as has room, whole words. */
static void print_shortened(const char *text, size_t room)
{
    char shown[2048];
    bool whole = cm_text_width(text) <= room;
    cm_text_show(text, shown,
                 !whole && room < sizeof shown ? room + 1 : sizeof shown); /* a byte is no less than a column */
    size_t length = room > strlen(" ...") ? room - strlen(" ...") : 0;
    if (whole || length > strlen(shown))
        length = strlen(shown);
    while (!whole && length > 0 && shown[length] != ' ')
        length--;
    printf("%.*s%s\n", (int)length, shown, whole ? "" : " ...");
}

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

static size_t print_countable_of(const cm_counting *counting, size_t component, bool headed, size_t width)
{
    size_t printed = 0, name_width = widest_countable(counting);
    for (size_t i = 0; i < cm_counting_event_count(counting); i++) {
        cm_native_event event = cm_counting_event(counting, i);
        if (!event.countable || event.component != component)
            continue;
        if (headed && printed == 0) {
            cli_put(cm_counting_component(counting, component).name, 0);
            puts(":");
        }
        printf("  ");
        cli_put(event.name, name_width);
        printf("  ");
        size_t own = cm_text_width(event.name), taken = 4 + (own > name_width ? own : name_width);
        print_shortened(event.description, width > taken ? width - taken : 0);
        printed++;
    }
    return printed;
}

/* Two components may count events of the same name: where several count, each is named. */
static void print_countable(const cm_counting *counting, size_t width)
{
    puts("\nEvents that can be counted");
    size_t printed = 0, counting_components = 0;
    for (size_t i = 0; i < cm_counting_component_count(counting); i++)
        counting_components += count_countable(counting, i) != 0;
    for (size_t i = 0; i < cm_counting_component_count(counting); i++)
        printed += print_countable_of(counting, i, counting_components > 1, width);
    if (printed == 0)
        puts("  none");
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

static refusal *group_refusals(const cm_counting *counting, size_t *count)
{
    size_t events = cm_counting_event_count(counting);
    refusal *groups = calloc(events + 1, sizeof *groups);
    *count = 0;
    for (size_t i = 0; groups != NULL && i < events; i++) {
        cm_native_event event = cm_counting_event(counting, i);
        if (event.countable)
            continue;
        size_t group = 0;
        while (group < *count && !same_refusal(&groups[group].first, &event))
            group++;
        if (group == *count)
            groups[(*count)++] = (refusal){.first = event};
        if (groups[group].count < EXAMPLES)
            groups[group].examples[groups[group].count] = event.name;
        groups[group].count++;
    }
    return groups;
}

static void print_examples(const refusal *group, size_t width)
{
    char names[512] = "", name[128];
    for (size_t k = 0; k < group->count && k < EXAMPLES; k++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k > 0 ? ", " : "as ",
                 cm_text_show(group->examples[k], name, sizeof name));
    cli_wrap(names, 10, 10, width);
}

static void print_refusals(const cm_counting *counting, const refusal *groups, size_t count, size_t width)
{
    puts("\nEvents that cannot be counted, by reason");
    for (size_t i = 0; i < count; i++) {
        const refusal *group = &groups[i];
        const char *component = cm_counting_component(counting, group->first.component).name;
        printf("  %6zu  ", group->count);
        cli_put(component, 0);
        printf(": ");
        cli_wrap(group->first.reason, 12 + cm_text_width(component), 10, width);
        if (group->first.hint[0] != '\0') {
            printf("\n%*s", 10, "");
            cli_wrap(group->first.hint, 10, 10, width);
        }
        printf("\n%*s", 10, "");
        print_examples(group, width);
        puts(group->count > EXAMPLES ? " ..." : "");
    }
    if (count == 0)
        puts("  none");
}

static cli_exit print_table(const cm_counting *counting)
{
    size_t width = cli_width(stdout), count = 0;
    refusal *groups = group_refusals(counting, &count);
    if (groups == NULL) {
        cli_say("out of memory");
        return CLI_IMPOSSIBLE;
    }
    printf("PMU  ");
    cli_put(cm_counting_pmu(counting), 0);
    printf(": ");
    cli_wrap(cm_counting_reason(counting), 7 + cm_text_width(cm_counting_pmu(counting)), 5, width);
    printf("\nPAPI %s\n", cm_counting_papi_version(counting));
    print_components(counting, width);
    print_countable(counting, width);
    print_refusals(counting, groups, count, width);
    free(groups);
    return CLI_DONE;
}

/* ---- JSON ---- */

static json_t *components_json(const cm_counting *counting)
{
    json_t *array = json_array();
    for (size_t i = 0; i < cm_counting_component_count(counting); i++) {
        cm_component component = cm_counting_component(counting, i);
        array = cli_json_append(array,
                                json_pack("{s:o, s:o, s:b, s:o, s:o, s:I}", "component", cli_json_text(component.name),
                                          "description", cli_json_text(component.description), "enabled",
                                          component.enabled, "reason", cli_json_text(component.reason), "hint",
                                          cli_json_text(component.hint), "events", (json_int_t)component.event_count));
    }
    return array;
}

static json_t *events_json(const cm_counting *counting)
{
    json_t *array = json_array();
    for (size_t i = 0; i < cm_counting_event_count(counting); i++) {
        cm_native_event event = cm_counting_event(counting, i);
        const char *component = cm_counting_component(counting, event.component).name;
        array = cli_json_append(
            array, json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "event", cli_json_text(event.name), "component",
                             cli_json_text(component), "papi_name", cli_json_text(event.papi_name), "description",
                             cli_json_text(event.description), "countable", event.countable, "reason",
                             cli_json_text(event.reason), "hint", cli_json_text(event.hint)));
    }
    return array;
}

static cli_exit print_json(const cm_counting *counting)
{
    json_t *document =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "schema", "catmint.events/1", "pmu",
                  cli_json_text(cm_counting_pmu(counting)), "pmu_reason", cli_json_text(cm_counting_reason(counting)),
                  "papi", cli_json_text(cm_counting_papi_version(counting)), "components", components_json(counting),
                  "events", events_json(counting));
    return cli_json_print(document);
}

cli_exit cli_events(const cli_options *options)
{
    cm_counting *counting = NULL;
    cm_error error;
    if (cli_open_pmu(options, true, &counting, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = options->format == CM_RESULTS_JSON ? print_json(counting) : print_table(counting);
    cm_counting_close(counting);
    return cli_finish_stdout(code);
}
