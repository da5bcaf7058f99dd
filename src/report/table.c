#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/figures.h"
#include "core/memory_stream.h"
#include "discovery/benchmark_result.h"
#include "report/cores.h"
#include "report/metrics_table.h"
#include "report/results.h"
#include "report/validation.h"

/* Hardware alone is disturbed: the software PMU counts what is executed, however long that takes. */
static void put_disturbances(const cm_results *results, const cm_page *page)
{
    char line[1024] = "";
    size_t index;
    json_t *finding;
    if (results->pmu == NULL || strcmp(results->pmu, "hardware") != 0)
        return;
    json_array_foreach(results->findings, index, finding)
    {
        const char *severity = json_string_value(json_object_get(finding, "severity"));
        const char *name = json_string_value(json_object_get(finding, "finding"));
        size_t length = strlen(line);
        if (name != NULL && severity != NULL && strcmp(severity, "note") != 0)
            snprintf(line + length, sizeof line - length, "%s%.64s", length > 0 ? ", " : "", name);
    }
    if (line[0] != '\0') {
        size_t length = strlen(line);
        snprintf(line + length, sizeof line - length, "; 'catmint doctor' says what to do");
        cm_page_labelled(page, "Disturbed by", line);
    }
}

/* The first lines: which PMU counted, why, on which machine. */
static void put_head(const cm_results *results, const cm_page *page)
{
    char line[1024];
    if (results->pmu == NULL)
        snprintf(line, sizeof line, "unknown, a measurement table does not name it");
    else if (results->pmu_reason[0] == '\0')
        snprintf(line, sizeof line, "%s", results->pmu);
    else
        snprintf(line, sizeof line, "%s: %s", results->pmu, results->pmu_reason);
    cm_page_labelled(page, "PMU", line);
    const char *model = json_string_value(json_object_get(results->machine, "model_name"));
    if (model != NULL) {
        json_int_t cores = json_integer_value(json_object_get(results->machine, "cores"));
        size_t length = (size_t)snprintf(line, sizeof line, "%.256s", model);
        if (cores > 0)
            length += (size_t)snprintf(line + length, sizeof line - length, ", %lld core%s", (long long)cores,
                                       cores == 1 ? "" : "s");
        if (json_is_true(json_object_get(results->machine, "virtual")))
            snprintf(line + length, sizeof line - length, ", a virtual machine");
        cm_page_labelled(page, "Machine", line);
    }
    put_disturbances(results, page);
}

static void put_legend(const cm_benchmark_result *result, const cm_page *page)
{
    const cm_thresholds *thresholds = &result->thresholds;
    char line[256];
    snprintf(line, sizeof line,
             "the definition misses at most %g %% of the metric, overall and on each kernel, and amplifies noise of "
             "its events at most %g-fold",
             100.0 * thresholds->residual, thresholds->amplification);
    cm_page_labelled(page, "Composable", line);
    cm_page_labelled(page, "Error", "backward error of the definition: 0 is exact, 1 measures nothing");
    cm_page_labelled(page, "Worst", "largest difference on a kernel between the definition's value and the metric's");
    cm_page_labelled(page, "Stable", "the definition stays the same while tau or alpha changes by up to this factor");
}

