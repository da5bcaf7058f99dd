/* Counts of a program, for people. */
#include "report/report.h"

enum { VALUE = 16, ERROR_WIDTH = 14, NAME_LEAST = 24, TEXT = 64, NAME_SIZE = 512 };

static void write_counted_value(double value, char text[TEXT])
{
    if (isnan(value))
        snprintf(text, TEXT, "-");
    else if (value == floor(value) && fabs(value) < 1e15)
        snprintf(text, TEXT, "%.0f", value);
    else
        snprintf(text, TEXT, "%.6g", value);
}

static void write_error(double error, char text[TEXT])
{
    if (isnan(error))
        snprintf(text, TEXT, "-");
    else
        snprintf(text, TEXT, "%.3g %%", 100.0 * error);
}

/* The metric's name; on a hybrid processor with its type of cores. */
static const char *metric_name(const cm_defined_metric *metric, char text[NAME_SIZE])
{
    if (metric->core[0] == '\0')
        return metric->metric;
    snprintf(text, NAME_SIZE, "%s (%s)", metric->metric, metric->core);
    return text;
}

static size_t counted_name_width(const cm_program_counts *counts)
{
    size_t width = NAME_LEAST;
    char name[NAME_SIZE];
    for (size_t i = 0; i < counts->metric_count; i++)
        width = fmax((double)width, (double)cm_text_width(metric_name(counts->metrics[i], name)));
    for (size_t i = 0; i < counts->event_count; i++)
        width = fmax((double)width, (double)cm_text_width(counts->events[i].name));
    return width;
}

/* Writes columns of rates, if they are known. */
static void write_rates(const cm_page *page, const char *per_second, const char *per_cycle)
{
    fprintf(page->stream, "%*s%*s", per_second != NULL ? ERROR_WIDTH : 0, per_second != NULL ? per_second : "",
            per_cycle != NULL ? ERROR_WIDTH : 0, per_cycle != NULL ? per_cycle : "");
}

static void write_counts_heading(const cm_page *page, size_t width, const char *first, cm_rates any, const char *error,
                                 const char *second)
{
    cm_page_mark(page, CM_MARK_BOLD);
    cm_page_write(page, first, width);
    fprintf(page->stream, "%*s", VALUE, "Value");
    write_rates(page, isnan(any.per_second) ? NULL : "per second", isnan(any.per_cycle) ? NULL : "per cycle");
    fprintf(page->stream, "%*s%*s%*s\n", ERROR_WIDTH, error, ERROR_WIDTH, second, ERROR_WIDTH, "runs +-");
    cm_page_mark(page, CM_MARK_PLAIN);
}

/* The text of a rate; NULL: the scope has none. */
static const char *write_rate(double rate, double known, char text[TEXT])
{
    snprintf(text, TEXT, isnan(rate) ? "-" : "%.4g", rate);
    return isnan(known) ? NULL : text;
}

/* Whether the remark is a sentence of the value, which takes a line of its own. */
static bool is_told_below(cm_remark remark)
{
    return remark == CM_REMARK_OUTSIDE || remark == CM_REMARK_RANGE_UNKNOWN;
}

/* Writes a row, with a mark at its end unless there is no remark, or a line of its own below. */
static void write_counts_row(const cm_page *page, size_t width, const char *name, const cm_summary *summary,
                             cm_rates one, const char *error, const char *second, cm_remark remark)
{
    const char *mark = is_told_below(remark) ? NULL : cm_remark_words_of(remark).mark;
    char value[TEXT], by_runs[TEXT], per_second[TEXT], per_cycle[TEXT];
    write_counted_value(summary->median, value);
    write_error(cm_summary_spread(summary), by_runs);
    cm_page_write(page, name, width);
    fprintf(page->stream, "%*s", VALUE, value);
    write_rates(page, write_rate(summary->median * one.per_second, one.per_second, per_second),
                write_rate(summary->median * one.per_cycle, one.per_cycle, per_cycle));
    fprintf(page->stream, "%*s%*s%*s%s%s\n", ERROR_WIDTH, error, ERROR_WIDTH, second, ERROR_WIDTH, by_runs,
            mark != NULL ? "  " : "", mark != NULL ? mark : "");
}

