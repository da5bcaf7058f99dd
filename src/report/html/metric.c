/* A card a metric: its verdict, its definition, and the evidence for it. */
#include "report/html/html.h"

enum { LONG_LIST = 240 }; /* letters */

/* Writes the terms of a definition, with the names of codes. */
static void write_definition_terms(const cm_html *html, const cm_html_part *part, const cm_defined_metric *defined)
{
    if (defined->term_count == 0)
        return;
    cm_html_write(html, "<ul class=\"terms\">\n");
    for (size_t i = 0; i < defined->term_count; i++) {
        cm_html_write(html, "<li><span class=\"factor\">");
        cm_html_number(html, defined->terms[i].coefficient);
        cm_html_write(html, " \xC3\x97</span><span class=\"name\">");
        cm_markup_write_name(defined->terms[i].event, html->stream);
        cm_html_write(html, "</span>");
        const char *names = cm_definitions_code_names(part->definitions, defined->terms[i].event);
        if (names[0] != '\0') {
            cm_html_write(html, " <span class=\"dim\">");
            cm_markup_write(names, html->stream);
            cm_html_write(html, "</span>");
        }
        cm_html_write(html, "</li>\n");
    }
    cm_html_write(html, "</ul>\n");
}

/* A named number, or nothing if it is unknown. */
static void write_figure(const cm_html *html, const char *name, double value, bool percent)
{
    if (isnan(value))
        return;
    cm_html_begin_fact(html, name);
    if (percent)
        cm_html_percent(html, value);
    else
        cm_html_figure(html, value);
    cm_html_end_fact(html);
}

/* Writes the outcome of a definition in programs, or in workloads. */
static void write_trial(const cm_html *html, const char *name, const cm_defined_trial *trial)
{
    if (trial == NULL || trial->programs == 0)
        return;
    cm_html_begin_fact(html, name);
    fprintf(html->stream, "within the limit in %zu of %zu; median off by ",
            trial->programs - (trial->failed < trial->programs ? trial->failed : trial->programs), trial->programs);
    cm_html_percent(html, trial->median);
    cm_html_write(html, ", worst by ");
    cm_html_percent(html, trial->worst);
    if (trial->refuted_by != NULL) {
        cm_html_write(html, ". Refuted; the worst is ");
        cm_markup_write(trial->refuted_by, html->stream);
    }
    cm_html_end_fact(html);
}

static size_t length_of(const char *const *texts, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += strlen(texts[i]);
    return length;
}

/* Writes a list, folded if it would fill the card. */
static void write_list(const cm_html *html, const char *name, const char *const *texts, size_t count)
{
    if (count == 0)
        return;
    bool folded = length_of(texts, count) > LONG_LIST;
    cm_html_begin_fact(html, name);
    if (folded)
        fprintf(html->stream, "<details><summary>%zu %s</summary>", count, count == 1 ? "entry" : "entries");
    for (size_t i = 0; i < count; i++) {
        cm_html_write(html, i == 0 ? "" : folded ? ";<br>" : "; ");
        cm_markup_write(texts[i], html->stream);
    }
    cm_html_write(html, folded ? "</details>" : "");
    cm_html_end_fact(html);
}

static void write_controls(const cm_html *html, const cm_defined_controls *controls)
{
    if (controls == NULL)
        return;
    cm_html_begin_fact(html, "on control kernels");
    fprintf(html->stream, "%zu, worst off by ", controls->kernels);
    cm_html_percent(html, controls->worst);
    cm_html_end_fact(html);
}

static void write_amplification(const cm_html *html, double amplification)
{
    char text[CM_NUMBER_SIZE];
    cm_html_begin_fact(html, "noise of events grows by");
    if (isnan(amplification))
        cm_html_write(html, "unknown");
    else
        fprintf(html->stream, "a factor of %s", cm_coefficient_text(amplification, text));
    cm_html_end_fact(html);
}

/* Whether the PMU counts all events of the definition at once, or which ones refuse it. */
static void write_together(const cm_html *html, const cm_defined_metric *defined)
{
    if (defined->together == CM_TOGETHER_UNKNOWN)
        return;
    cm_html_begin_fact(html, "can be counted together");
    cm_html_write(html, defined->together == CM_TOGETHER_YES ? "yes" : "no: ");
    for (size_t i = 0; i < defined->refusing_count; i++) {
        cm_html_write(html, i > 0 ? ", " : "");
        cm_markup_write(defined->refusing[i], html->stream);
    }
    cm_html_write(html, defined->together == CM_TOGETHER_NO ? " refuse each other" : "");
    cm_html_end_fact(html);
}

