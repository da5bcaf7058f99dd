/* The results in short: a sentence, their origin, and a table of all metrics. */
#include "report/html/html.h"

typedef struct tally {
    size_t metrics, composable, unmeasurable, refuted, validated, programs, events;
} tally;

/* Adds one metric to the numbers of the sentence at the top. */
static void tally_metric(const cm_view_metric *metric, tally *sum)
{
    const cm_defined_metric *defined = metric->defined;
    sum->metrics++;
    sum->composable += defined->usable;
    sum->unmeasurable += !defined->measurable;
    sum->refuted += defined->verdict == CM_METRIC_REFUTED;
    sum->validated += defined->usable && defined->validation_count > 0;
    if (defined->validation_count > sum->programs)
        sum->programs = defined->validation_count;
}

/* Counts the metrics by outcome, and the events of the largest benchmark. */
static tally tally_of(const cm_results_view *view)
{
    tally sum = {0};
    for (size_t i = 0; i < view->benchmark_count; i++) {
        const cm_view_benchmark *benchmark = &view->benchmarks[i];
        size_t measured = benchmark->listed->measured_count;
        for (size_t k = 0; k < benchmark->metric_count; k++)
            tally_metric(&benchmark->metrics[k], &sum);
        sum.events = measured > sum.events ? measured : sum.events;
    }
    return sum;
}

/* The end of the sentence: the PMU and the machine, each only if it is known. */
static void write_origin(const cm_html *html, const cm_results_view *view)
{
    const char *pmu = cm_definitions_pmu(view->definitions), *machine = cm_definitions_machine(view->definitions);
    if (pmu != NULL) {
        cm_html_write(html, " of ");
        cm_markup_write(strcmp(pmu, "hardware") == 0 ? "the hardware" : pmu, html->stream);
    }
    if (machine[0] != '\0') {
        cm_html_write(html, " on ");
        cm_markup_write(machine, html->stream);
    }
}

/* Writes the numbers of metrics and events in a sentence. */
static void write_sentence(const cm_html *html, const cm_results_view *view)
{
    tally sum = tally_of(view);
    fprintf(html->stream, "<p class=\"lead\"><strong>%zu of %zu %s</strong> can be composed of the events",
            sum.composable, sum.metrics, cm_plural(sum.metrics, "metric", "metrics"));
    write_origin(html, view);
    if (sum.validated > 0)
        fprintf(html->stream, "; %zu held in up to %zu %s not used for fitting", sum.validated, sum.programs,
                cm_plural(sum.programs, "program that was", "programs that were"));
    if (sum.refuted > 0)
        fprintf(html->stream, "; %zu %s refuted there", sum.refuted, sum.refuted == 1 ? "was" : "were");
    if (sum.unmeasurable > 0)
        fprintf(html->stream, "; %zu cannot be measured on this machine", sum.unmeasurable);
    fprintf(html->stream, ". %zu %s counted", sum.events, cm_plural(sum.events, "event was", "events were"));
    if (view->definitions->unavailable_count > 0)
        fprintf(html->stream, ", %zu could not be", view->definitions->unavailable_count);
    cm_html_write(html, ".</p>\n");
}

/* Writes how many events each benchmark has, if the sweep was ended early. */
static void write_lacks(const cm_html *html, const cm_definitions *definitions)
{
    if (definitions->lack_count == 0)
        return;
    cm_html_write(html, "<p><strong>Incomplete</strong>: the sweep was ended early. ");
    for (size_t i = 0; i < definitions->lack_count; i++) {
        const cm_lack *lack = &definitions->incomplete[i];
        cm_html_write(html, i > 0 ? ", " : "");
        cm_markup_write(lack->benchmark, html->stream);
        cm_html_write(html, lack->core[0] != '\0' ? " on " : "");
        cm_markup_write(lack->core, html->stream);
        fprintf(html->stream, " has %zu of %zu events", lack->counted, lack->of);
    }
    cm_html_write(html, ".</p>\n");
}

static void write_fact(const cm_html *html, const char *name, const char *text)
{
    cm_html_begin_fact(html, name);
    cm_markup_write(text, html->stream);
    cm_html_end_fact(html);
}

