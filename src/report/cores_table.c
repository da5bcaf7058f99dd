#include "report/report.h"

enum { GAP = 2, MOST_NAMED = 6 };

static void write_term(double coefficient, bool first, const char *event, FILE *stream)
{
    char number[CM_NUMBER_SIZE];
    fprintf(stream, "%s%s%s x %s", first ? "" : " ",
            coefficient < 0.0 ? "- "
            : first           ? ""
                              : "+ ",
            cm_coefficient_text(fabs(coefficient), number), event);
}

/* "1 x A + 2 x B": the definition on that type, its events without their PMU's names, to be freed. *text is NULL if the
 * type has none. */
static cm_status text_of_definition(const cm_results *results, const cm_core_row *row, size_t core, char **text,
                                    cm_error *error)
{
    const cm_fit *fit = cm_core_definition(row, core);
    bool first = true;
    *text = NULL;
    if (fit == NULL)
        return CM_OK;
    FILE *stream = cm_memory_stream(text, NULL);
    for (size_t k = 0; stream != NULL && k < 2 * fit->term_count; k++) {
        size_t i = k % fit->term_count;
        const char *event = cm_analysis_event(row->results[core]->analysis, fit->events[i]).event;
        if (fit->rounded[i] == 0.0 || (fit->rounded[i] < 0.0) != (k >= fit->term_count))
            continue; /* positive terms first, then negative ones */
        write_term(fit->rounded[i], first, cm_core_bare(&results->cores[core], event), stream);
        first = false;
    }
    return cm_memory_text(stream, text) != NULL ? CM_OK : cm_error_no_memory(error);
}

static bool is_defined(const cm_results *results, const cm_core_row *row)
{
    bool defined = false;
    for (size_t i = 0; i < results->part_count; i++)
        defined = defined || cm_core_definition(row, i) != NULL;
    return defined;
}

static size_t widest_metric(const cm_core_row *rows, size_t count)
{
    size_t widest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t width = cm_text_width(rows[i].name);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static size_t widest_core(const cm_results *results)
{
    size_t widest = 0;
    for (size_t i = 0; i < results->part_count; i++) {
        size_t width = strlen(results->cores[i].name);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Writes the metric's definition on each type of cores, once if all are the same. */
static cm_status write_metric(const cm_results *results, const cm_core_row *row, size_t metric_width,
                              const cm_page *page, cm_error *error)
{
    size_t core_width = widest_core(results), indent = metric_width + GAP + core_width + GAP;
    cm_status status = CM_OK;
    cm_page_write(page, row->name, metric_width);
    for (size_t i = 0; i < (row->same ? 1 : results->part_count) && status == CM_OK; i++) {
        char *text = NULL;
        status = text_of_definition(results, row, i, &text, error);
        if (i > 0)
            fprintf(page->stream, "%*s", (int)metric_width, "");
        fprintf(page->stream, "%*s%-*s%*s", GAP, "", (int)core_width, row->same ? "all" : results->cores[i].name, GAP,
                "");
        cm_text_wrap(text != NULL ? text : "no definition", indent, indent, page->width, page->stream);
        fputc('\n', page->stream);
        free(text);
    }
    if (!row->same)
        fprintf(page->stream, "%*snot the same on all cores\n", (int)(metric_width + GAP), "");
    return status;
}

/* Writes how many metrics have the same definition on all types of cores. */
static void write_counts(const cm_results *results, const cm_core_row *rows, size_t count, const cm_page *page)
{
    size_t same = 0, none = 0;
    for (size_t i = 0; i < count; i++) {
        bool defined = is_defined(results, &rows[i]);
        same += rows[i].same && defined;
        none += !defined;
    }
    cm_page_write_labelled(
        page, "Cores",
        "of %zu metrics %zu are defined by the same events on all cores, %zu are not the same on all cores, %zu "
        "are defined on none",
        count, same, count - same - none, none);
}

/* Writes events that share a name on several types of cores but do not count the same. */
static void write_events(const cm_core_row *rows, size_t count, const cm_page *page)
{
    char line[1024];
    size_t named = 0, used = 0;
    if (count == 0)
        return;
    used = (size_t)snprintf(line, sizeof line, "events with the same name but different counts on each type of cores:");
    for (; named < count && named < MOST_NAMED && used < sizeof line; named++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s %.100s", named > 0 ? "," : "", rows[named].name);
    if (named < count && used < sizeof line)
        snprintf(line + used, sizeof line - used, " and %zu more, which JSON lists", count - named);
    cm_page_labelled(page, "Not merged", line);
}

/* Writes the definitions of each metric on each type of cores. */
static cm_status write_metrics(const cm_results *results, const cm_core_row *rows, size_t count, const cm_page *page,
                               cm_error *error)
{
    static const char title[] = "Cores side by side";
    size_t width = widest_metric(rows, count);
    cm_status status = CM_OK;
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_BOLD);
    fprintf(page->stream, "%s\n==================", title);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        if (i == 0 || strcmp(rows[i].benchmark, rows[i - 1].benchmark) != 0)
            fprintf(page->stream, "%s%s\n", i > 0 ? "\n" : "", rows[i].benchmark);
        if (is_defined(results, &rows[i]))
            status = write_metric(results, &rows[i], width, page, error);
    }
    fputc('\n', page->stream);
    return status;
}

/* Writes the numbers of definitions and the events that differ; with `whole` also all definitions. */
static cm_status write_cores(const cm_results *results, bool whole, const cm_page *page, cm_error *error)
{
    cm_core_row *metrics = NULL, *events = NULL;
    size_t metric_count = 0, event_count = 0;
    cm_status status = cm_core_metrics_list(results, &metrics, &metric_count, error);
    CM_THEN(status, cm_core_events_list(results, &events, &event_count, error));
    if (status == CM_OK && whole)
        status = write_metrics(results, metrics, metric_count, page, error);
    if (status == CM_OK) {
        write_counts(results, metrics, metric_count, page);
        write_events(events, event_count, page);
    }
    free(events);
    free(metrics);
    return status;
}

cm_status cm_cores_write_summary(const cm_results *results, const cm_page *page, cm_error *error)
{
    return write_cores(results, false, page, error);
}

cm_status cm_cores_write_table(const cm_results *results, const cm_page *page, cm_error *error)
{
    return write_cores(results, true, page, error);
}
