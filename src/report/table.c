/* Results as a table. */
#include "report/report.h"

/* Writes the legend once, below all benchmarks. */
static void write_legend(const cm_page *page)
{
    cm_page_labelled(page, "Composable",
                     "the definition misses no more of the metric than is tolerated, overall and on each kernel, and "
                     "amplifies noise of its events no more");
    cm_page_labelled(page, "Error", "backward error of the definition: 0 is exact, 1 measures nothing");
    cm_page_labelled(page, "Worst", "largest difference on a kernel between the definition's value and the metric's");
    cm_page_labelled(page, "Stable", "the definition stays the same while tau or alpha changes by up to this factor");
}

/* Writes a threshold and its source. */
static void write_threshold(const char *label, const cm_read_threshold *threshold, const cm_page *page)
{
    static const char *const sources[] = {
        [CM_THRESHOLD_DEFAULT] = ", the default of this benchmark",
        [CM_THRESHOLD_GIVEN] = ", as given",
        [CM_THRESHOLD_AUTO] = ", from the data: ",
        [CM_THRESHOLD_REFUSED] = ", the default of this benchmark, because the data do not settle it: ",
    };
    const bool asked = threshold->source == CM_THRESHOLD_AUTO || threshold->source == CM_THRESHOLD_REFUSED;
    cm_page_write_labelled(page, label, "%.4g%s%s", threshold->value, sources[threshold->source],
                           asked ? threshold->reason : "");
}

/* Writes below the metrics how many events have each status. */
static void write_status_counts(const cm_read_benchmark *benchmark, const cm_page *page)
{
    char noisy[64], strange[128];
    snprintf(strange, sizeof strange, "count something the kernels do not control");
    if (benchmark->with_offset > 0)
        cm_text_append(strange, sizeof strange, "", "; %zu of them with a constant per iteration",
                       benchmark->with_offset);
    snprintf(noisy, sizeof noisy, "repetitions differ by more than tau = %.4g", benchmark->tau.value);
    const size_t *counts = benchmark->status_counts, varying = benchmark->varying;
    const struct {
        const char *name;
        size_t count;
        const char *meaning;
    } rows[] = {
        {"measured", benchmark->listed.measured_count, "in several repetitions; of these"},
        {"zero", counts[CM_EVENT_ZERO], "counted nothing on fitted kernels"},
        {"noisy", counts[CM_EVENT_NOISY] - varying, noisy},
        {"varying", varying, "clocks, page faults and the like, which no kernel determines"},
        {"unrepresentable", counts[CM_EVENT_UNREPRESENTABLE], strange},
        {"dependent", counts[CM_EVENT_DEPENDENT], "combinations of selected events"},
        {"selected", counts[CM_EVENT_SELECTED], "independent: definitions use them"},
        {"unavailable", benchmark->unavailable, "could not be counted here"},
        {"avoided", counts[CM_EVENT_AVOIDED], "left out, as asked"},
    };
    cm_page_label(page, "Events");
    for (size_t i = 0; i < CM_COUNT_OF(rows); i++) {
        if (rows[i].count == 0 && (strcmp(rows[i].name, "avoided") == 0 || strcmp(rows[i].name, "varying") == 0))
            continue;
        fprintf(page->stream, "%*s%5zu %-16s", i == 0 ? 0 : CM_PAGE_LABEL, "", rows[i].count, rows[i].name);
        cm_text_wrap(rows[i].meaning, CM_PAGE_LABEL + 22, CM_PAGE_LABEL + 22, page->width, page->stream);
        fputc('\n', page->stream);
    }
}

/* Whether a definition that the table shows has the event. */
static bool is_in_definition(const cm_read_benchmark *benchmark, const char *event)
{
    for (size_t m = 0; m < benchmark->metric_count; m++)
        for (size_t k = 0; k < benchmark->metrics[m].term_count; k++)
            if (strcmp(benchmark->metrics[m].terms[k].event, event) == 0)
                return true;
    return false;
}

/* Writes a name behind others, in a new line if it does not fit; *at is the width of the line so far. */
static void write_next(const cm_page *page, const char *name, size_t *at)
{
    const size_t width = cm_text_width(name);
    const bool fits = *at + 1 + width <= page->width;
    if (fits)
        fputc(' ', page->stream);
    else
        fprintf(page->stream, "\n%*s", CM_PAGE_LABEL, "");
    cm_text_write(name, page->stream);
    *at = (fits ? *at + 1 : CM_PAGE_LABEL) + width;
}

/* Writes the selected events, wrapped to the page. */
static void write_selected(const cm_read_benchmark *benchmark, const cm_page *page)
{
    const char *first = benchmark->selected_count > 0 ? benchmark->selected[0] : "none";
    size_t at = CM_PAGE_LABEL + cm_text_width(first);
    cm_page_label(page, "Selected");
    cm_text_write(first, page->stream);
    for (size_t i = 1; i < benchmark->selected_count; i++)
        write_next(page, benchmark->selected[i], &at);
    fputc('\n', page->stream);
}

/* Writes that alternatives exist; a list of them would be longer than the table. */
static void write_alternatives(const cm_read_benchmark *benchmark, const cm_page *page)
{
    const bool by_paper = benchmark->listed.controls == NULL;
    size_t metrics = 0, terms = 0, replaceable = 0;
    for (size_t m = 0; m < benchmark->metric_count; m++) {
        const cm_defined_metric *metric = &benchmark->metrics[m];
        metrics += metric->usable && metric->alternative_count > 0;
        for (size_t k = 0; metric->usable && k < metric->term_count; k++, terms++)
            replaceable += metric->terms[k].equivalent_count > 0;
    }
    if (by_paper)
        replaceable = benchmark->replaceable;
    if (metrics == 0 && replaceable == 0)
        return;
    cm_page_write_labelled(
        page, "Alternatives",
        "%zu of %zu composable metrics have definitions from other events, %zu of %zu %s have equivalents: "
        "`catmint explain` and JSON list them",
        metrics, cm_count_composable(benchmark), replaceable, by_paper ? benchmark->selected_count : terms,
        by_paper ? "selected events" : "terms");
}

