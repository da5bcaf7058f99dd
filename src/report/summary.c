/* The first answers for a person: which PMU counted, how many metrics are defined, and why the others are not. */
#include "report/report.h"

enum { MOST_LINES = 10, COUNT = 9 };

/* ---- the first lines ---- */

/* Hardware alone is disturbed: the software PMU counts executed instructions, however long they take. */
static void write_disturbances(const cm_definitions *document, const cm_page *page)
{
    char line[1024] = "";
    if (document->pmu == NULL || strcmp(document->pmu, "hardware") != 0)
        return;
    for (size_t i = 0; i < document->finding_count; i++) {
        const cm_read_finding *finding = &document->findings[i];
        if (finding->finding != NULL && finding->severity != NULL && strcmp(finding->severity, "note") != 0)
            cm_text_append(line, sizeof line, ", ", "%.64s", finding->finding);
    }
    if (line[0] != '\0') {
        cm_text_append(line, sizeof line, "", "; 'catmint doctor' gives advice");
        cm_page_labelled(page, "Disturbed by", line);
    }
}

/* "dcache 12 of 300 events, tlb none; ..." */
static void write_incomplete(const cm_definitions *document, const cm_page *page)
{
    char line[1024] = "";
    for (size_t i = 0; i < document->lack_count; i++) {
        const cm_lack *lack = &document->incomplete[i];
        cm_text_append(line, sizeof line, ", ", "%.64s%s%.64s %zu of %zu events", lack->benchmark,
                       lack->core[0] != '\0' ? " on " : "", lack->core, lack->counted, lack->of);
    }
    cm_text_append(line, sizeof line, "", ": the sweep was ended early; 'catmint sweep --resume' counts the rest");
    if (document->incomplete != NULL)
        cm_page_labelled(page, "Incomplete", line);
}

void cm_summary_write_head(const cm_definitions *document, const cm_page *page)
{
    char line[1024];
    if (document->pmu == NULL)
        snprintf(line, sizeof line, "unknown, a measurement table does not name it");
    else if (document->pmu_reason[0] == '\0')
        snprintf(line, sizeof line, "%s", document->pmu);
    else
        snprintf(line, sizeof line, "%s: %s", document->pmu, document->pmu_reason);
    cm_page_labelled(page, "PMU", line);
    const char *gpu = json_string_value(json_object_get(document->described, "gpu"));
    if (gpu != NULL)
        cm_page_labelled(page, "GPU", gpu);
    const char *model = json_string_value(json_object_get(document->described, "model_name"));
    if (model != NULL) {
        json_int_t cores = json_integer_value(json_object_get(document->described, "cores"));
        snprintf(line, sizeof line, "%.256s", model);
        if (cores > 0)
            cm_text_append(line, sizeof line, "", ", %lld core%s", (long long)cores, cores == 1 ? "" : "s");
        if (json_is_true(json_object_get(document->described, "virtual")))
            cm_text_append(line, sizeof line, "", ", a virtual machine");
        const char *architecture = json_string_value(json_object_get(document->described, "architecture"));
        if (architecture != NULL && json_is_true(json_object_get(document->described, "emulated")))
            cm_text_append(line, sizeof line, "", ", which emulates %.64s", architecture);
        cm_page_labelled(page, "Machine", line);
    }
    if (document->not_comparable != NULL)
        cm_page_write_labelled(page, "Experiment", "not comparable: %.256s", document->not_comparable);
    write_disturbances(document, page);
    if (cm_interference_text(document, line))
        cm_page_labelled(page, "Interference", line);
    write_incomplete(document, page);
    if (document->uncore)
        cm_page_labelled(page, "Socket",
                         "these events count for all cores; programs move too little of memory to judge definitions");
}

/* ---- how many are defined ---- */

size_t cm_count_composable(const cm_read_benchmark *benchmark)
{
    size_t composable = 0;
    for (size_t m = 0; m < benchmark->metric_count; m++)
        composable += benchmark->metrics[m].usable;
    return composable;
}

/* Composable metrics, those of them that programs confirmed, and the number of these programs. */
typedef struct held_tally {
    size_t metrics, composable, ranged, held, least, most;
} held_tally;

