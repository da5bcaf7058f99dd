/* Some events with their whole descriptions. */
#include <fnmatch.h>

#include "report/report.h"

enum { DESCRIPTION_INDENT = 4 };

typedef struct choice {
    const cm_counting *counting;
    const char *pattern;
    bool describe;
} choice;

/* Whether the event's name, or component:::NAME, has the pattern within it, or is of its form. */
static bool fits_choice(const choice *chosen, const cm_native_event *event)
{
    const char *component = cm_counting_component(chosen->counting, event->component).name;
    char key[1024];
    snprintf(key, sizeof key, "%s:::%s", component, event->name);
    return strcasestr(key, chosen->pattern) != NULL ||
           fnmatch(chosen->pattern, event->name, FNM_NOESCAPE | FNM_CASEFOLD) == 0 ||
           fnmatch(chosen->pattern, key, FNM_NOESCAPE | FNM_CASEFOLD) == 0;
}

/* Writes a text on lines of its own, indented; nothing for an empty one. */
static void write_indented(const char *text, const cm_page *page)
{
    if (text[0] == '\0')
        return;
    fprintf(page->stream, "%*s", DESCRIPTION_INDENT, "");
    cm_text_wrap(text, DESCRIPTION_INDENT, DESCRIPTION_INDENT, page->width, page->stream);
    fputc('\n', page->stream);
}

/* The chosen events, each with its description, or with the reason why it cannot be counted. */
static void write_listed_events(const void *content, const cm_page *page)
{
    const choice *chosen = content;
    for (size_t i = 0; i < cm_counting_event_count(chosen->counting); i++) {
        cm_native_event event = cm_counting_event(chosen->counting, i);
        if (!fits_choice(chosen, &event))
            continue;
        cm_page_write(page, event.name, 0);
        fprintf(page->stream, ", of %s%s\n", cm_counting_component(chosen->counting, event.component).name,
                event.countable ? "" : ": cannot be counted");
        if (!chosen->describe)
            continue;
        write_indented(event.description, page);
        write_indented(event.reason, page);
        write_indented(event.hint, page);
    }
}

/* The chosen events as the document that lists all of them. */
static json_t *listed_events_json(const void *content)
{
    const choice *chosen = content;
    json_t *array = json_array();
    for (size_t i = 0; i < cm_counting_event_count(chosen->counting); i++) {
        cm_native_event event = cm_counting_event(chosen->counting, i);
        if (fits_choice(chosen, &event))
            array = cm_json_append(array, cm_event_json(chosen->counting, i));
    }
    return cm_events_document(chosen->counting, array);
}

/* CM_BAD_INPUT if no event fits. */
static cm_status check_choice(const choice *chosen, cm_error *error)
{
    cm_near near = {.wanted = chosen->pattern};
    char offered[CM_NEAR_TEXT];
    for (size_t i = 0; i < cm_counting_event_count(chosen->counting); i++) {
        cm_native_event event = cm_counting_event(chosen->counting, i);
        if (fits_choice(chosen, &event))
            return CM_OK;
        cm_near_offer(&near, event.name);
    }
    return CM_FAIL(error, CM_BAD_INPUT, "no event of %s has '%s' in its name%s", cm_counting_pmu(chosen->counting),
                   chosen->pattern, cm_near_text(&near, offered));
}

cm_status cm_events_list(const cm_counting *counting, const char *pattern, bool describe, const cm_output_style *style,
                         FILE *stream, cm_error *error)
{
    const choice chosen = {counting, pattern, describe};
    static const cm_report report = {"events", listed_events_json, .page = write_listed_events};
    cm_status status = check_choice(&chosen, error);
    return status == CM_OK ? cm_report_write(&report, &chosen, style, stream, error) : status;
}