/* Writes the origin of the results: their name, PMU and machine. */
static void write_facts(const cm_html *html, const cm_results_view *view)
{
    const char *pmu = cm_definitions_pmu(view->definitions);
    char interference[CM_INTERFERENCE_SIZE];
    cm_html_write(html, "<details><summary>Origin of the results</summary>\n<dl class=\"facts\">\n");
    write_fact(html, "results", view->name);
    write_fact(html, "PMU", pmu != NULL ? pmu : "unknown");
    if (cm_results_view_not_comparable(view) != NULL)
        write_fact(html, "not comparable", cm_results_view_not_comparable(view));
    if (view->definitions->pmu_reason[0] != '\0')
        write_fact(html, "why this PMU", view->definitions->pmu_reason);
    if (cm_interference_text(view->definitions, interference))
        write_fact(html, "interference", interference);
    for (size_t i = 0; i < view->machine_count; i++)
        write_fact(html, view->machine[i].name, view->machine[i].text);
    cm_html_write(html, "</dl></details>\n");
}

/* Says that a model was counted, if so, and the meaning of the verdicts. */
static void write_meaning(const cm_html *html, const cm_results_view *view)
{
    static const char software[] = "software:";
    const char *pmu = cm_definitions_pmu(view->definitions);
    if (pmu != NULL && strncmp(pmu, software, strlen(software)) == 0) {
        cm_html_write(html,
                      "<p class=\"note\"><strong>A model was counted, and not this processor</strong>: the software "
                      "PMU counts what the events of ");
        cm_markup_write(pmu + strlen(software), html->stream);
        cm_html_write(html, " should count by their documentation. On a processor, count again before you rely on the "
                            "definitions.</p>\n");
    }
    cm_html_write(html,
                  "<p class=\"dim\"><strong>Composable</strong>: the definition measures the metric, within the "
                  "limits of its benchmark. <strong>In a range</strong>: it does if the metric is frequent enough. "
                  "<strong>Not composable</strong>: the best combination of events counts "
                  "something else, too, or not all of it; do not use it.</p>\n");
}

void cm_html_summary(const cm_html *html, size_t view)
{
    write_sentence(html, html->views[view]);
    write_meaning(html, html->views[view]);
    write_lacks(html, html->views[view]->definitions);
    write_facts(html, html->views[view]);
}

/* Writes the terms of a definition that may be used, a line each. */
static void write_usable_definition(const cm_html *html, const cm_defined_metric *defined)
{
    enum { MOST_TERMS = 4, RANGE_WIDTH = 80 };
    size_t count = defined->usable ? defined->term_count : 0, shown = count <= MOST_TERMS ? count : MOST_TERMS;
    cm_html_write(html, "<td class=\"name long\">");
    for (size_t i = 0; i < shown; i++) {
        cm_html_write(html, i > 0 ? "<br>" : "");
        cm_html_number(html, defined->terms[i].coefficient);
        cm_html_write(html, " \xC3\x97&nbsp;");
        cm_markup_write_name(defined->terms[i].event, html->stream);
    }
    if (shown < count)
        fprintf(html->stream, "<br>and %zu more", count - shown);
    cm_html_ranges(html, defined, RANGE_WIDTH, "<br><span class=\"dim\">", "</span>");
    cm_html_write(html, "</td>");
}

/* Writes the row of a metric. */
static void write_summary_row(const cm_html *html, size_t view, size_t benchmark, size_t number)
{
    const cm_view_benchmark *of = &html->views[view]->benchmarks[benchmark];
    const cm_view_metric *metric = &of->metrics[number];
    fprintf(html->stream, "<tr><td class=\"metric\"><a href=\"#metric-%zu-%zu-%zu\">", view, benchmark, number);
    cm_markup_write(metric->defined->metric, html->stream);
    cm_html_write(html, "</a></td><td>");
    cm_html_badge(html, metric);
    cm_html_write(html, "</td>");
    write_usable_definition(html, metric->defined);
    cm_html_cell(html, "name", metric->defined->preset);
    cm_html_write(html, "<td class=\"number\">");
    cm_html_percent(html, metric->defined->check != NULL ? metric->defined->check->worst : NAN);
    cm_html_write(html, "</td><td class=\"number\">");
    if (metric->defined->validation_count > 0)
        fprintf(html->stream, "%zu of %zu", cm_html_held(metric), metric->defined->validation_count);
    cm_html_write(html, "</td>");
    cm_html_cell(html, NULL, of->title);
    cm_html_write(html, "</tr>\n");
}

void cm_html_overview(const cm_html *html, size_t view)
{
    static const char *const columns[] = {"Metric",      "Verdict",          "Definition", "PAPI preset",
                                          "Worst error", "Held in programs", "Benchmark"};
    const cm_results_view *of = html->views[view];
    cm_html_write(html, "<div class=\"panel overview\">\n");
    cm_html_begin_table(html, "All metrics", columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < of->benchmark_count; i++)
        for (size_t k = 0; k < of->benchmarks[i].metric_count; k++)
            write_summary_row(html, view, i, k);
    cm_html_end_table(html);
    cm_html_write(html, "</div>\n");
}