static void write_unmeasurable(const cm_html *html, const cm_defined_metric *defined)
{
    if (defined->measurable)
        return;
    cm_html_write(html, defined->lacks[0] != '\0' ? "<p>No kernel of " : "<p>None of its kernels");
    cm_markup_write(defined->lacks, html->stream);
    cm_html_write(html, defined->lacks[0] != '\0' ? " ran on this machine.</p>\n" : " runs on this machine.</p>\n");
}

/* Writes the errors of a definition and the evidence for it. */
static void write_figures(const cm_html *html, const cm_defined_metric *defined)
{
    if (!defined->measurable)
        return;
    cm_html_write(html, "<dl class=\"facts\">\n");
    write_figure(html, "misfit", defined->misfit, true);
    write_figure(html, "worst on a kernel", defined->check != NULL ? defined->check->worst : NAN, true);
    write_controls(html, defined->controls);
    write_trial(html, "in programs that were not used for fitting", defined->programs);
    write_trial(html, "in workloads", defined->workloads);
    write_together(html, defined);
    write_figure(html, "backward error", defined->backward_error, false);
    write_amplification(html, defined->amplification);
    write_figure(html, "finds overcounts from", defined->resolution, true);
    cm_html_ranges(html, defined, SIZE_MAX, "<dt>holds</dt><dd>", "</dd>");
    write_list(html, "also counts", defined->also_counts, defined->also_count);
    write_list(html, "cannot be distinguished from", defined->confounded, defined->confounded_count);
    cm_html_write(html, "</dl>\n");
}

/* Writes a table of metric and definition on each kernel. */
static void write_kernels(const cm_html *html, const cm_html_part *part, const cm_view_metric *metric)
{
    static const char *const columns[] = {"Kernel", "Metric", "Definition"};
    const cm_defined_benchmark *listed = part->benchmark->listed;
    cm_html_begin_table(html, "Metric and definition on each kernel", columns, 3);
    for (size_t i = 0; i < listed->kernel_count; i++) {
        cm_html_write(html, "<tr>");
        cm_html_cell(html, "name", listed->kernels[i]);
        cm_html_write(html, "<td class=\"number\">");
        cm_html_number(html, metric->defined->check->expected[i]);
        cm_html_write(html, "</td><td class=\"number\">");
        cm_html_number(html, metric->defined->check->rounded[i]);
        cm_html_write(html, "</td></tr>\n");
    }
    cm_html_end_table(html);
}

/* The plot of a definition on each kernel, and its numbers as a table, folded away. */
static void write_check(const cm_html *html, const cm_html_part *part, const cm_view_metric *metric)
{
    if (!cm_plot_has_metric(metric))
        return;
    cm_html_write(html, "<details><summary>On each kernel</summary>\n");
    cm_html_begin_plot(html, "Plot: the metric and its definition on each kernel");
    cm_plot_metric(part->benchmark, metric, html->stream);
    cm_html_end_plot(html, "The metric's value on each kernel, by the kernel's facts, and the definition's value, from "
                           "the counts. <q>Off</q> is beyond the tolerated misfit.");
    cm_html_write(html, "<details class=\"same\"><summary>The same as a table</summary>\n");
    write_kernels(html, part, metric);
    cm_html_write(html, "</details></details>\n");
}

/* Writes the card of a metric. */
static void write_card(const cm_html *html, const cm_html_part *part, size_t number)
{
    const cm_view_metric *metric = &part->benchmark->metrics[number];
    fprintf(html->stream, "<article class=\"card\" id=\"metric-%zu-%zu-%zu\" data-metric=\"%zu\">\n", part->view,
            part->number, number, number);
    cm_html_write(html, "<div class=\"top\"><h3>");
    cm_markup_write(metric->defined->metric, html->stream);
    cm_html_write(html, "</h3>");
    cm_html_badge(html, metric);
    cm_html_write(html, "<span class=\"name dim\">");
    cm_markup_write(metric->defined->preset, html->stream);
    cm_html_write(html, "</span></div>\n<p>");
    cm_markup_write(metric->defined->description, html->stream);
    cm_html_write(html, "</p>\n");
    write_definition_terms(html, part, metric->defined);
    if (metric->defined->refused != NULL) {
        cm_html_write(html, "<p>No definition holds: the best one ");
        cm_markup_write(metric->defined->refused, html->stream);
        cm_html_write(html, ".</p>\n");
    }
    write_unmeasurable(html, metric->defined);
    write_figures(html, metric->defined);
    write_check(html, part, metric);
    cm_html_exports(html, part, number);
    cm_html_write(html, "</article>\n");
}