/* Adds a metric to the tally. */
static void add_metric(held_tally *tally, const cm_defined_metric *metric)
{
    tally->metrics++;
    tally->composable += metric->usable;
    tally->ranged += metric->usable && !metric->composable;
    if (!metric->usable || metric->programs == NULL)
        return;
    tally->held++;
    tally->least = metric->programs->programs < tally->least ? metric->programs->programs : tally->least;
    tally->most = metric->programs->programs > tally->most ? metric->programs->programs : tally->most;
}

static held_tally tally_of(const cm_definitions *document)
{
    held_tally tally = {.least = SIZE_MAX};
    for (size_t i = 0, count = cm_definitions_count(document); i < count; i++)
        add_metric(&tally, cm_definitions_get(document, i));
    return tally;
}

/* "2 not validated (A, B)", with the number of the others */
static void write_not_validated(const cm_definitions *document, size_t left, FILE *stream)
{
    enum { MOST = 3 };
    size_t named = 0;
    fprintf(stream, ", %zu not validated", left);
    for (size_t i = 0, count = cm_definitions_count(document); i < count && (named < MOST || left == named + 1); i++) {
        const cm_defined_metric *metric = cm_definitions_get(document, i);
        if (metric->usable && metric->programs == NULL)
            fprintf(stream, "%s%s", named++ == 0 ? " (" : ", ", metric->metric);
    }
    if (left > named)
        fprintf(stream, " and %zu more", left - named);
    fputc(')', stream);
}

/* "each held in 16 programs it was not fitted on" */
static void write_held(const cm_definitions *document, const held_tally *tally, FILE *stream)
{
    const bool all = tally->held == tally->composable;
    if (all)
        fputs(", each held in ", stream);
    else
        fprintf(stream, ", %zu held in ", tally->held);
    if (tally->held > 0 && tally->least < tally->most)
        fprintf(stream, "%zu to ", tally->least);
    fprintf(stream, "%zu program%s %s not fitted on", tally->most, tally->most == 1 ? "" : "s",
            all ? "it was" : "they were");
    if (!all)
        write_not_validated(document, tally->composable - tally->held, stream);
}

/* Writes how many metrics are defined, and how many of these programs confirmed. */
static void write_proven(const cm_definitions *document, FILE *stream)
{
    const held_tally tally = tally_of(document);
    fprintf(stream, "%zu of %zu metric%s ", tally.composable, tally.metrics, tally.metrics == 1 ? "" : "s");
    if (document->program_count == 0)
        fprintf(stream, "can be measured by these events%s",
                tally.composable > 0 ? "; none was tried on programs" : "");
    else
        fputs("defined", stream);
    if (tally.ranged > 0)
        fprintf(stream, " (%zu only where they are frequent)", tally.ranged);
    if (document->program_count > 0 && tally.held > 0)
        write_held(document, &tally, stream);
    else if (document->program_count > 0 && tally.composable > 0)
        fputs(", not validated", stream);
}

void cm_summary_write_line(const cm_definitions *document, bool shares, const cm_page *page)
{
    char *text = NULL;
    FILE *stream = cm_page_begin_text(page, &text);
    if (stream == NULL)
        return;
    write_proven(document, stream);
    for (size_t i = 0; shares && document->benchmark_count > 1 && i < document->benchmark_count; i++) {
        const cm_read_benchmark *benchmark = &document->benchmarks[i];
        fprintf(stream, "%s %s%s%s %zu of %zu", i == 0 ? ":" : ",", benchmark->listed.benchmark,
                document->core_count != 0 ? " on " : "", benchmark->listed.core, cm_count_composable(benchmark),
                benchmark->metric_count);
    }
    if (cm_page_end_text(page, stream, &text) != NULL) {
        fputc('\n', page->stream);
        cm_page_labelled(page, "Summary", text);
    }
    free(text);
}

/* ---- names on a line ---- */

/* A line of as many names as fit, with the number of the others. */
typedef struct name_line {
    const cm_page *page;
    size_t at, put, left;
    bool full;
} name_line;