static void put_threshold(const char *label, double value, cm_threshold_source source, const char *reason,
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

static void put_thresholds(const cm_benchmark_result *result, const cm_page *page)
{
    put_threshold("Tau", result->thresholds.tau, result->tau_source,
                  result->tau_choice != NULL ? result->tau_choice->reason : "", page);
    put_threshold("Alpha", result->thresholds.alpha, result->alpha_source,
                  result->alpha_choice != NULL ? result->alpha_choice->reason : "", page);
}

/* Below the metrics: what became of the events. */
static void put_counts(const cm_benchmark_result *result, const cm_page *page)
{
    char noisy[64], strange[128];
    int length = snprintf(strange, sizeof strange, "count something the kernels do not control");
    if (result->with_offset > 0)
        snprintf(strange + length, sizeof strange - (size_t)length, "; %zu of them with a constant per iteration",
                 result->with_offset);
    snprintf(noisy, sizeof noisy, "repetitions differ by more than tau = %.4g", result->thresholds.tau);
    const size_t *counts = result->status_counts;
    const struct {
        const char *name;
        size_t count;
        const char *meaning;
    } rows[] = {
        {"measured", cm_analysis_event_count(result->analysis), "in several repetitions; of these"},
        {"zero", counts[CM_EVENT_ZERO], "counted nothing in any kernel"},
        {"noisy", counts[CM_EVENT_NOISY], noisy},
        {"unrepresentable", counts[CM_EVENT_UNREPRESENTABLE], strange},
        {"dependent", counts[CM_EVENT_DEPENDENT], "combinations of selected events"},
        {"selected", counts[CM_EVENT_SELECTED], "independent: definitions use them"},
        {"unavailable", result->unavailable, "could not be counted here"},
        {"avoided", counts[CM_EVENT_AVOIDED], "left out, as asked"},
    };
    cm_page_label(page, "Events");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].count == 0 && strcmp(rows[i].name, "avoided") == 0)
            continue;
        fprintf(page->stream, "%*s%5zu %-16s", i == 0 ? 0 : CM_PAGE_LABEL, "", rows[i].count, rows[i].name);
        cm_text_wrap(rows[i].meaning, CM_PAGE_LABEL + 22, CM_PAGE_LABEL + 22, page->width, page->stream);
        fputc('\n', page->stream);
    }
}

static void put_selected(const cm_benchmark_result *result, const cm_page *page)
{
    cm_page_label(page, "Selected");
    size_t at = CM_PAGE_LABEL, count = cm_analysis_selected_count(result->analysis);
    for (size_t i = 0; i < count; i++) {
        const char *event = cm_analysis_event(result->analysis, cm_analysis_selected(result->analysis, i)).event;
        size_t width = cm_text_width(event);
        if (i > 0 && at + 1 + width > page->width) {
            fprintf(page->stream, "\n%*s", CM_PAGE_LABEL, "");
            at = CM_PAGE_LABEL;
        } else if (i > 0) {
            fputc(' ', page->stream);
            at++;
        }
        cm_text_put(event, page->stream);
        at += width;
    }
    fputs(count == 0 ? "none\n" : "\n", page->stream);
}

static size_t count_composable(const cm_benchmark_result *result)
{
    size_t composable = 0;
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        composable += result->fits[m] != NULL && result->fits[m]->composable;
    return composable;
}

/* Of the composable ones, those that were held against programs. */
static size_t count_held(const cm_benchmark_result *result)
{
    size_t held = 0;
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        held +=
            result->fits[m] != NULL && result->fits[m]->composable && cm_benchmark_result_validation(result, m) != NULL;
    return held;
}

/* Of definitions, or by the paper's method of selected events: those that have equivalents, and all. */
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

/* That there are other ways, where there are: which ones would take more room than the table itself. */
static void put_alternatives(const cm_benchmark_result *result, const cm_page *page)
{
    size_t metrics = 0, events, all;
    const size_t composable = count_composable(result);
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        metrics += result->alternatives[m].count > 0 && result->fits[m] != NULL && result->fits[m]->composable;
    count_equivalents(result, &events, &all);
    if (metrics == 0 && events == 0)
        return;
    char line[256];
    snprintf(line, sizeof line,
             "%zu of %zu composable metrics have definitions from other events, %zu of %zu %s have equivalents: "
             "`catmint explain` and JSON list them",
             metrics, composable, events, all, result->proofs == NULL ? "selected events" : "terms");
    cm_page_labelled(page, "Alternatives", line);
}

/* How many kernels that nothing was fitted to stood by. */
static void put_controls(const cm_benchmark_result *result, const cm_page *page)
{
    size_t most = 0;
    char line[128];
    if (result->proofs == NULL)
        return;
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        most = result->proofs[m].verdict.controls > most ? result->proofs[m].verdict.controls : most;
    if (most > 0)
        snprintf(line, sizeof line, "%zu kernels that nothing was fitted to", most);
    else
        snprintf(line, sizeof line, "none: definitions are not controlled");
    cm_page_labelled(page, "Controls", line);
}

