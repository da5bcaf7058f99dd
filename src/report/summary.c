/* The first answers for a person: which PMU counted, how many metrics are defined, and why the others are not. */
#include "report/report.h"

enum { MOST_LINES = 10, COUNT = 9, GAP = 2 };

/* ---- the first lines ---- */

/* Hardware alone is disturbed: the software PMU counts executed instructions, however long they take. */
static void write_disturbances(const cm_definitions *document, const cm_page *page)
{
    char line[1024] = "";
    if (document->pmu == NULL || strcmp(document->pmu, "hardware") != 0)
        return;
    for (size_t i = 0; i < document->finding_count; i++) {
        const cm_read_finding *finding = &document->findings[i];
        size_t length = strlen(line);
        if (finding->finding != NULL && finding->severity != NULL && strcmp(finding->severity, "note") != 0)
            snprintf(line + length, sizeof line - length, "%s%.64s", length > 0 ? ", " : "", finding->finding);
    }
    if (line[0] != '\0') {
        size_t length = strlen(line);
        snprintf(line + length, sizeof line - length, "; 'catmint doctor' gives advice");
        cm_page_labelled(page, "Disturbed by", line);
    }
}

/* "dcache 12 of 300 events, tlb none; ..." */
static void write_incomplete(const cm_definitions *document, const cm_page *page)
{
    char line[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < document->lack_count && used < sizeof line; i++) {
        const cm_lack *lack = &document->incomplete[i];
        used +=
            (size_t)snprintf(line + used, sizeof line - used, "%s%.64s%s%.64s %zu of %zu events", i > 0 ? ", " : "",
                             lack->benchmark, lack->core[0] != '\0' ? " on " : "", lack->core, lack->counted, lack->of);
    }
    if (used < sizeof line)
        snprintf(line + used, sizeof line - used,
                 ": the sweep was ended early; 'catmint sweep --resume' counts the rest");
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
        size_t length = (size_t)snprintf(line, sizeof line, "%.256s", model);
        if (cores > 0)
            length += (size_t)snprintf(line + length, sizeof line - length, ", %lld core%s", (long long)cores,
                                       cores == 1 ? "" : "s");
        if (json_is_true(json_object_get(document->described, "virtual")))
            length += (size_t)snprintf(line + length, sizeof line - length, ", a virtual machine");
        const char *architecture = json_string_value(json_object_get(document->described, "architecture"));
        if (architecture != NULL && json_is_true(json_object_get(document->described, "emulated")))
            snprintf(line + length, sizeof line - length, ", which emulates %.64s", architecture);
        cm_page_labelled(page, "Machine", line);
    }
    if (document->not_comparable != NULL)
        cm_page_write_labelled(page, "Experiment", "not comparable: %.256s", document->not_comparable);
    write_disturbances(document, page);
    cm_interference_write(document->results, page);
    write_incomplete(document, page);
    if (document->uncore)
        cm_page_labelled(page, "Socket",
                         "these events count for all cores; programs move too little of memory to judge definitions");
}

/* ---- how many are defined ---- */

size_t cm_count_composable(const cm_benchmark_result *result)
{
    size_t composable = 0;
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        composable += result->fits[m] != NULL && result->fits[m]->composable;
    return composable;
}

/* Composable metrics, those of them that programs confirmed, and the number of these programs. */
typedef struct held_tally {
    size_t metrics, composable, ranged, held, least, most;
} held_tally;

/* Adds the metrics of a benchmark to the tally. */
static void add_benchmark(held_tally *tally, const cm_benchmark_result *result)
{
    tally->metrics += result->signatures->metric_count;
    for (size_t m = 0; m < result->signatures->metric_count; m++) {
        const cm_validation *programs = cm_benchmark_result_validation(result, m);
        if (result->fits[m] == NULL || !result->fits[m]->composable)
            continue;
        tally->composable++;
        tally->ranged += cm_fit_is_ranged(result, m);
        if (programs == NULL)
            continue;
        tally->held++;
        tally->least = programs->programs < tally->least ? programs->programs : tally->least;
        tally->most = programs->programs > tally->most ? programs->programs : tally->most;
    }
}

static held_tally tally_of(const cm_results *results)
{
    held_tally tally = {.least = SIZE_MAX};
    for (size_t i = 0; i < results->benchmark_count; i++)
        add_benchmark(&tally, results->benchmarks[i]);
    return tally;
}