/* Writes the next name, or the number of the others if it does not fit. */
static void write_name(name_line *names, const char *name)
{
    static const char between[] = ", ";
    const size_t width = cm_text_width(name) + (names->put > 0 ? strlen(between) : 0);
    const size_t rest = names->left > 1 ? (size_t)snprintf(NULL, 0, " and %zu more", names->left - 1) : 0;
    if (names->full)
        return;
    names->full = names->at + width + rest > names->page->width && names->put > 0;
    if (names->full) {
        fprintf(names->page->stream, " and %zu more", names->left);
        return;
    }
    fputs(names->put++ > 0 ? between : "", names->page->stream);
    cm_text_write(name, names->page->stream);
    names->at += width;
    names->left--;
}

/* ---- which are defined ---- */

/* Writes the composable metrics of a benchmark; on a hybrid processor each type of cores has a heading. */
static void write_defined(const cm_definitions *document, size_t index, const cm_page *page)
{
    const cm_read_benchmark *benchmark = &document->benchmarks[index];
    const char *title = benchmark->listed.benchmark, *core = benchmark->listed.core;
    char share[32];
    if (core[0] != '\0' && (index == 0 || strcmp(benchmark[-1].listed.core, core) != 0))
        fprintf(page->stream, "On cores of the type %s\n", core);
    const size_t name = cm_text_width(title) + 1, label = name > CM_PAGE_LABEL ? name : CM_PAGE_LABEL;
    name_line names = {.page = page, .at = label + COUNT + CM_COLUMN_GAP, .left = cm_count_composable(benchmark)};
    snprintf(share, sizeof share, "%zu of %zu", names.left, benchmark->metric_count);
    cm_page_write(page, title, label);
    cm_page_write(page, share, COUNT + CM_COLUMN_GAP);
    for (size_t m = 0; m < benchmark->metric_count; m++)
        if (benchmark->metrics[m].usable)
            write_name(&names, benchmark->metrics[m].metric);
    fputc('\n', page->stream);
}

/* ---- why others are not ---- */

static const char *const obstacles[] = {
    [CM_OBSTACLE_OTHER_COUNTS] = "the events count other things, too, or not all of it",
    [CM_OBSTACLE_NO_COUNTS] = "no event counts any of it",
    [CM_OBSTACLE_NOISE] = "the events are too noisy",
    [CM_OBSTACLE_AMPLIFICATION] = "noise of the events would grow too much",
    [CM_OBSTACLE_PROGRAMS] = "programs that were not used for fitting refuted it",
    [CM_OBSTACLE_NO_LEVEL] = "this machine has no such level of cache",
    [CM_OBSTACLE_NO_KERNEL] = "none of its kernels runs here",
    [CM_OBSTACLE_CONFOUNDED] = "the kernels that run here do not separate it",
};

/* The number of metrics with one obstacle, and as many of their names as fit on the line. */
static void write_hindered(const cm_definitions *document, cm_obstacle by, const char *label, size_t left,
                           const cm_page *page)
{
    char said[96];
    int length = snprintf(said, sizeof said, "%zu: %s: ", left, obstacles[by]);
    name_line names = {.page = page, .at = CM_PAGE_LABEL + (size_t)length, .left = left};
    cm_page_label(page, label);
    fputs(said, page->stream);
    for (size_t i = 0, count = cm_definitions_count(document); i < count; i++)
        if (cm_definitions_get(document, i)->obstacle == by)
            write_name(&names, cm_definitions_get(document, i)->metric);
    fputc('\n', page->stream);
}

/* ---- the whole ---- */

/* Writes the summary: its head, the defined metrics, and the obstacles of the others. */
static void write_results_summary(const void *content, const cm_page *page)
{
    const cm_definitions *document = content;
    cm_summary_write_head(document, page);
    cm_summary_write_line(document, false, page);
    for (size_t i = 0; i < document->benchmark_count && i < MOST_LINES; i++)
        write_defined(document, i, page);
    const char *label = "Not defined";
    for (cm_obstacle by = CM_OBSTACLE_NONE + 1; by < CM_COUNT_OF(obstacles); by++) {
        size_t count = 0;
        for (size_t i = 0; i < cm_definitions_count(document); i++)
            count += cm_definitions_get(document, i)->obstacle == by;
        if (count > 0)
            write_hindered(document, by, label, count, page);
        label = count > 0 ? "" : label;
    }
    cm_cores_write_summary(document, page);
}

static const cm_report summary_report = {"the summary", .page = write_results_summary};

CM_REPORT_RESULTS_WRITE(cm_results_write_summary, summary_report)
