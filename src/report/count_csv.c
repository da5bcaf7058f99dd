/* Counts of programs as CSV: a row a value. */
#include "report/report.h"

const char *cm_scope_kind_name(cm_scope_kind kind)
{
    static const char *const names[] = {[CM_SCOPE_PROGRAM] = "program",
                                        [CM_SCOPE_THREAD] = "thread",
                                        [CM_SCOPE_REGION] = "region",
                                        [CM_SCOPE_INTERVAL] = "interval"};
    return names[kind];
}

/* A table that is written. */
typedef struct table {
    FILE *stream;
    const char *separator, *pmu;
} table;

/* Writes the separator and a text, in quotes if that is necessary. */
static void write_text_field(const table *out, const char *text)
{
    fputs(out->separator, out->stream);
    if (strcmp(out->separator, ",") != 0 && text[strcspn(text, "\"\r\n,")] == '\0' &&
        strstr(text, out->separator) != NULL)
        fprintf(out->stream, "\"%s\"", text);
    else
        cm_csv_write_cell(out->stream, text);
}

static void write_number_field(const table *out, double value)
{
    char text[CM_NUMBER_TEXT_SIZE] = "";
    if (!isnan(value))
        cm_number_write(value, text);
    fprintf(out->stream, "%s%s", out->separator, text);
}

static void write_count_field(const table *out, size_t value)
{
    fprintf(out->stream, "%s%zu", out->separator, value);
}

/* Writes the row of a value. */
static void write_value_row(const table *out, const cm_scope *scope, const char *kind, const char *name,
                            const cm_summary *summary, cm_rates rates, double definition, const char *core,
                            cm_remark remark, const cm_value_error *error)
{
    static const char *const in_range[] = {
        [CM_IN_RANGE_NONE] = "", [CM_IN_RANGE_YES] = "true", [CM_IN_RANGE_NO] = "false", [CM_IN_RANGE_UNKNOWN] = ""};
    char text[CM_VALUE_REASON];
    const char *reason = cm_value_reason(remark, error, text);
    fputs(cm_scope_kind_name(scope->kind), out->stream);
    write_count_field(out, scope->number);
    write_text_field(out, scope->name);
    write_text_field(out, kind);
    write_text_field(out, name);
    write_number_field(out, summary->median);
    write_number_field(out, summary->lowest);
    write_number_field(out, summary->highest);
    write_count_field(out, summary->count);
    write_number_field(out, definition);
    write_text_field(out, core);
    write_text_field(out, reason != NULL ? reason : "");
    write_number_field(out, error != NULL ? error->error : NAN);
    write_text_field(out, error != NULL ? error->because : "");
    write_number_field(out, rates.per_second);
    write_number_field(out, rates.per_cycle);
    write_text_field(out, out->pmu);
    write_text_field(out, error != NULL ? in_range[error->in_range] : "");
    fputc('\n', out->stream);
}

cm_status cm_counts_write_csv(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    static const char *const columns[] = {
        "number",           "scope_name", "kind",   "name",  "value",         "lowest",     "highest",   "repetitions",
        "definition_error", "core",       "reason", "error", "error_because", "per_second", "per_cycle", "pmu",
        "in_range"};
    (void)style;
    (void)error;
    const cm_program_counts *counts = content;
    const table out = {stream, counts->separator, counts->pmu};
    fputs("scope", stream);
    for (size_t i = 0; i < CM_COUNT_OF(columns); i++)
        fprintf(stream, "%s%s", out.separator, columns[i]);
    fputc('\n', stream);
    for (size_t i = 0; i < counts->scope_count; i++) {
        const cm_scope *scope = &counts->scopes[i];
        for (size_t k = 0; k < counts->metric_count; k++) {
            cm_summary summary = cm_scope_metric(counts, scope, k);
            write_value_row(&out, scope, "metric", counts->metrics[k]->metric, &summary,
                            cm_scope_rates(counts, scope, summary.median), cm_metric_error(counts->metrics[k]),
                            counts->metrics[k]->core, cm_metric_remark(counts, scope, k, &summary), &scope->errors[k]);
        }
        for (size_t k = 0; k < counts->event_count; k++) {
            cm_summary summary = cm_scope_event(counts, scope, k);
            write_value_row(&out, scope, "event", counts->events[k].name, &summary,
                            cm_scope_rates(counts, scope, summary.median), NAN, "",
                            cm_event_remark(counts, k, &summary), NULL);
        }
    }
    return CM_OK;
}
