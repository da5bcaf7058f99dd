/* The verdicts of programs that were not used for fitting. */
#include "report/report.h"
#include "result/rows.h"

enum { VERDICT_WIDTH = 13, PROGRAMS = 8, FIGURE = 8, REASON_INDENT = 4 };

/* ---- for people ---- */

static const char *text_of_verdict(int verdict)
{
    static const char *const texts[] = {
        [CM_METRIC_NOT_DEFINED] = "not defined",
        [CM_METRIC_NOT_VALIDATED] = "not validated",
        [CM_METRIC_HELD] = "held",
        [CM_METRIC_REFUTED] = "refuted",
    };
    return texts[verdict];
}

static size_t widest_metric_of_document(const cm_definitions *document)
{
    size_t widest = strlen("Metric");
    for (size_t i = 0, count = cm_definitions_count(document); i < count; i++) {
        size_t width = cm_text_width(cm_definitions_get(document, i)->metric);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Writes why programs refute the definition; `subjects` are "programs" or "workloads". */
static void describe_refuted(const cm_defined_trial *trial, const char *subjects, double tolerance, char *text,
                             size_t size)
{
    char worst[CM_NUMBER_SIZE], median[CM_NUMBER_SIZE], class[CM_PROGRAM_TITLE + 16] = "";
    if (trial->worst_class[0] != '\0')
        snprintf(class, sizeof class, " of class '%s'", trial->worst_class);
    snprintf(text, size,
             "refuted: off by %s in the median of %s%s that were not used for fitting, expected at most %.3g %%; of "
             "%zu the worst is %s: %s off",
             cm_percent_text(trial->median, median), subjects, class, 100.0 * CM_VALIDATION_FACTOR * tolerance,
             trial->programs, trial->worst_program, cm_percent_text(trial->worst, worst));
}

bool cm_validation_reason(const cm_defined_metric *metric, double tolerance, char *text, size_t size)
{
    if (cm_is_refuted(metric->programs))
        describe_refuted(metric->programs, "programs", tolerance, text, size);
    else if (cm_is_refuted(metric->workloads))
        describe_refuted(metric->workloads, "workloads", tolerance, text, size);
    else if (metric->obstacle == CM_OBSTACLE_PROGRAMS)
        snprintf(text, size,
                 "programs refuted the previous definition, and no fresh ones have judged this one: 'catmint validate' "
                 "has them do so");
    else
        return false;
    return true;
}

/* Writes the reason below the metric. */
static void write_verdict_reason(const cm_defined_metric *metric, double tolerance, const cm_page *page)
{
    char text[CM_PROGRAM_WORDS + 256];
    if (!cm_validation_reason(metric, tolerance, text, sizeof text))
        return;
    fprintf(page->stream, "%*s", REASON_INDENT, "");
    cm_page_mark(page, CM_MARK_DIM);
    cm_text_wrap(text, REASON_INDENT, REASON_INDENT, page->width, page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
}

static void write_figures(const cm_defined_trial *trial, FILE *stream)
{
    char median[CM_NUMBER_SIZE] = "-", worst[CM_NUMBER_SIZE] = "-";
    if (trial != NULL) {
        cm_percent_text(trial->median, median);
        cm_percent_text(trial->worst, worst);
    }
    fprintf(stream, "%*zu%*s%*s%*s%*s", PROGRAMS, trial != NULL ? trial->programs : 0, CM_COLUMN_GAP, "", FIGURE,
            median, CM_COLUMN_GAP, "", FIGURE, worst);
}

/* Writes the verdict of a metric, and its deviations in programs and workloads. */
static void write_validated_metric(const cm_defined_metric *metric, double tolerance, size_t width, bool workloads,
                                   const cm_page *page)
{
    cm_page_write(page, metric->metric, width + CM_COLUMN_GAP);
    cm_page_mark(page, metric->verdict == CM_METRIC_REFUTED ? CM_MARK_BAD
                       : metric->verdict == CM_METRIC_HELD  ? CM_MARK_GOOD
                                                            : CM_MARK_DIM);
    cm_page_write(page, text_of_verdict(metric->verdict), VERDICT_WIDTH + CM_COLUMN_GAP);
    cm_page_mark(page, CM_MARK_PLAIN);
    write_figures(metric->programs, page->stream);
    if (workloads) {
        fprintf(page->stream, "%*s", CM_COLUMN_GAP + 1, "");
        write_figures(metric->workloads, page->stream);
    }
    fputc('\n', page->stream);
    write_verdict_reason(metric, tolerance, page);
}

/* ---- the end of a report ---- */

typedef enum note { TOO_LITTLE, BEYOND } note;

/* Writes the metric's part of a note; nothing if the note does not concern it. */
static void note_metric(const cm_definitions *document, const cm_defined_metric *metric, note kind, FILE *stream,
                        size_t *count)
{
    char worst[CM_NUMBER_SIZE];
    const cm_defined_trial *trial = metric->programs;
    if (trial == NULL || cm_is_refuted(trial))
        return;
    if (kind == TOO_LITTLE && trial->programs < document->program_count)
        fprintf(stream, "%s%s %zu", (*count)++ == 0 ? "" : ", ", metric->metric, trial->programs);
    else if (kind == BEYOND && trial->failed > 0)
        fprintf(stream, "%s%s in %zu of %zu programs, at most %s", (*count)++ == 0 ? "" : "; ", metric->metric,
                trial->failed, trial->programs, cm_percent_text(trial->worst, worst));
}

/* Writes a note that lists metrics, if there are any. */
static void write_metrics_note(const cm_definitions *document, note kind, const cm_page *page)
{
    char *text = NULL;
    size_t count = 0;
    FILE *stream = cm_page_begin_text(page, &text);
    if (stream == NULL)
        return;
    if (kind == TOO_LITTLE)
        fprintf(stream, "metrics judged by fewer than %zu %s, as the others have less than %.0f of them a run: ",
                document->program_count, cm_plural(document->program_count, "program", "programs"),
                CM_VALIDATION_LEAST);
    else
        fputs("beyond the limit of the median: ", stream);
    for (size_t i = 0, metrics = cm_definitions_count(document); i < metrics; i++)
        note_metric(document, cm_definitions_get(document, i), kind, stream, &count);
    if (cm_page_end_text(page, stream, &text) != NULL && count > 0)
        cm_page_labelled(page, kind == TOO_LITTLE ? "Judged" : "Worst", text);
    free(text);
}

void cm_validation_notes(const cm_definitions *document, const cm_page *page)
{
    for (note kind = TOO_LITTLE; document->program_count > 0 && kind <= BEYOND; kind++)
        write_metrics_note(document, kind, page);
}

/* Writes the numbers of judged definitions, and the notes on them. */
static void write_validation_summary(const cm_definitions *document, const cm_page *page)
{
    size_t verdicts[CM_METRIC_REFUTED + 1] = {0};
    char workloads[64] = "";
    for (size_t i = 0, count = cm_definitions_count(document); i < count; i++)
        verdicts[cm_definitions_get(document, i)->verdict]++;
    if (document->workload_count != 0)
        snprintf(workloads, sizeof workloads, " and %zu workloads", document->workload_count);
    fputc('\n', page->stream);
    cm_page_write_labelled(
        page, "Summary",
        "%zu definition%s held in %zu %s%s that were not used for fitting (seed %zu), %zu refuted, %zu not validated",
        verdicts[CM_METRIC_HELD], verdicts[CM_METRIC_HELD] == 1 ? "" : "s", document->program_count,
        cm_plural(document->program_count, "program", "programs"), workloads, document->program_seed,
        verdicts[CM_METRIC_REFUTED], verdicts[CM_METRIC_NOT_VALIDATED]);
    cm_validation_notes(document, page);
}

/* The benchmark and the heads of the columns, those of workloads only if there are any. */
static void write_validation_heading(const cm_defined_benchmark *listed, size_t width, bool workloads,
                                     const cm_page *page)
{
    cm_page_mark(page, CM_MARK_BOLD);
    fprintf(page->stream, "%s%s%s\n", listed->benchmark, listed->core[0] != '\0' ? " on " : "", listed->core);
    fprintf(page->stream, "%-*s%-*s%*s%*s%*s%*s%*s", (int)(width + CM_COLUMN_GAP), "Metric",
            VERDICT_WIDTH + CM_COLUMN_GAP, "Verdict", PROGRAMS, "Programs", CM_COLUMN_GAP, "", FIGURE, "Median",
            CM_COLUMN_GAP, "", FIGURE, "Worst");
    if (workloads)
        fprintf(page->stream, "%*s%*s%*s%*s%*s%*s", CM_COLUMN_GAP, "", PROGRAMS + 1, "Workloads", CM_COLUMN_GAP, "",
                FIGURE, "Median", CM_COLUMN_GAP, "", FIGURE, "Worst");
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
}

/* Writes the verdict of programs on each metric. */
static void write_verdicts_table(const void *content, const cm_page *page)
{
    const cm_definitions *document = content;
    const bool workloads = document->workload_count != 0;
    size_t width = widest_metric_of_document(document);
    for (size_t b = 0; b < document->benchmark_count; b++) {
        const cm_read_benchmark *benchmark = &document->benchmarks[b];
        fputs(b != 0 ? "\n" : "", page->stream);
        write_validation_heading(&benchmark->listed, width, workloads, page);
        for (size_t i = 0; i < benchmark->metric_count; i++)
            write_validated_metric(&benchmark->metrics[i], benchmark->listed.residual, width, workloads, page);
    }
    write_validation_summary(document, page);
}

/* ---- for programs ---- */

#define OF cm_defined_metric
static const cm_field_words verdicts = {.text = text_of_verdict, .count = CM_METRIC_REFUTED + 1};
static const cm_field validated_metric_rows[] = {
    FIELD(TEXT, "metric", metric, .limits = "'minLength': 1"),
    FIELD(WORD, "verdict", verdict, .words = &verdicts),
    FIELD(OBJECT, "validation", programs, .rules = CM_NULLABLE, .of = &cm_result_trial_fields,
          .says = "null: no program judged the definition."),
    FIELD(OBJECT, "workloads", workloads, .rules = CM_NULLABLE | CM_OPTIONAL, .of = &cm_result_trial_fields,
          .says = "The same of workloads, whose seed is 0."),
};
static const cm_fields metric_fields = {FIELDS(validated_metric_rows)};
#undef OF

#define OF cm_read_benchmark
static const cm_field benchmark_rows[] = {
    FIELD(TEXT, "benchmark", listed.benchmark, .limits = "'minLength': 1"),
    FIELD(FIGURE, "tolerance", listed.residual,
          .says = "A median deviation above 1.5 times this refutes a definition."),
    LIST(ITEMS, "metrics", metrics, metric_count, .of = &metric_fields, .says = "In the order of the signatures."),
    FIELD(TEXT, "core", listed.core, .rules = CM_OMITTED, .text = "", .limits = "'minLength': 1",
          .says = "Of a hybrid processor: the type of cores; else missing."),
};
static const cm_fields benchmark_fields = {FIELDS(benchmark_rows)};
#undef OF

#define OF cm_definitions
static const cm_field validation_rows[] = {
    FIELD(TEXT, "schema", schema, .limits = "'const': 'catmint.validation/1'"),
    FIELD(TEXT, "pmu", pmu, .limits = "'pattern': '^(hardware|software:.+)$'", .says = "The PMU that counted."),
    FIELD(WHOLE, "seed", program_seed, .says = "Of the programs."),
    FIELD(WHOLE, "programs", program_count, .limits = "'minimum': 1"),
    FIELD(WHOLE, "workloads", workload_count, .rules = CM_OPTIONAL, .says = "Their number; 0: none were counted."),
    LIST(ITEMS, "benchmarks", benchmarks, benchmark_count, .of = &benchmark_fields),
};
const cm_fields cm_validation_fields = {FIELDS(validation_rows)};
#undef OF

/* Writes the document with the schema catmint.validation/1. */
static cm_status write_validation_json(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    cm_definitions document = *(const cm_definitions *)content;
    document.schema = "catmint.validation/1";
    return cm_fields_write(&cm_validation_fields, &document, stream, error);
}

static const cm_report validation_report = {"the validation", .forms = {[CM_FORMAT_JSON] = write_validation_json},
                                            .page = write_verdicts_table};

CM_REPORT_RESULTS_WRITE(cm_results_write_validation, validation_report)
CM_REPORT_RESULTS_SAVE(cm_results_save_validation, validation_report)