void cm_html_metrics(const cm_html *html, const cm_html_part *part)
{
    cm_html_write(html, "<div class=\"cards\">\n");
    for (size_t i = 0; i < part->benchmark->metric_count; i++)
        write_card(html, part, i);
    cm_html_write(html, "</div>\n");
}

/* A row a metric: the programs, those in which it is off, and its deviations. */
static void write_validated(const cm_html *html, const cm_view_metric *metric)
{
    const cm_defined_metric *defined = metric->defined;
    cm_html_write(html, "<tr>");
    cm_html_cell(html, NULL, defined->metric);
    fprintf(html->stream, "<td class=\"number\">%zu</td><td class=\"number\">%zu</td><td class=\"number\">",
            defined->validation_count, defined->validation_count - cm_html_held(metric));
    cm_html_percent(html, defined->validation_median);
    cm_html_write(html, "</td><td class=\"number\">");
    cm_html_percent(html, defined->validation_worst);
    cm_html_write(html, "</td></tr>\n");
}

/* A row a program: the expected and the measured value of a metric. */
static void write_outcome(const cm_html *html, const cm_html_part *part, const cm_view_metric *metric,
                          const cm_defined_outcome *outcome)
{
    cm_html_write(html, "<tr>");
    cm_html_cell(html, NULL, metric->defined->metric);
    cm_html_cell(html, NULL, outcome->program);
    cm_html_write(html, "<td class=\"number\">");
    cm_html_number(html, outcome->expected);
    cm_html_write(html, "</td><td class=\"number\">");
    cm_html_number(html, outcome->measured);
    fprintf(html->stream, "</td><td>%s</td></tr>\n", cm_plot_is_off(part->benchmark, outcome) ? "off" : "");
}

/* Writes programs as a plot and as a table. */
static void write_programs(const cm_html *html, const cm_html_part *part)
{
    static const char *const columns[] = {"Metric", "Program", "Expected", "Measured", "Beyond the limit"};
    if (!cm_plot_has_programs(part->benchmark))
        return;
    cm_html_begin_plot(html, "Plot: definitions in programs, expected against measured");
    cm_plot_programs(part->benchmark, html->stream);
    cm_html_end_plot(html, "The value of each metric in each of these programs, and that of its definition.");
    cm_html_write(html, "<details class=\"same\"><summary>Expected and measured as a table</summary>\n");
    cm_html_begin_table(html, "Programs", columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < part->benchmark->metric_count; i++) {
        const cm_view_metric *metric = &part->benchmark->metrics[i];
        const cm_defined_trial *trial = metric->defined->programs;
        for (size_t k = 0; trial != NULL && k < trial->outcome_count; k++)
            write_outcome(html, part, metric, &trial->outcomes[k]);
    }
    cm_html_end_table(html);
    cm_html_write(html, "</details>");
}

void cm_html_validation(const cm_html *html, const cm_html_part *part)
{
    static const char *const columns[] = {"Metric", "Programs", "Beyond the limit", "Median off by", "Worst off by"};
    if (!cm_plot_has_validation(part->benchmark))
        return;
    cm_html_write(html, "<div class=\"panel\">\n");
    cm_html_begin_plot(html, "Plot: deviation of definitions in programs that were not used for fitting");
    cm_plot_validation(part->benchmark, html->stream);
    cm_html_end_plot(html, "The deviation of each definition in random programs whose facts are known.");
    cm_html_write(html, "<details class=\"same\"><summary>The same as a table</summary>\n");
    cm_html_begin_table(html, "Definitions in programs", columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < part->benchmark->metric_count; i++)
        if (part->benchmark->metrics[i].defined->validation_count > 0)
            write_validated(html, &part->benchmark->metrics[i]);
    cm_html_end_table(html);
    cm_html_write(html, "</details>\n");
    write_programs(html, part);
    cm_html_write(html, "</div>\n");
}