/* Writes the names that a table has for codes in definitions. */
static void write_code_names(const cm_read_benchmark *benchmark, const cm_page *page)
{
    const char *label = "Codes";
    for (size_t i = 0; i < benchmark->code_count; i++) {
        const cm_named_code *code = &benchmark->codes[i];
        char *line = NULL;
        if (!is_in_definition(benchmark, code->event))
            continue;
        if (asprintf(&line, "%s is %s", code->event, code->names) < 0) {
            *page->short_of_memory = true;
            return;
        }
        cm_page_labelled(page, label, line);
        label = "";
        free(line);
    }
}

/* Writes the cycles that instructions take, if their sum explains an event of cycles. */
static void write_costs(const cm_read_benchmark *benchmark, const cm_page *page)
{
    const double least = 0.005;
    char *text = NULL;
    FILE *stream = benchmark->cycles != NULL ? cm_page_begin_text(page, &text) : NULL;
    if (stream == NULL)
        return;
    fprintf(stream, "cycles an instruction, by %s (%.2g %% unexplained):", benchmark->cycles,
            100.0 * benchmark->unexplained);
    for (size_t i = 0; i < benchmark->listed.symbol_count; i++)
        if (fabs(benchmark->costs[i]) >= least)
            fprintf(stream, " %s %.3g;", benchmark->listed.symbols[i], benchmark->costs[i]);
    if (cm_page_end_text(page, stream, &text) != NULL) {
        text[strlen(text) - 1] = '\0'; /* the last mark */
        cm_page_labelled(page, "Costs", text);
    }
    free(text);
}

/* Writes the largest number of control kernels that a definition is held to. */
static void write_held_controls(const cm_read_benchmark *benchmark, const cm_page *page)
{
    const size_t most = benchmark->listed.held_count;
    if (benchmark->listed.controls == NULL)
        return;
    if (most > 0)
        cm_page_write_labelled(page, "Controls", "%zu %s not used for fitting", most,
                               cm_plural(most, "kernel that was", "kernels that were"));
    else
        cm_page_labelled(page, "Controls", "none: definitions are not controlled");
}

/* Writes how many kernels did not run, and the symbols that are therefore missing. */
static void write_dropped(const cm_read_benchmark *benchmark, const cm_page *page)
{
    if (benchmark->not_run == 0)
        return;
    cm_page_label(page, "Not run here");
    fprintf(page->stream, "%zu of %zu kernels", benchmark->not_run,
            benchmark->not_run + benchmark->listed.kernel_count);
    if (benchmark->dropped_count > 0)
        fputs(", so the metrics leave out", page->stream);
    size_t at = page->width; /* symbols begin a line */
    for (size_t i = 0; i < benchmark->dropped_count; i++)
        write_next(page, benchmark->dropped[i], &at);
    fputc('\n', page->stream);
}

/* Writes all tables of a benchmark. */
static void write_benchmark(const cm_read_benchmark *benchmark, const cm_page *page)
{
    const cm_defined_benchmark *listed = &benchmark->listed;
    char title[2 * CM_CORE_TEXT + 128];
    snprintf(title, sizeof title, "%.256s%s%s: %zu %s, %zu ideal %s", listed->benchmark,
             listed->core[0] != '\0' ? " on " : "", listed->core, listed->kernel_count,
             cm_plural(listed->kernel_count, "kernel", "kernels"), listed->symbol_count,
             cm_plural(listed->symbol_count, "event", "events"));
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_BOLD);
    cm_text_write(title, page->stream);
    fputc('\n', page->stream);
    for (size_t i = 0; i < cm_text_width(title); i++)
        fputc('=', page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
    cm_metrics_table_write(benchmark, page);
    fputc('\n', page->stream);
    cm_page_write_labelled(page, "Tolerated", "%g %% of the metric, and noise amplified %g-fold",
                           100.0 * benchmark->listed.residual, benchmark->listed.amplification);
    write_threshold("Tau", &benchmark->tau, page);
    write_threshold("Alpha", &benchmark->alpha, page);
    write_status_counts(benchmark, page);
    write_selected(benchmark, page);
    write_code_names(benchmark, page);
    write_costs(benchmark, page);
    write_held_controls(benchmark, page);
    write_alternatives(benchmark, page);
    write_dropped(benchmark, page);
}

/* Writes the summary's head, the tables of all benchmarks, and the legend. */
static void write_results_table(const void *content, const cm_page *page)
{
    const cm_definitions *document = content;
    cm_summary_write_head(document, page);
    for (size_t i = 0; i < document->benchmark_count; i++)
        write_benchmark(&document->benchmarks[i], page);
    if (document->benchmark_count > 0) {
        fputc('\n', page->stream);
        write_legend(page);
    }
    cm_cores_write_table(document, page);
    cm_summary_write_line(document, true, page);
    cm_validation_notes(document, page);
}

static const cm_report results_report = {"results", .page = write_results_table, .fields = &cm_result_document_fields};

CM_REPORT_RESULTS_WRITE(cm_results_write, results_report)
CM_REPORT_RESULTS_SAVE(cm_results_save, results_report)
