/* `explain`: finds events and metrics by name, and writes all that is known of them as text or JSON. */
#include "report/report.h"

enum { WHOLE = 2 }; /* benchmarks in which an event is explained if the list of them is cut */

/* The higher, the more it says of an event: most if it is selected, least if it counted nothing. */
static int rank_of_status(const cm_explained_event *event)
{
    return event->status == CM_EVENT_SELECTED ? 0 : event->status == CM_EVENT_ZERO ? 2 : 1;
}

/* Whether the event's benchmark `at` is one of those that say most of it. */
static bool says_most(const cm_explained_event *events, size_t count, size_t at)
{
    const int rank = rank_of_status(&events[at]);
    size_t before = 0;
    for (size_t i = 0; i < count; i++)
        before += rank_of_status(&events[i]) < rank || (rank_of_status(&events[i]) == rank && i < at);
    return before < WHOLE && (rank < 2 || before == 0);
}

/* Writes a line for each status of the event in the benchmarks that are not explained. */
static void write_elsewhere(const cm_explained_event *events, size_t count, const cm_page *page)
{
    bool first = true;
    for (int status = 0; status <= CM_EVENT_SELECTED; status++) {
        char line[1024] = "";
        for (size_t i = 0; i < count; i++)
            if ((int)events[i].status == status && !says_most(events, count, i))
                cm_text_append(line, sizeof line, ", ", "%s%s%.100s%s%.100s",
                               line[0] == '\0' ? cm_event_status_text(events[i].status) : "",
                               line[0] == '\0' ? " in " : "", events[i].benchmark,
                               events[i].core[0] != '\0' ? " on " : "", events[i].core);
        if (line[0] != '\0')
            cm_page_labelled(page, first ? "Elsewhere" : "", line);
        first &= line[0] == '\0';
    }
}

/* Writes the explanations of one event in `count` benchmarks. */
static void write_event(const cm_explained_event *events, size_t count, const cm_page *page)
{
    bool any = false, all = true;
    for (size_t i = 0; i < count; i++) {
        const bool shown = page->cut == NULL || says_most(events, count, i);
        if (shown && any)
            fputc('\n', page->stream);
        if (shown)
            cm_explain_write_event(&events[i], page);
        any |= shown;
        all &= shown;
    }
    if (all)
        return;
    *page->cut = true;
    fputc('\n', page->stream);
    write_elsewhere(events, count, page);
}

/* The benchmarks from `first` on that explain the same event. */
static size_t same_event(const cm_explanations *found, size_t first)
{
    size_t end = first + 1;
    while (end < found->event_count && strcmp(found->events[end].event, found->events[first].event) == 0)
        end++;
    return end - first;
}

/* Writes all explanations as text, in the order of the question. */
static void write_explained_text(const void *content, const cm_page *whole_page)
{
    bool cut = false;
    const cm_explanations *found = content;
    cm_page page = *whole_page;
    page.cut = found->whole ? NULL : &cut;
    for (size_t i = 0, event = 0, metric = 0, count; i < found->count; i += count) {
        count = found->is_metric[i] ? 1 : same_event(found, event);
        if (i > 0)
            fputc('\n', page.stream);
        if (found->is_metric[i]) {
            cm_explain_write_metric(&found->metrics[metric++], &page);
        } else {
            write_event(&found->events[event], count, &page);
            event += count;
        }
    }
    if (cut)
        cm_page_labelled(&page, "More", "--verbose lists all of it");
}

cm_status cm_results_explain(const cm_results *results, const cm_explain_question *question,
                             const cm_output_style *style, FILE *stream, cm_error *error)
{
    cm_explanations found = {.schema = "catmint.explain/1", .whole = question->whole};
    cm_status status = cm_explain_find(results, question, &found, error);
    static const cm_report report = {"the explanation", .page = write_explained_text, .fields = &cm_explanation_fields};
    CM_THEN(status, cm_report_write(&report, &found, style, stream, error));
    cm_explanations_clear(&found);
    return status;
}
