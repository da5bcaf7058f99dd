/* What became of definitions in programs that nobody fitted. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/figures.h"
#include "core/json_value.h"
#include "core/json_writer.h"
#include "discovery/benchmark_result.h"
#include "report/page.h"
#include "report/results.h"
#include "report/validation.h"

enum { GAP = 2, VERDICT = 13, PROGRAMS = 8, FIGURE = 8, INDENT = 4 };

/* ---- for people ---- */

static const char *verdict_of(const cm_benchmark_result *result, size_t metric)
{
    const cm_validation *validation = cm_benchmark_result_validation(result, metric);
    const cm_fit *fit = result->fits[metric];
    if (validation == NULL)
        return fit != NULL && fit->composable ? "not validated" : "not defined";
    return validation->refuted ? "refuted" : "held";
}

static size_t widest_metric(const cm_results *results)
{
    size_t widest = strlen("Metric");
    for (size_t b = 0; b < results->benchmark_count; b++)
        for (size_t i = 0; i < cm_benchmark_result_metric_count(results->benchmarks[b]); i++) {
            size_t width = cm_text_width(cm_benchmark_result_metric_name(results->benchmarks[b], i));
            widest = width > widest ? width : widest;
        }
    return widest;
}

void cm_validation_reason(const cm_validation *validation, double tolerance, char *text, size_t size)
{
    char worst[CM_NUMBER_SIZE], median[CM_NUMBER_SIZE];
    snprintf(
        text, size,
        "refuted: off by %s in the median of %zu programs that nobody fitted, expected at most %.3g %%; worst is %s: "
        "%s off",
        cm_percent_text(validation->median, median), validation->programs, 100.0 * CM_VALIDATION_FACTOR * tolerance,
        validation->worst_program, cm_percent_text(validation->worst, worst));
}

