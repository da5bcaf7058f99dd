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
static void write_threshold(const char *label, double value, cm_threshold_source source, const char *reason,
                            const cm_page *page)
{
    char line[2 * CM_REASON_SIZE];
    switch (source) {
    case CM_THRESHOLD_DEFAULT: snprintf(line, sizeof line, "%.4g, the default of this benchmark", value); break;
    case CM_THRESHOLD_GIVEN: snprintf(line, sizeof line, "%.4g, as given", value); break;
    case CM_THRESHOLD_AUTO: snprintf(line, sizeof line, "%.4g, from the data: %s", value, reason); break;
    case CM_THRESHOLD_REFUSED:
        snprintf(line, sizeof line, "%.4g, the default of this benchmark, because the data do not settle it: %s", value,
                 reason);
        break;
    }
    cm_page_labelled(page, label, line);
}

/* The thresholds of a result and the origin of each. */
static void write_thresholds(const cm_benchmark_result *result, const cm_page *page)
{
    cm_page_write_labelled(page, "Tolerated", "%g %% of the metric, and noise amplified %g-fold",
                           100.0 * result->thresholds.residual, result->thresholds.amplification);
    write_threshold("Tau", result->thresholds.tau, result->tau_source,
                    result->tau_choice != NULL ? result->tau_choice->reason : "", page);
    write_threshold("Alpha", result->thresholds.alpha, result->alpha_source,
                    result->alpha_choice != NULL ? result->alpha_choice->reason : "", page);
}

/* The number of noisy events that no kernel can make quiet. */
static size_t count_varying(const cm_benchmark_result *result)
{
    size_t varying = 0;
    for (size_t i = 0; i < cm_analysis_event_count(result->analysis); i++) {
        const cm_event_analysis event = cm_analysis_event(result->analysis, i);
        varying += event.status == CM_EVENT_NOISY && cm_event_nature(event.event) != NULL;
    }
    return varying;
}

/* Writes below the metrics how many events have each status. */
static void write_counts(const cm_benchmark_result *result, const cm_page *page)
{
    char noisy[64], strange[128];
    int length = snprintf(strange, sizeof strange, "count something the kernels do not control");
    if (result->with_offset > 0)
        snprintf(strange + length, sizeof strange - (size_t)length, "; %zu of them with a constant per iteration",
                 result->with_offset);
    snprintf(noisy, sizeof noisy, "repetitions differ by more than tau = %.4g", result->thresholds.tau);
    const size_t *counts = result->status_counts, varying = count_varying(result);
    const struct {
        const char *name;
        size_t count;
        const char *meaning;
    } rows[] = {
        {"measured", cm_analysis_event_count(result->analysis), "in several repetitions; of these"},
        {"zero", counts[CM_EVENT_ZERO], "counted nothing on fitted kernels"},
        {"noisy", counts[CM_EVENT_NOISY] - varying, noisy},
        {"varying", varying, "clocks, page faults and the like, which no kernel determines"},
        {"unrepresentable", counts[CM_EVENT_UNREPRESENTABLE], strange},
        {"dependent", counts[CM_EVENT_DEPENDENT], "combinations of selected events"},
        {"selected", counts[CM_EVENT_SELECTED], "independent: definitions use them"},
        {"unavailable", result->unavailable, "could not be counted here"},
        {"avoided", counts[CM_EVENT_AVOIDED], "left out, as asked"},
    };
    cm_page_label(page, "Events");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].count == 0 && (strcmp(rows[i].name, "avoided") == 0 || strcmp(rows[i].name, "varying") == 0))
            continue;
        fprintf(page->stream, "%*s%5zu %-16s", i == 0 ? 0 : CM_PAGE_LABEL, "", rows[i].count, rows[i].name);
        cm_text_wrap(rows[i].meaning, CM_PAGE_LABEL + 22, CM_PAGE_LABEL + 22, page->width, page->stream);
        fputc('\n', page->stream);
    }
}