/* "2 not validated (A, B)", with the number of the others */
static void write_not_validated(const cm_results *results, size_t left, FILE *stream)
{
    enum { MOST = 3 };
    size_t named = 0;
    fprintf(stream, ", %zu not validated", left);
    for (size_t b = 0; b < results->benchmark_count; b++) {
        const cm_benchmark_result *result = results->benchmarks[b];
        for (size_t m = 0; m < result->signatures->metric_count && (named < MOST || left == named + 1); m++)
            if (result->fits[m] != NULL && result->fits[m]->composable &&
                cm_benchmark_result_validation(result, m) == NULL)
                fprintf(stream, "%s%s", named++ == 0 ? " (" : ", ", result->signatures->metrics[m].metric);
    }
    if (left > named)
        fprintf(stream, " and %zu more", left - named);
    fputc(')', stream);
}

/* "each held in 16 programs it was not fitted on" */
static void write_held(const cm_results *results, const held_tally *tally, FILE *stream)
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
        write_not_validated(results, tally->composable - tally->held, stream);
}

/* Writes how many metrics are defined, and how many of these programs confirmed. */
static void write_proven(const cm_results *results, FILE *stream)
{
    const held_tally tally = tally_of(results);
    fprintf(stream, "%zu of %zu metric%s ", tally.composable, tally.metrics, tally.metrics == 1 ? "" : "s");
    if (results->program_count == 0)
        fprintf(stream, "can be measured by these events%s",
                tally.composable > 0 ? "; none was tried on programs" : "");
    else
        fputs("defined", stream);
    if (tally.ranged > 0)
        fprintf(stream, " (%zu only where they are frequent)", tally.ranged);
    if (results->program_count > 0 && tally.held > 0)
        write_held(results, &tally, stream);
    else if (results->program_count > 0 && tally.composable > 0)
        fputs(", not validated", stream);
}

