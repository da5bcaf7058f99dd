/* The events of a benchmark: their noise, their representations, and a table of all. */
#include "report/html/html.h"

/* The plot of the events' noise with its caption; nothing without repeated runs. */
static void write_noise(const cm_html *html, const cm_html_part *part)
{
    if (!cm_plot_has_noise(part->benchmark))
        return;
    cm_html_write(html, "<div class=\"panel\">\n");
    cm_html_begin_plot(html, "Plot: the noise of the events, sorted");
    cm_plot_noise(part->benchmark, html->stream);
    cm_html_end_plot(html, part->benchmark->noise_count <= CM_PLOT_MOST_MARKS
                               ? "The difference between the counts of each event in two runs. Each mark is an event."
                               : "The difference between the counts of each event in two runs. There are too many for "
                                 "a mark each: a bar stands for those side by side, selected events are marked.");
    cm_html_write(html, "</div>\n");
}

/* Writes the representation without rounding errors, "2 x A - B". */
static void write_representation(const cm_html *html, const cm_view_benchmark *benchmark, const cm_defined_event *event)
{
    double largest = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < benchmark->listed->symbol_count; i++)
        largest = fmax(largest, fabs(event->representation[i]));
    for (size_t i = 0; i < benchmark->listed->symbol_count; i++) {
        double value = event->representation[i];
        if (fabs(value) < benchmark->listed->alpha * fmax(largest, 1e-300))
            continue;
        cm_html_write(html, count > 0 ? (value < 0.0 ? " \xE2\x88\x92 " : " + ") : (value < 0.0 ? "\xE2\x88\x92" : ""));
        cm_html_number(html, fabs(value));
        cm_html_write(html, " \xC3\x97 ");
        cm_markup_write(benchmark->listed->symbols[i], html->stream);
        count++;
    }
    if (count == 0)
        cm_html_write(html, "nothing");
}

void cm_html_map(const cm_html *html, const cm_html_part *part)
{
    static const char *const columns[] = {"Event", "Counts"};
    const cm_view_benchmark *benchmark = part->benchmark;
    size_t rows = cm_plot_map_rows(benchmark);
    if (!cm_plot_has_map(benchmark))
        return;
    cm_html_write(html, "<div class=\"panel\">\n");
    cm_html_begin_plot(html, "Plot: counts of events by symbol");
    cm_plot_map(benchmark, html->stream);
    cm_html_end_plot(
        html,
        "The counts of usable events for each occurrence of a symbol. Blue counts more, orange less than nothing.");
    if (rows < benchmark->kept_count)
        fprintf(html->stream, "<p class=\"dim\">%zu more %s usable.</p>\n", benchmark->kept_count - rows,
                cm_plural(benchmark->kept_count - rows, "event is", "events are"));
    cm_html_write(html, "<details class=\"same\"><summary>The same as a table</summary>\n");
    cm_html_begin_table(html, "Counts of events", columns, 2);
    for (size_t i = 0; i < rows; i++) {
        const cm_defined_event *event = &benchmark->events[benchmark->kept[i]];
        cm_html_write(html, "<tr>");
        cm_html_write(html, "<td class=\"name long\">");
        cm_markup_write_name(event->event, html->stream);
        cm_html_write(html, "</td>");
        cm_html_write(html, "<td class=\"long\">");
        if (event->representation != NULL)
            write_representation(html, benchmark, event);
        cm_html_write(html, "</td></tr>\n");
    }
    cm_html_end_table(html);
    cm_html_write(html, "</details></div>\n");
}

