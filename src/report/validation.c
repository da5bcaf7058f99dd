/* The verdicts of programs that were not used for fitting. */
#include "report/report.h"
#include "result/rows.h"

enum { GAP = 2, VERDICT = 13, PROGRAMS = 8, FIGURE = 8, INDENT = 4 };

/* ---- for people ---- */

/* "refuted", "held", "not validated" or "not defined". */
static const char *verdict_of(const cm_benchmark_result *result, size_t metric)
{
    const cm_validation *programs = cm_benchmark_result_validation(result, metric);
    const cm_validation *workloads = cm_benchmark_result_workloads(result, metric);
    const cm_fit *fit = result->fits[metric];
    if ((programs != NULL && programs->refuted) || (workloads != NULL && workloads->refuted))
        return "refuted";
    if (programs != NULL || workloads != NULL)
        return "held";
    bool defined = fit != NULL && (fit->composable || cm_benchmark_result_pending(result, metric));
    return defined ? "not validated" : "not defined";
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

/* Writes why programs refute the definition; `subjects` are "programs" or "workloads". */
static void describe_refuted(const cm_validation *validation, const char *subjects, double tolerance, char *text,
                             size_t size)
{
    char worst[CM_NUMBER_SIZE], median[CM_NUMBER_SIZE], class[CM_PROGRAM_TITLE + 16] = "";
    if (validation->worst_class[0] != '\0')
        snprintf(class, sizeof class, " of class '%s'", validation->worst_class);
    snprintf(text, size,
             "refuted: off by %s in the median of %s%s that were not used for fitting, expected at most %.3g %%; of "
             "%zu the worst is %s: %s off",
             cm_percent_text(validation->median, median), subjects, class, 100.0 * CM_VALIDATION_FACTOR * tolerance,
             validation->programs, validation->worst_program, cm_percent_text(validation->worst, worst));
}

bool cm_validation_reason(const cm_benchmark_result *result, size_t metric, char *text, size_t size)
{
    const cm_validation *programs = cm_benchmark_result_validation(result, metric);
    const cm_validation *workloads = cm_benchmark_result_workloads(result, metric);
    double tolerance = result->thresholds.residual;
    if (programs != NULL && programs->refuted)
        describe_refuted(programs, "programs", tolerance, text, size);
    else if (workloads != NULL && workloads->refuted)
        describe_refuted(workloads, "workloads", tolerance, text, size);
    else if (cm_benchmark_result_pending(result, metric))
        snprintf(text, size,
                 "programs refuted the previous definition, and no fresh ones have judged this one: 'catmint validate' "
                 "has them do so");
    else
        return false;
    return true;
}

/* Writes the reason below the metric. */
static void write_reason(const cm_benchmark_result *result, size_t metric, const cm_page *page)
{
    char text[CM_PROGRAM_WORDS + 256];
    if (!cm_validation_reason(result, metric, text, sizeof text))
        return;
    fprintf(page->stream, "%*s", INDENT, "");
    cm_page_mark(page, CM_MARK_DIM);
    cm_text_wrap(text, INDENT, INDENT, page->width, page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
}

static void write_figures(const cm_validation *validation, FILE *stream)
{
    char median[CM_NUMBER_SIZE] = "-", worst[CM_NUMBER_SIZE] = "-";
    if (validation != NULL) {
        cm_percent_text(validation->median, median);
        cm_percent_text(validation->worst, worst);
    }
    fprintf(stream, "%*zu%*s%*s%*s%*s", PROGRAMS, validation != NULL ? validation->programs : 0, GAP, "", FIGURE,
            median, GAP, "", FIGURE, worst);
}

/* Writes the verdict of a metric, and its deviations in programs and workloads. */
static void write_metric(const cm_benchmark_result *result, size_t metric, size_t width, bool workloads,
                         const cm_page *page)
{
    const char *verdict = verdict_of(result, metric);
    bool refuted = strcmp(verdict, "refuted") == 0, held = strcmp(verdict, "held") == 0;
    cm_page_write(page, cm_benchmark_result_metric_name(result, metric), width + GAP);
    cm_page_mark(page, refuted ? CM_MARK_BAD : held ? CM_MARK_GOOD : CM_MARK_DIM);
    cm_page_write(page, verdict, VERDICT + GAP);
    cm_page_mark(page, CM_MARK_PLAIN);
    write_figures(cm_benchmark_result_validation(result, metric), page->stream);
    if (workloads) {
        fprintf(page->stream, "%*s", GAP + 1, "");
        write_figures(cm_benchmark_result_workloads(result, metric), page->stream);
    }
    fputc('\n', page->stream);
    write_reason(result, metric, page);
}

/* ---- the end of a report ---- */

typedef enum note { TOO_LITTLE, BEYOND } note;

/* Writes the metric's part of a note; nothing if the note does not concern it. */
static void note_metric(const cm_results *results, const cm_benchmark_result *result, size_t metric, note kind,
                        FILE *stream, size_t *count)
{
    char worst[CM_NUMBER_SIZE];
    const cm_validation *validation = cm_benchmark_result_validation(result, metric);
    if (validation == NULL || validation->refuted)
        return;
    const char *name = cm_benchmark_result_metric_name(result, metric);
    if (kind == TOO_LITTLE && validation->programs < results->program_count)
        fprintf(stream, "%s%s %zu", (*count)++ == 0 ? "" : ", ", name, validation->programs);
    else if (kind == BEYOND && validation->failed > 0)
        fprintf(stream, "%s%s in %zu of %zu programs, at most %s", (*count)++ == 0 ? "" : "; ", name,
                validation->failed, validation->programs, cm_percent_text(validation->worst, worst));
}

/* Writes a note that lists metrics, if there are any. */
static cm_status write_note(const cm_results *results, note kind, const cm_page *page, cm_error *error)
{
    char *text = NULL;
    size_t size = 0, count = 0;
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return cm_error_no_memory(error);
    if (kind == TOO_LITTLE)
        fprintf(stream, "metrics judged by fewer than %zu %s, as the others have less than %.0f of them a run: ",
                results->program_count, cm_plural(results->program_count, "program", "programs"), CM_VALIDATION_LEAST);
    else
        fputs("beyond the limit of the median: ", stream);
    for (size_t b = 0; b < results->benchmark_count; b++)
        for (size_t i = 0; i < cm_benchmark_result_metric_count(results->benchmarks[b]); i++)
            note_metric(results, results->benchmarks[b], i, kind, stream, &count);
    const bool whole = fclose(stream) == 0;
    if (whole && count > 0)
        cm_page_labelled(page, kind == TOO_LITTLE ? "Judged" : "Worst", text);
    free(text);
    return whole ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_validation_notes(const cm_results *results, const cm_page *page, cm_error *error)
{
    if (results->program_count == 0)
        return CM_OK;
    cm_status status = write_note(results, TOO_LITTLE, page, error);
    return status == CM_OK ? write_note(results, BEYOND, page, error) : status;
}

/* Writes the numbers of judged definitions, and the notes on them. */
static cm_status write_summary(const cm_results *results, const cm_page *page, cm_error *error)
{
    size_t held = 0, refuted = 0, others = 0;
    char text[256], workloads[64] = "";
    for (size_t b = 0; b < results->benchmark_count; b++)
        for (size_t i = 0; i < cm_benchmark_result_metric_count(results->benchmarks[b]); i++) {
            const char *verdict = verdict_of(results->benchmarks[b], i);
            held += strcmp(verdict, "held") == 0;
            refuted += strcmp(verdict, "refuted") == 0;
            others += strcmp(verdict, "not validated") == 0;
        }
    if (results->workload_count != 0)
        snprintf(workloads, sizeof workloads, " and %zu workloads", results->workload_count);
    snprintf(text, sizeof text,
             "%zu definition%s held in %zu %s%s that were not used for fitting (seed %llu), %zu refuted, %zu not "
             "validated",
             held, held == 1 ? "" : "s", results->program_count,
             cm_plural(results->program_count, "program", "programs"), workloads,
             (unsigned long long)results->program_seed, refuted, others);
    fputc('\n', page->stream);
    cm_page_labelled(page, "Summary", text);
    return cm_validation_notes(results, page, error);
}

/* The benchmark and the heads of the columns, those of workloads only if there are any. */
static void write_heading(const cm_benchmark_result *result, size_t width, bool workloads, const cm_page *page)
{
    cm_page_mark(page, CM_MARK_BOLD);
    fprintf(page->stream, "%s%s%s\n", cm_benchmark_result_name(result), result->core[0] != '\0' ? " on " : "",
            result->core);
    fprintf(page->stream, "%-*s%-*s%*s%*s%*s%*s%*s", (int)(width + GAP), "Metric", VERDICT + GAP, "Verdict", PROGRAMS,
            "Programs", GAP, "", FIGURE, "Median", GAP, "", FIGURE, "Worst");
    if (workloads)
        fprintf(page->stream, "%*s%*s%*s%*s%*s%*s", GAP, "", PROGRAMS + 1, "Workloads", GAP, "", FIGURE, "Median", GAP,
                "", FIGURE, "Worst");
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
}

/* Writes the verdict of programs on each metric. */
static cm_status write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_results *results = content;
    bool short_of_memory, workloads = results->workload_count != 0;
    const cm_page page = cm_page_make(style, stream, &short_of_memory);
    size_t width = widest_metric(results);
    for (size_t b = 0; b < results->benchmark_count; b++) {
        const cm_benchmark_result *result = results->benchmarks[b];
        fprintf(stream, "%s", b != 0 ? "\n" : "");
        write_heading(result, width, workloads, &page);
        for (size_t i = 0; i < cm_benchmark_result_metric_count(result); i++)
            write_metric(result, i, width, workloads, &page);
    }
    cm_status status = write_summary(results, &page, error);
    return short_of_memory ? cm_error_no_memory(error) : status;
}

/* ---- for programs ---- */

typedef struct judged_metric {
    const char *metric, *verdict;
    const cm_defined_trial *programs, *workloads;
} judged_metric;

typedef struct judged_benchmark {
    const char *benchmark, *core;
    double tolerance;
    size_t metric_count;
    const judged_metric *metrics;
} judged_benchmark;

typedef struct judgement {
    const char *schema, *pmu;
    size_t seed, programs, workloads, benchmark_count;
    const judged_benchmark *benchmarks;
} judgement;

#define OF judged_metric
static const cm_field metric_rows[] = {
    FIELD(TEXT, "metric", metric, .limits = "'minLength': 1"),
    FIELD(TEXT, "verdict", verdict, .limits = "'enum': ['held', 'refuted', 'not validated', 'not defined']"),
    FIELD(OBJECT, "validation", programs, .rules = CM_NULLABLE, .of = &cm_result_trial_fields,
          .says = "null: no program judged the definition."),
    FIELD(OBJECT, "workloads", workloads, .rules = CM_NULLABLE | CM_OPTIONAL, .of = &cm_result_trial_fields,
          .says = "The same of workloads, whose seed is 0."),
};
static const cm_fields metric_fields = {FIELDS(metric_rows)};
#undef OF

#define OF judged_benchmark
static const cm_field benchmark_rows[] = {
    FIELD(TEXT, "benchmark", benchmark, .limits = "'minLength': 1"),
    FIELD(FIGURE, "tolerance", tolerance, .says = "A median deviation above 1.5 times this refutes a definition."),
    LIST(ITEMS, "metrics", metrics, metric_count, .of = &metric_fields, .says = "In the order of the signatures."),
    FIELD(TEXT, "core", core, .rules = CM_OMITTED, .text = "", .limits = "'minLength': 1",
          .says = "Of a hybrid processor: the type of cores; else missing."),
};
static const cm_fields benchmark_fields = {FIELDS(benchmark_rows)};
#undef OF

#define OF judgement
static const cm_field document_rows[] = {
    FIELD(TEXT, "schema", schema, .limits = "'const': 'catmint.validation/1'"),
    FIELD(TEXT, "pmu", pmu, .limits = "'pattern': '^(hardware|software:.+)$'", .says = "The PMU that counted."),
    FIELD(WHOLE, "seed", seed, .says = "Of the programs."),
    FIELD(WHOLE, "programs", programs, .limits = "'minimum': 1"),
    FIELD(WHOLE, "workloads", workloads, .rules = CM_OPTIONAL, .says = "Their number; 0: none were counted."),
    LIST(ITEMS, "benchmarks", benchmarks, benchmark_count, .of = &benchmark_fields),
};
const cm_fields cm_validation_fields = {FIELDS(document_rows)};
#undef OF

static judged_benchmark judge_benchmark(const cm_benchmark_result *result, cm_filler *filler)
{
    size_t count = cm_benchmark_result_metric_count(result);
    judged_metric *metrics = cm_filler_allocate(filler, count, sizeof *metrics);
    for (size_t i = 0; i < count && metrics != NULL; i++)
        metrics[i] = (judged_metric){cm_benchmark_result_metric_name(result, i), verdict_of(result, i),
                                     cm_fill_trial(cm_benchmark_result_validation(result, i), filler),
                                     cm_fill_trial(cm_benchmark_result_workloads(result, i), filler)};
    return (judged_benchmark){result->benchmark, result->core, result->thresholds.residual, count, metrics};
}

/* Writes the judgements as catmint.validation/1. */
static cm_status write_json(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    const cm_results *results = content;
    cm_arena arena = {0};
    cm_filler filler = {.arena = &arena};
    judged_benchmark *benchmarks = cm_filler_allocate(&filler, results->benchmark_count, sizeof *benchmarks);
    for (size_t b = 0; b < results->benchmark_count && benchmarks != NULL; b++)
        benchmarks[b] = judge_benchmark(results->benchmarks[b], &filler);
    const judgement document = {"catmint.validation/1",
                                results->origin.pmu,
                                results->program_seed,
                                results->program_count,
                                results->workload_count,
                                results->benchmark_count,
                                benchmarks};
    cm_status status = filler.short_of_memory ? cm_error_no_memory(error)
                                              : cm_fields_write(&cm_validation_fields, &document, stream, error);
    cm_arena_clear(&arena);
    return status;
}

static const cm_report report = {
    "the validation", NULL, {[CM_FORMAT_TABLE] = write_table, [CM_FORMAT_JSON] = write_json}};

CM_REPORT_WRITE(cm_results_write_validation, cm_results)
CM_REPORT_SAVE(cm_results_save_validation, cm_results)
