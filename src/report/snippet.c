/* A measured snippet: its facts, its events, and the facts that each fits. */
#include <catmint/snippet.h>

#include "report/report.h"

enum { EVENT_WIDTH = 36, NUMBER_WIDTH = 14, MOST_FITS = 4, FACTS_SIZE = 4096 };

/* Appends the facts of a copy that are proven or not, but no sums of others: "3 instructions, 1 loads". */
static void list_facts(const cm_snippet *snippet, bool proven, char text[FACTS_SIZE])
{
    text[0] = '\0';
    for (size_t i = 0; i < snippet->fact_count; i++) {
        const cm_snippet_fact *fact = &snippet->facts[i];
        if (!fact->derived && fact->proven == proven && (fact->value != 0.0 || !proven))
            cm_text_append(text, FACTS_SIZE, ", ", "%.6g %s", fact->value, fact->name);
    }
}

static void write_snippet_facts(const cm_snippet *snippet, const cm_page *page)
{
    char text[FACTS_SIZE], more[FACTS_SIZE + 128];
    list_facts(snippet, true, text);
    cm_page_labelled(page, "Executes", text[0] != '\0' ? text : "nothing");
    list_facts(snippet, false, text);
    snprintf(more, sizeof more, "%s: twice as many copies do not execute twice as much", text);
    if (text[0] != '\0')
        cm_page_labelled(page, "Not proven", more);
}

/* Writes the facts that the event fits, at most a few. */
static void write_fits(const cm_snippet *snippet, const cm_snippet_event *event, const cm_page *page)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", event->steady ? "" : "varies");
    for (size_t i = 0; i < event->fact_count && i < MOST_FITS; i++)
        cm_text_append(text, sizeof text, i > 0 ? ", " : "", "%s", snippet->facts[event->facts[i]].name);
    if (event->fact_count > MOST_FITS)
        cm_text_append(text, sizeof text, "", " and %zu more", event->fact_count - MOST_FITS);
    cm_text_wrap(text[0] != '\0' ? text : "no single fact", EVENT_WIDTH + 2 * NUMBER_WIDTH + 1,
                 EVENT_WIDTH + 2 * NUMBER_WIDTH + 1, page->width, page->stream);
}

static bool counts_anything(const cm_snippet_event *event)
{
    return fabs(event->value) > event->spread || !event->steady;
}

/* The snippet's facts, the events that count in it, and the number of those that do not. */
static void write_snippet_table(const void *content, const cm_page *page)
{
    const cm_snippet *snippet = content;
    FILE *stream = page->stream;
    char text[128];
    size_t zero = 0;
    cm_page_labelled(page, "Snippet", snippet->file);
    cm_page_labelled(page, "PMU", snippet->pmu);
    write_snippet_facts(snippet, page);
    fprintf(stream, "\n%-*s %*s%*s Fits\n", EVENT_WIDTH, "Event, in a copy", NUMBER_WIDTH - 1, "Count", NUMBER_WIDTH,
            "Spread");
    for (size_t i = 0; i < snippet->event_count; i++) {
        const cm_snippet_event *event = &snippet->events[i];
        zero += !counts_anything(event);
        if (!counts_anything(event))
            continue;
        cm_page_write(page, event->name, EVENT_WIDTH);
        fprintf(stream, "%*.6g%*.3g ", NUMBER_WIDTH, event->value, NUMBER_WIDTH, event->spread);
        write_fits(snippet, event, page);
        fputc('\n', stream);
    }
    snprintf(text, sizeof text, "%zu event%s nothing in it; %zu cannot be counted", zero,
             zero == 1 ? " counts" : "s count", snippet->unavailable);
    fprintf(stream, "\n%s\n", text);
}

/* The facts that are not 0, and those that are not proven to be. */
static json_t *facts_json(const cm_snippet *snippet)
{
    json_t *array = json_array();
    for (size_t i = 0; i < snippet->fact_count; i++) {
        const cm_snippet_fact *fact = &snippet->facts[i];
        if (fact->value != 0.0 || !fact->proven)
            array = cm_json_append(array, json_pack("{s:s, s:o, s:b, s:b}", "fact", fact->name, "value",
                                                    cm_json_number(fact->value), "proven", fact->proven, "derived",
                                                    fact->derived));
    }
    return array;
}

static json_t *snippet_event_json(const cm_snippet *snippet, const cm_snippet_event *event)
{
    json_t *fits = json_array();
    for (size_t i = 0; i < event->fact_count; i++)
        fits = cm_json_append(fits, json_string(snippet->facts[event->facts[i]].name));
    return json_pack("{s:o, s:o, s:o, s:b, s:o}", "event", cm_json_text(event->name), "value",
                     cm_json_number(event->value), "spread", cm_json_number(event->spread), "steady", event->steady,
                     "fits", fits);
}

/* The snippet with all its events, those that count 0 included. */
static json_t *snippet_json(const void *content)
{
    const cm_snippet *snippet = content;
    json_t *events = json_array();
    for (size_t i = 0; i < snippet->event_count; i++)
        events = cm_json_append(events, snippet_event_json(snippet, &snippet->events[i]));
    return json_pack("{s:s, s:o, s:o, s:I, s:o, s:o, s:I}", "schema", "catmint.snippet/1", "file",
                     cm_json_text(snippet->file), "pmu", cm_json_text(snippet->pmu), "copies",
                     (json_int_t)snippet->copies, "facts", facts_json(snippet), "events", events, "unavailable",
                     (json_int_t)snippet->unavailable);
}

static const cm_report snippet_report = {"snippet", snippet_json, .page = write_snippet_table};

CM_REPORT_WRITE(cm_snippet_write, cm_snippet, snippet_report)