/* Writes a row for each metric of a scope. */
static void write_metrics(const cm_page *page, const cm_program_counts *counts, const cm_scope *scope, size_t width)
{
    const cm_rates one = cm_scope_rates(counts, scope, 1.0);
    if (counts->metric_count > 0)
        write_counts_heading(page, width, "Metric", one, "error +-", "definition +-");
    for (size_t i = 0; i < counts->metric_count; i++) {
        cm_summary summary = cm_scope_metric(counts, scope, i);
        char name[NAME_SIZE], error[TEXT] = "-", definition[TEXT], reason[CM_VALUE_REASON];
        write_error(isnan(summary.median) ? NAN : cm_metric_error(counts->metrics[i]), definition);
        if (!isnan(scope->errors[i].error))
            snprintf(error, sizeof error, scope->errors[i].error < 100.0 ? "%.3g" : "%.0f", scope->errors[i].error);
        const cm_remark remark = cm_metric_remark(counts, scope, i, &summary);
        write_counts_row(page, width, metric_name(counts->metrics[i], name), &summary, one, error, definition, remark);
        if (is_told_below(remark))
            fprintf(page->stream, "  %s\n", cm_value_reason(remark, &scope->errors[i], reason));
    }
}

/* A row an event: its count in the scope, and the run of each repetition that counted it. */
static void write_counted_events(const cm_page *page, const cm_program_counts *counts, const cm_scope *scope,
                                 size_t width)
{
    const cm_rates one = cm_scope_rates(counts, scope, 1.0);
    write_counts_heading(page, width, "Event", one, "", "run");
    for (size_t i = 0; i < counts->event_count; i++) {
        char run[TEXT];
        snprintf(run, sizeof run, "%zu of %zu", counts->events[i].set, counts->sets);
        cm_summary summary = cm_scope_event(counts, scope, i);
        write_counts_row(page, width, counts->events[i].name, &summary, one, "", run,
                         cm_event_remark(counts, i, &summary));
    }
}

/* Writes the heading of a scope, its metrics and its events. */
static void write_scope(const cm_page *page, const cm_program_counts *counts, const cm_scope *scope)
{
    size_t width = counted_name_width(counts);
    char text[TEXT + 32];
    fputc('\n', page->stream);
    if (scope->kind == CM_SCOPE_THREAD)
        snprintf(text, sizeof text, "Thread %zu", scope->number);
    if (scope->kind == CM_SCOPE_REGION)
        snprintf(text, sizeof text, "Region, %.0f %s", scope->calls, scope->calls == 1.0 ? "call" : "calls");
    if (scope->kind == CM_SCOPE_INTERVAL)
        snprintf(text, sizeof text, "Interval %zu, until %.6g s", scope->number,
                 (double)scope->number * counts->interval);
    if (scope->kind != CM_SCOPE_PROGRAM) {
        cm_page_mark(page, CM_MARK_BOLD);
        fputs(text, page->stream);
        cm_page_mark(page, CM_MARK_PLAIN);
        fputs(scope->name[0] != '\0' ? ": " : "", page->stream);
        cm_text_write(scope->name, page->stream);
        fputc('\n', page->stream);
    }
    write_metrics(page, counts, scope, width);
    if (counts->metric_count > 0)
        fputc('\n', page->stream);
    write_counted_events(page, counts, scope, width);
}