/* Below the metric. */
static void put_reason(const cm_benchmark_result *result, size_t metric, const cm_page *page)
{
    char text[CM_PROGRAM_WORDS + 256];
    cm_validation_reason(cm_benchmark_result_validation(result, metric), result->thresholds.residual, text,
                         sizeof text);
    fprintf(page->stream, "%*s", INDENT, "");
    cm_page_mark(page, CM_MARK_DIM);
    cm_text_wrap(text, INDENT, INDENT, page->width, page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
}

static void put_metric(const cm_benchmark_result *result, size_t metric, size_t width, const cm_page *page)
{
    const cm_validation *validation = cm_benchmark_result_validation(result, metric);
    const char *verdict = verdict_of(result, metric);
    char median[CM_NUMBER_SIZE] = "-", worst[CM_NUMBER_SIZE] = "-";
    if (validation != NULL) {
        cm_percent_text(validation->median, median);
        cm_percent_text(validation->worst, worst);
    }
    cm_page_put(page, cm_benchmark_result_metric_name(result, metric), width + GAP);
    cm_page_mark(page, validation == NULL ? CM_MARK_DIM : validation->refuted ? CM_MARK_BAD : CM_MARK_GOOD);
    cm_page_put(page, verdict, VERDICT + GAP);
    cm_page_mark(page, CM_MARK_PLAIN);
    fprintf(page->stream, "%*zu%*s%*s%*s%*s\n", PROGRAMS, validation != NULL ? validation->programs : 0, GAP, "",
            FIGURE, median, GAP, "", FIGURE, worst);
    if (validation != NULL && validation->refuted)
        put_reason(result, metric, page);
}

static void put_summary(const cm_results *results, const cm_page *page)
{
    size_t held = 0, refuted = 0, others = 0;
    char text[256];
    for (size_t b = 0; b < results->benchmark_count; b++)
        for (size_t i = 0; i < cm_benchmark_result_metric_count(results->benchmarks[b]); i++) {
            const char *verdict = verdict_of(results->benchmarks[b], i);
            held += strcmp(verdict, "held") == 0;
            refuted += strcmp(verdict, "refuted") == 0;
            others += strcmp(verdict, "not validated") == 0;
        }
    snprintf(text, sizeof text,
             "%zu definition%s held in %zu programs that nobody fitted (seed %llu), %zu refuted, %zu not validated",
             held, held == 1 ? "" : "s", results->program_count, (unsigned long long)results->program_seed, refuted,
             others);
    fputc('\n', page->stream);
    cm_page_labelled(page, "Summary", text);
}

static cm_status put_table(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    const cm_results *results = content;
    bool short_of_memory;
    const cm_page page = cm_page_make(style, stream, &short_of_memory);
    size_t width = widest_metric(results);
    for (size_t b = 0; b < results->benchmark_count; b++) {
        const cm_benchmark_result *result = results->benchmarks[b];
        fprintf(stream, "%s", b != 0 ? "\n" : "");
        cm_page_mark(&page, CM_MARK_BOLD);
        fprintf(stream, "%s\n", cm_benchmark_result_name(result));
        fprintf(stream, "%-*s%-*s%*s%*s%*s%*s%*s\n", (int)(width + GAP), "Metric", VERDICT + GAP, "Verdict", PROGRAMS,
                "Programs", GAP, "", FIGURE, "Median", GAP, "", FIGURE, "Worst");
        cm_page_mark(&page, CM_MARK_PLAIN);
        for (size_t i = 0; i < cm_benchmark_result_metric_count(result); i++)
            put_metric(result, i, width, &page);
    }
    put_summary(results, &page);
    return short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

/* ---- for programs ---- */

json_t *cm_json_validation(const cm_benchmark_result *result, size_t metric)
{
    const cm_validation *validation = cm_benchmark_result_validation(result, metric);
    if (validation == NULL)
        return json_null();
    return json_pack("{s:I, s:I, s:I, s:o, s:o, s:o}", "programs", (json_int_t)validation->programs, "seed",
                     (json_int_t)validation->seed, "failed", (json_int_t)validation->failed, "worst",
                     cm_json_number(validation->worst), "median", cm_json_number(validation->median), "refuted_by",
                     validation->refuted ? json_string(validation->worst_program) : json_null());
}

static json_t *metrics_json(const cm_benchmark_result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < cm_benchmark_result_metric_count(result); i++)
        array = cm_json_append(array, json_pack("{s:s, s:s, s:o}", "metric", cm_benchmark_result_metric_name(result, i),
                                                "verdict", verdict_of(result, i), "validation",
                                                cm_json_validation(result, i)));
    return array;
}

static cm_status put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    const cm_results *results = content;
    json_t *array = json_array();
    for (size_t b = 0; b < results->benchmark_count; b++)
        array =
            cm_json_append(array, json_pack("{s:s, s:o, s:o}", "benchmark", results->benchmarks[b]->benchmark,
                                            "tolerance", cm_json_number(results->benchmarks[b]->thresholds.residual),
                                            "metrics", metrics_json(results->benchmarks[b])));
    json_t *document = json_pack("{s:s, s:s?, s:I, s:I, s:o}", "schema", "catmint.validation/1", "pmu", results->pmu,
                                 "seed", (json_int_t)results->program_seed, "programs",
                                 (json_int_t)results->program_count, "benchmarks", array);
    return cm_json_print(document, stream, error);
}

static cm_report report_of(const cm_results *results)
{
    return (cm_report){"the validation", results, {[CM_FORMAT_TABLE] = put_table, [CM_FORMAT_JSON] = put_json}};
}

cm_status cm_results_write_validation(const cm_results *results, const cm_style *style, FILE *stream, cm_error *error)
{
    const cm_report report = report_of(results);
    return cm_report_write(&report, style, stream, error);
}

cm_status cm_results_save_validation(const cm_results *results, const cm_style *style, const char *path,
                                     cm_error *error)
{
    const cm_report report = report_of(results);
    return cm_report_save(&report, style, path, error);
}