static void put_dropped(const cm_benchmark_result *result, const cm_page *page)
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
        for (size_t i = 0; i < result->dropped_symbol_count; i++) {
            size_t width = cm_text_width(result->dropped_symbols[i]);
            if (at + 1 + width > page->width) {
                fprintf(stream, "\n%*s", CM_PAGE_LABEL, "");
                at = CM_PAGE_LABEL;
            } else {
                fputc(' ', stream);
                at++;
            }
            cm_text_put(result->dropped_symbols[i], stream);
            at += width;
        }
    }
    fputc('\n', stream);
}

static void put_benchmark(const cm_benchmark_result *result, const cm_page *page)
{
    char title[2 * CM_CORE_TEXT + 128];
    bool hybrid = result->core[0] != '\0';
    snprintf(title, sizeof title, "%.256s%s%s: %zu kernels, %zu ideal events", result->benchmark, hybrid ? " on " : "",
             result->core, result->basis->kernel_count, result->basis->symbol_count);
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_BOLD);
    cm_text_put(title, page->stream);
    fputc('\n', page->stream);
    for (size_t i = 0; i < cm_text_width(title); i++)
        fputc('=', page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
    cm_metrics_table_put(result, page);
    fputc('\n', page->stream);
    put_legend(result, page);
    put_thresholds(result, page);
    put_counts(result, page);
    put_selected(result, page);
    put_controls(result, page);
    put_alternatives(result, page);
    put_dropped(result, page);
}

/* "19 of 25 metrics defined, each held in 16 programs it was not fitted on", or what is said without programs. */
static void put_proven(const cm_results *results, size_t composable, size_t metrics, FILE *stream)
{
    size_t held = 0;
    for (size_t i = 0; i < results->benchmark_count; i++)
        held += count_held(results->benchmarks[i]);
    if (results->program_count == 0) {
        fprintf(stream, "%zu of %zu metric%s can be measured by these events", composable, metrics,
                metrics == 1 ? "" : "s");
        return;
    }
    fprintf(stream, "%zu of %zu metric%s defined", composable, metrics, metrics == 1 ? "" : "s");
    if (composable == 0)
        return;
    if (held == composable)
        fprintf(stream, ", each held in %zu programs it was not fitted on", results->program_count);
    else
        fprintf(stream, ", %zu held in %zu programs they were not fitted on, %zu not validated", held,
                results->program_count, composable - held);
}

/* The last line: how many metrics can be measured, in all and in each of several benchmarks. */
static cm_status put_summary(const cm_results *results, const cm_page *page, cm_error *error)
{
    char *text = NULL;
    size_t size = 0, composable = 0, metrics = 0;
    for (size_t i = 0; i < results->benchmark_count; i++) {
        composable += count_composable(results->benchmarks[i]);
        metrics += results->benchmarks[i]->signatures->metric_count;
    }
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return cm_error_no_memory(error);
    put_proven(results, composable, metrics, stream);
    for (size_t i = 0; results->benchmark_count > 1 && i < results->benchmark_count; i++)
        fprintf(stream, "%s %s%s%s %zu of %zu", i == 0 ? ":" : ",", results->benchmarks[i]->benchmark,
                results->part_count != 0 ? " on " : "", results->benchmarks[i]->core,
                count_composable(results->benchmarks[i]), results->benchmarks[i]->signatures->metric_count);
    const bool whole = fclose(stream) == 0;
    if (whole) {
        fputc('\n', page->stream);
        cm_page_labelled(page, "Summary", text);
    }
    free(text);
    return whole ? cm_validation_notes(results, page, error) : cm_error_no_memory(error);
}

cm_status cm_results_put_table(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    const cm_results *results = content;
    bool short_of_memory; /* a stream that fails is seen by the caller */
    const cm_page page = cm_page_make(style, stream, &short_of_memory);
    put_head(results, &page);
    for (size_t i = 0; i < results->benchmark_count; i++)
        put_benchmark(results->benchmarks[i], &page);
    cm_status status = results->part_count != 0 ? cm_cores_put_table(results, &page, error) : CM_OK;
    if (status == CM_OK)
        status = put_summary(results, &page, error);
    return short_of_memory ? cm_error_no_memory(error) : status;
}