/* Writes the number of events of each status, the thresholds, and the symbols without kernels. */
static void write_counts(const cm_html *html, const cm_view_benchmark *benchmark)
{
    static const struct {
        cm_event_status status;
        const char *words;
    } words[] = {{CM_EVENT_SELECTED, "are selected, and definitions build on them"},
                 {CM_EVENT_DEPENDENT, "follow from these"},
                 {CM_EVENT_UNREPRESENTABLE, "count what the kernels do not control"},
                 {CM_EVENT_ZERO, "counted nothing"},
                 {CM_EVENT_AVOIDED, "were to be avoided"},
                 {CM_EVENT_NOISY, "differ too much from run to run"}};
    fprintf(html->stream, "<p>%zu %s, %zu %s, %zu %s", benchmark->listed->kernel_count,
            cm_plural(benchmark->listed->kernel_count, "kernel", "kernels"), benchmark->listed->symbol_count,
            cm_plural(benchmark->listed->symbol_count, "symbol", "symbols"), benchmark->listed->measured_count,
            cm_plural(benchmark->listed->measured_count, "event", "events"));
    const char *between = ": ";
    for (size_t i = 0; i < CM_COUNT_OF(words); i++)
        if (benchmark->read->status_counts[words[i].status] > 0) {
            fprintf(html->stream, "%s%zu %s", between, benchmark->read->status_counts[words[i].status], words[i].words);
            between = ", ";
        }
    /* Some are noisy by nature. */
    size_t varying = 0;
    for (size_t i = 0; i < benchmark->listed->event_count; i++)
        varying += benchmark->events[i].status == CM_EVENT_NOISY && cm_event_nature(benchmark->events[i].event) != NULL;
    if (varying > 0)
        fprintf(html->stream, " (%zu of these are clocks, page faults and the like, which no kernel determines)",
                varying);
    cm_html_write(html, ". Limits: noise (tau) ");
    cm_html_number(html, benchmark->listed->tau);
    cm_html_write(html, ", rounding (alpha) ");
    cm_html_number(html, benchmark->listed->alpha);
    cm_html_write(html, ", misfit ");
    cm_html_percent(html, benchmark->listed->residual);
    cm_html_write(html, ".</p>\n");
    if (benchmark->read->dropped_count == 0)
        return;
    cm_html_write(html, "<p class=\"dim\">No kernel that runs here has these symbols:");
    for (size_t i = 0; i < benchmark->read->dropped_count; i++) {
        cm_html_write(html, " ");
        cm_markup_write(benchmark->read->dropped[i], html->stream);
    }
    cm_html_write(html, ".</p>\n");
}

/* Writes the row of an event, and subtracts it from the names and bytes that are left. */
static void write_event(cm_html *html, const cm_view_benchmark *benchmark, size_t index)
{
    const cm_defined_event *event = &benchmark->events[index];
    enum { ROW_BYTES = 150 };
    fprintf(html->stream, "<tr data-event=\"%zu\"><td class=\"name\">", index);
    cm_markup_write(event->event, html->stream);
    fprintf(html->stream, "</td><td>%s</td><td class=\"number\">", cm_event_status_text(event->status));
    cm_html_figure(html, event->max_rnmse);
    cm_html_write(html, "</td><td class=\"number\">");
    if (!isnan(event->residual))
        cm_html_percent(html, event->residual);
    cm_html_write(html, "</td><td class=\"name\">");
    if (event->equivalent_to != NULL)
        cm_markup_write(event->equivalent_to, html->stream);
    cm_html_write(html, "</td></tr>\n");
    html->names_left--;
    html->bytes_left -= ROW_BYTES + (long)strlen(event->event) +
                        (event->equivalent_to != NULL ? (long)strlen(event->equivalent_to) : 0);
}

/* Writes at most `most` rows, the most informative first; returns their number. */
static size_t write_rows(cm_html *html, const cm_view_benchmark *benchmark, size_t most, long bytes)
{
    static const cm_event_status order[] = {CM_EVENT_SELECTED, CM_EVENT_DEPENDENT, CM_EVENT_UNREPRESENTABLE,
                                            CM_EVENT_AVOIDED,  CM_EVENT_NOISY,     CM_EVENT_ZERO};
    size_t put = 0;
    for (size_t i = 0; i < CM_COUNT_OF(order); i++)
        for (size_t k = 0; k < benchmark->listed->event_count && put < most && html->bytes_left > bytes; k++)
            if (benchmark->events[k].status == order[i]) {
                write_event(html, benchmark, k);
                put++;
            }
    return put;
}

/* Writes the table of events, as many as the part's share allows. */
static void write_events_table(cm_html *html, const cm_html_part *part)
{
    static const char *const columns[] = {"Event", "Status", "Noise", "Residual", "Multiple of"};
    const cm_defined_benchmark *listed = part->benchmark->listed;
    /* The parts from this one on share the names and bytes that are left. */
    size_t share = html->views[part->view]->benchmark_count - part->number;
    for (size_t i = part->view + 1; i < html->view_count; i++)
        share += html->views[i]->benchmark_count;
    if (listed->event_count == 0)
        return;
    cm_html_write(html, "<div class=\"panel events\">\n<details class=\"events\"><summary>All events</summary>\n");
    cm_html_begin_table(html, "Events", columns, CM_COUNT_OF(columns));
    size_t put =
        write_rows(html, part->benchmark, html->names_left / share, html->bytes_left - html->bytes_left / (long)share);
    cm_html_end_table(html);
    if (put < listed->measured_count)
        fprintf(html->stream,
                "<p class=\"dim\">%zu of %zu events are named here; <code>catmint explain EVENT DIR</code> explains "
                "any.</p>\n",
                put, listed->measured_count);
    cm_html_write(html, "</details></div>\n");
}

void cm_html_events(cm_html *html, const cm_html_part *part)
{
    write_counts(html, part->benchmark);
    write_noise(html, part);
    write_events_table(html, part);
}