/* Writes the line of a summary, with the share of each of several benchmarks if `shares`. */
static cm_status write_line(const cm_results *results, bool shares, const cm_page *page, cm_error *error)
{
    char *text = NULL;
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    write_proven(results, stream);
    for (size_t i = 0; shares && results->benchmark_count > 1 && i < results->benchmark_count; i++)
        fprintf(stream, "%s %s%s%s %zu of %zu", i == 0 ? ":" : ",", results->benchmarks[i]->benchmark,
                results->part_count != 0 ? " on " : "", results->benchmarks[i]->core,
                cm_count_composable(results->benchmarks[i]), results->benchmarks[i]->signatures->metric_count);
    const bool whole = fclose(stream) == 0;
    if (whole) {
        fputc('\n', page->stream);
        cm_page_labelled(page, "Summary", text);
    }
    free(text);
    return whole ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_summary_write_line(const cm_results *results, const cm_page *page, cm_error *error)
{
    return write_line(results, true, page, error);
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
static void write_defined(const cm_results *results, size_t benchmark, const cm_page *page)
{
    const cm_benchmark_result *result = results->benchmarks[benchmark];
    char share[32];
    if (result->core[0] != '\0' &&
        (benchmark == 0 || strcmp(results->benchmarks[benchmark - 1]->core, result->core) != 0))
        fprintf(page->stream, "On cores of the type %s\n", result->core);
    const size_t name = cm_text_width(result->benchmark) + 1, label = name > CM_PAGE_LABEL ? name : CM_PAGE_LABEL;
    name_line names = {.page = page, .at = label + COUNT + GAP, .left = cm_count_composable(result)};
    snprintf(share, sizeof share, "%zu of %zu", names.left, result->signatures->metric_count);
    cm_page_write(page, result->benchmark, label);
    cm_page_write(page, share, COUNT + GAP);
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        if (result->fits[m] != NULL && result->fits[m]->composable)
            write_name(&names, result->signatures->metrics[m].metric);
    fputc('\n', page->stream);
}

/* ---- why others are not ---- */

typedef enum why {
    DEFINED,
    COUNTS_OTHERWISE,
    COUNTS_NOTHING,
    TOO_NOISY,
    AMPLIFIED,
    REFUTED,
    NO_LEVEL,
    NO_KERNEL,
    NOT_SEPARATED,
    REASONS
} why;

static const char *const whys[REASONS] = {
    [COUNTS_OTHERWISE] = "the events count other things, too, or not all of it",
    [COUNTS_NOTHING] = "no event counts any of it",
    [TOO_NOISY] = "the events are too noisy",
    [AMPLIFIED] = "noise of the events would grow too much",
    [REFUTED] = "programs that were not used for fitting refuted it",
    [NO_LEVEL] = "this machine has no such level of cache",
    [NO_KERNEL] = "none of its kernels runs here",
    [NOT_SEPARATED] = "the kernels that run here do not separate it",
};

/* The reason for the refusal, by the verdict, or by the paper's figures. */
static why why_refused(const cm_benchmark_result *result, size_t metric)
{
    static const why by_refusal[] = {
        [CM_REFUSED_EMPTY] = COUNTS_NOTHING,     [CM_REFUSED_SYMBOL] = COUNTS_OTHERWISE,
        [CM_REFUSED_OTHERS] = COUNTS_OTHERWISE,  [CM_REFUSED_KERNEL] = COUNTS_OTHERWISE,
        [CM_REFUSED_CONTROL] = COUNTS_OTHERWISE, [CM_REFUSED_NOISE] = TOO_NOISY,
        [CM_REFUSED_AMPLIFICATION] = AMPLIFIED,  [CM_REFUSED_LAW] = COUNTS_OTHERWISE,
    };
    const cm_fit *fit = result->fits[metric];
    if (result->proofs != NULL && result->proofs[metric].verdict.refusal != CM_REFUSED_NOT)
        return by_refusal[result->proofs[metric].verdict.refusal];
    const bool off =
        fit->rounded_fitness.misfit > result->thresholds.residual || fit->check.worst > result->thresholds.residual;
    return off ? COUNTS_OTHERWISE : AMPLIFIED;
}

/* The reason why the metric has no definition; DEFINED if it has one. */
static why why_not(const cm_benchmark_result *result, size_t metric)
{
    char text[640 + CM_PROGRAM_WORDS];
    const cm_fit *fit = result->fits[metric];
    if (fit == NULL && cm_name_is_beyond(result->basis->cache_levels, result->signatures->metrics[metric].metric))
        return NO_LEVEL;
    if (fit == NULL)
        return result->basis->confounded_count > 0 ? NOT_SEPARATED : NO_KERNEL;
    if (fit->composable)
        return DEFINED;
    return cm_validation_reason(result, metric, text, sizeof text) ? REFUTED : why_refused(result, metric);
}

static size_t count_refused(const cm_results *results, why reason)
{
    size_t count = 0;
    for (size_t b = 0; b < results->benchmark_count; b++)
        for (size_t m = 0; m < results->benchmarks[b]->signatures->metric_count; m++)
            count += why_not(results->benchmarks[b], m) == reason;
    return count;
}

/* The number of metrics with one reason, and as many of their names as fit on the line. */
static void write_refused(const cm_results *results, why reason, const char *label, size_t count, const cm_page *page)
{
    char said[96];
    int length = snprintf(said, sizeof said, "%zu: %s: ", count, whys[reason]);
    name_line names = {.page = page, .at = CM_PAGE_LABEL + (size_t)length, .left = count};
    cm_page_label(page, label);
    fputs(said, page->stream);
    for (size_t b = 0; b < results->benchmark_count; b++)
        for (size_t m = 0; m < results->benchmarks[b]->signatures->metric_count; m++)
            if (why_not(results->benchmarks[b], m) == reason)
                write_name(&names, results->benchmarks[b]->signatures->metrics[m].metric);
    fputc('\n', page->stream);
}

/* ---- the whole ---- */

/* Writes the summary: its head, the defined metrics, and the reasons for the others. */
static cm_status write_summary(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_results *results = content;
    bool short_of_memory;
    const cm_page page = cm_page_make(style, stream, &short_of_memory);
    cm_arena arena = {0};
    cm_definitions document;
    cm_status status = cm_fill_document(results, &arena, &document, error);
    if (status == CM_OK)
        cm_summary_write_head(&document, &page);
    CM_THEN(status, write_line(results, false, &page, error));
    for (size_t i = 0; status == CM_OK && i < results->benchmark_count && i < MOST_LINES; i++)
        write_defined(results, i, &page);
    const char *label = "Not defined";
    for (why reason = DEFINED + 1; status == CM_OK && reason < REASONS; reason++) {
        size_t count = count_refused(results, reason);
        if (count > 0)
            write_refused(results, reason, label, count, &page);
        label = count > 0 ? "" : label;
    }
    if (status == CM_OK)
        cm_cores_write_summary(&document, &page);
    cm_arena_clear(&arena);
    return status == CM_OK && short_of_memory ? cm_error_no_memory(error) : status;
}

static const cm_report report = {"the summary", NULL, {[CM_FORMAT_TABLE] = write_summary}};

CM_REPORT_WRITE(cm_results_write_summary, cm_results)