/* Whether a definition that the table shows has the event. */
static bool is_in_definition(const cm_benchmark_result *result, size_t event)
{
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        for (size_t k = 0; result->fits[m] != NULL && k < result->fits[m]->term_count; k++)
            if (result->fits[m]->events[k] == event && result->fits[m]->rounded[k] != 0.0)
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
static void write_selected(const cm_benchmark_result *result, const cm_page *page)
{
    cm_page_label(page, "Selected");
    size_t at = CM_PAGE_LABEL, count = cm_analysis_selected_count(result->analysis);
    for (size_t i = 0; i < count; i++) {
        const char *event = cm_analysis_event(result->analysis, cm_analysis_selected(result->analysis, i)).event;
        if (i > 0) {
            write_next(page, event, &at);
            continue;
        }
        cm_text_write(event, page->stream);
        at += cm_text_width(event);
    }
    fputs(count == 0 ? "none\n" : "\n", page->stream);
}

/* Counts the definitions' events, or the selected ones by the paper's method: with equivalents, and all. */
static void count_equivalents(const cm_benchmark_result *result, size_t *events, size_t *all)
{
    *events = 0;
    *all = result->proofs == NULL ? cm_analysis_selected_count(result->analysis) : 0;
    for (size_t k = 0; k < *all; k++)
        *events += result->equivalents[k].count > 0;
    for (size_t m = 0; result->proofs != NULL && m < result->signatures->metric_count; m++)
        for (size_t k = 0; result->fits[m] != NULL && result->fits[m]->composable && k < result->fits[m]->term_count;
             k++) {
            *events += result->proofs[m].equivalents[k].count > 0;
            ++*all;
        }
}

/* Writes that alternatives exist; a list of them would be longer than the table. */
static void write_alternatives(const cm_benchmark_result *result, const cm_page *page)
{
    size_t metrics = 0, events, all;
    const size_t composable = cm_count_composable(result);
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        metrics += result->alternatives[m].count > 0 && result->fits[m] != NULL && result->fits[m]->composable;
    count_equivalents(result, &events, &all);
    if (metrics == 0 && events == 0)
        return;
    cm_page_write_labelled(
        page, "Alternatives",
        "%zu of %zu composable metrics have definitions from other events, %zu of %zu %s have equivalents: "
        "`catmint explain` and JSON list them",
        metrics, composable, events, all, result->proofs == NULL ? "selected events" : "terms");
}

/* Writes the names that a table has for codes in definitions. */
static void write_code_names(const cm_benchmark_result *result, const cm_page *page)
{
    const char *label = "Codes";
    for (size_t i = 0; result->code_names != NULL && i < cm_analysis_event_count(result->analysis); i++) {
        const char *event = cm_analysis_event(result->analysis, i).event;
        json_t *names = is_in_definition(result, i) ? cm_code_names_of(result, event) : NULL;
        if (names == NULL)
            continue;
        char *text = cm_code_names_text(names), *line = NULL;
        FILE *stream = text != NULL ? cm_memory_stream(&line, NULL) : NULL;
        if (stream != NULL)
            fprintf(stream, "%s is %s", event, text);
        if (stream != NULL && fclose(stream) == 0)
            cm_page_labelled(page, label, line);
        else
            *page->short_of_memory = true;
        label = "";
        free(line);
        free(text);
    }
}

/* Writes the cycles that instructions take, if their sum explains an event of cycles. */
static void write_costs(const cm_benchmark_result *result, const cm_page *page)
{
    const double least = 0.005;
    size_t index = cm_costs_event(result), size = 0;
    char *text = NULL;
    FILE *stream = index != SIZE_MAX ? cm_memory_stream(&text, &size) : NULL;
    if (stream == NULL) {
        *page->short_of_memory = *page->short_of_memory || index != SIZE_MAX;
        return;
    }
    const cm_event_analysis event = cm_analysis_event(result->analysis, index);
    fprintf(stream, "cycles an instruction, by %s (%.2g %% unexplained):", event.event, 100.0 * event.residual);
    for (size_t i = 0; i < result->basis->symbol_count; i++)
        if (fabs(event.representation[i]) >= least)
            fprintf(stream, " %s %.3g;", result->basis->symbols[i], event.representation[i]);
    if (fclose(stream) == 0 && size > 0) {
        text[size - 1] = '\0'; /* the last mark */
        cm_page_labelled(page, "Costs", text);
    } else {
        *page->short_of_memory = true;
    }
    free(text);
}

/* Writes the largest number of control kernels that a definition is held to. */
static void write_controls(const cm_benchmark_result *result, const cm_page *page)
{
    size_t most = 0;
    char line[128];
    if (result->proofs == NULL)
        return;
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        most = result->proofs[m].verdict.controls > most ? result->proofs[m].verdict.controls : most;
    if (most > 0)
        snprintf(line, sizeof line, "%zu %s not used for fitting", most,
                 cm_plural(most, "kernel that was", "kernels that were"));
    else
        snprintf(line, sizeof line, "none: definitions are not controlled");
    cm_page_labelled(page, "Controls", line);
}

/* Writes how many kernels did not run, and the symbols that are therefore missing. */
static void write_dropped(const cm_benchmark_result *result, const cm_page *page)
{
    if (result->dropped_kernel_count == 0)
        return;
    FILE *stream = page->stream;
    cm_page_label(page, "Not run here");
    fprintf(stream, "%zu of %zu kernels", result->dropped_kernel_count,
            result->dropped_kernel_count + result->basis->kernel_count);
    if (result->dropped_symbol_count > 0) {
        fputs(", so the metrics leave out", stream);
        size_t at = page->width; /* symbols begin a line */
        for (size_t i = 0; i < result->dropped_symbol_count; i++)
            write_next(page, result->dropped_symbols[i], &at);
    }
    fputc('\n', stream);
}

/* Writes all tables of a benchmark. */
static void write_benchmark(const cm_benchmark_result *result, const cm_page *page)
{
    char title[2 * CM_CORE_TEXT + 128];
    bool hybrid = result->core[0] != '\0';
    snprintf(title, sizeof title, "%.256s%s%s: %zu %s, %zu ideal %s", result->benchmark, hybrid ? " on " : "",
             result->core, result->basis->kernel_count, cm_plural(result->basis->kernel_count, "kernel", "kernels"),
             result->basis->symbol_count, cm_plural(result->basis->symbol_count, "event", "events"));
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_BOLD);
    cm_text_write(title, page->stream);
    fputc('\n', page->stream);
    for (size_t i = 0; i < cm_text_width(title); i++)
        fputc('=', page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
    cm_metrics_table_write(result, page);
    fputc('\n', page->stream);
    write_thresholds(result, page);
    write_counts(result, page);
    write_selected(result, page);
    write_code_names(result, page);
    write_costs(result, page);
    write_controls(result, page);
    write_alternatives(result, page);
    write_dropped(result, page);
}

/* Writes the summary's head, the tables of all benchmarks, and the legend. */
static cm_status write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_results *results = content;
    bool short_of_memory; /* the caller sees a failure of the stream */
    const cm_page page = cm_page_make(style, stream, &short_of_memory);
    cm_arena arena = {0};
    cm_definitions document;
    cm_status status = cm_fill_document(results, &arena, &document, error);
    if (status == CM_OK)
        cm_summary_write_head(&document, &page);
    for (size_t i = 0; i < results->benchmark_count && status == CM_OK; i++)
        write_benchmark(results->benchmarks[i], &page);
    if (results->benchmark_count > 0) {
        fputc('\n', stream);
        write_legend(&page);
    }
    if (status == CM_OK)
        cm_cores_write_table(&document, &page);
    CM_THEN(status, cm_summary_write_line(results, &page, error));
    CM_THEN(status, cm_validation_notes(results, &page, error));
    cm_arena_clear(&arena);
    return short_of_memory ? cm_error_no_memory(error) : status;
}

/* Writes results by way of the document that readers fill, whose rows name the fields. */
static cm_status write_json(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    cm_arena arena = {0};
    cm_definitions document;
    cm_status status = cm_fill_document(content, &arena, &document, error);
    CM_THEN(status, cm_fields_write(&cm_result_document_fields, &document, stream, error));
    cm_arena_clear(&arena);
    return status;
}

static const cm_report report = {"results", NULL, {[CM_FORMAT_TABLE] = write_table, [CM_FORMAT_JSON] = write_json}};

CM_REPORT_WRITE(cm_results_write, cm_results)
CM_REPORT_SAVE(cm_results_save, cm_results)