/* Writes the PMU, the process or command, and the runs. */
static void write_counts_head(const cm_page *page, const cm_program_counts *counts)
{
    cm_page_write_labelled(page, "PMU", "%s%s%s", counts->pmu, counts->reason[0] != '\0' ? ": " : "", counts->reason);
    if (counts->process != 0) {
        cm_page_write_labelled(page, "Process", "%ld, with the processes that it starts from now on", counts->process);
    }
    if (counts->processors != NULL) {
        cm_page_write_labelled(page, "Processors", "%.200s, with all that ran on them",
                               counts->processors[0] != '\0' ? counts->processors : "all");
    }
    if (counts->command[0] != '\0')
        cm_page_labelled(page, "Command", counts->command);
    double sum = 0.0;
    for (size_t i = 0; i < counts->run_count; i++)
        sum += counts->seconds[i];
    cm_page_write_labelled(page, "Runs", "%zu, %.3g s%s", counts->run_count, sum / fmax(1.0, (double)counts->run_count),
                           counts->run_count > 1 ? " each" : "");
}

/* Runs that a repetition takes if all sets of a plan, and the events beside them, fit into the counters. */
static size_t planned_runs(const cm_program_counts *counts)
{
    size_t runs = 0;
    for (size_t i = 0; i < counts->event_count; i++) {
        bool first = counts->events[i].lack == CM_REMARK_NONE;
        for (size_t j = 0; j < i; j++)
            first &= counts->events[j].lack != CM_REMARK_NONE || counts->events[j].plan != counts->events[i].plan;
        runs += first;
    }
    return runs;
}

/* Writes whether events were multiplexed, and notes on the counts. */
static void write_notes(const cm_page *page, const cm_program_counts *counts)
{
    cm_page_labelled(page, "Multiplexed",
                     counts->multiplexed ? "yes: events took turns in the counters, and their counts are scaled up"
                                         : "no: events were counted all the time");
    if (counts->sets > 1) {
        cm_page_write_labelled(page, "Several runs", "%s: each repetition is %zu runs",
                               counts->sets > planned_runs(counts) ? "the counters do not suffice" : "as planned",
                               counts->sets);
    }
    if (counts->interrupted)
        cm_page_labelled(page, "Interrupted", "the counts go up to then");
    if (counts->signal != 0)
        cm_page_write_labelled(page, "Cut short", "signal %d (%s) ended the program: the counts go up to then",
                               counts->signal, strsignal(counts->signal));
    bool modelled = false;
    for (size_t i = 0; i < counts->event_count; i++)
        modelled |= counts->events[i].modelled;
    if (modelled)
        cm_page_labelled(
            page, "Modelled",
            "marked values are of the model's clock, predictor, caches and TLBs, and so is all that is per "
            "cycle; the rest is exact");
    if (counts->note[0] != '\0')
        cm_page_labelled(page, "Note", counts->note);
    if (counts->scope_count == 0)
        cm_page_labelled(page, "Nothing", "no region was counted: the program names none, or ended without exit()");
}

/* Writes the values of formulas as `evaluate` does, and below them why some are missing or doubtful. */
static void write_values(const cm_page *page, const cm_evaluation *values)
{
    char text[512];
    fputc('\n', page->stream);
    *page->short_of_memory |= cm_evaluation_write_table(values, page->style, page->stream, NULL) != CM_OK;
    for (size_t i = 0; i < cm_evaluation_fault_count(values); i++)
        cm_page_labelled(page, i == 0 ? "Faults" : "", cm_evaluation_fault(values, i, text, sizeof text));
}

/* The head, the notes, and a section for the program and for each of its regions; then the values of formulas. */
static void write_counts_table(const void *content, const cm_page *page)
{
    const cm_program_counts *counts = content;
    write_counts_head(page, counts);
    write_notes(page, counts);
    for (size_t i = 0; i < counts->scope_count; i++)
        write_scope(page, counts, &counts->scopes[i]);
    if (counts->values != NULL)
        write_values(page, counts->values);
}

static const cm_report counts_report = {
    "counts", cm_counts_json, {[CM_FORMAT_CSV] = cm_counts_write_csv}, .page = write_counts_table};

CM_REPORT_WRITE(cm_program_counts_write, cm_program_counts, counts_report)
CM_REPORT_SAVE(cm_program_counts_save, cm_program_counts, counts_report)
