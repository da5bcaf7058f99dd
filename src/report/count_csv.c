/* Counts of programs as CSV: a row a value. */
#include <math.h>

#include "core/csv.h"
#include "core/base.h"
#include "report/report.h"

const char *cm_scope_kind_name(cm_scope_kind kind)
{
    static const char *const names[] = {[CM_SCOPE_PROGRAM] = "program",
                                        [CM_SCOPE_THREAD] = "thread",
                                        [CM_SCOPE_REGION] = "region",
                                        [CM_SCOPE_INTERVAL] = "interval"};
    return names[kind];
}

static void write_number(FILE *stream, double value)
{
    char text[CM_NUMBER_TEXT_SIZE] = "";
    if (!isnan(value))
        cm_number_write(value, text);
    fprintf(stream, ",%s", text);
}

/* Writes the row of a value. */
static void write_row(FILE *stream, const cm_scope *scope, const char *kind, const char *name,
                      const cm_summary *summary, cm_rates rates, double definition, const char *core, cm_remark remark,
                      const cm_value_error *error)
{
    const char *reason = cm_remark_words_of(remark).reason;
    fprintf(stream, "%s,%zu,", cm_scope_kind_name(scope->kind), scope->number);
    cm_csv_write_cell(stream, scope->name);
    fprintf(stream, ",%s,", kind);
    cm_csv_write_cell(stream, name);
    write_number(stream, summary->median);
    write_number(stream, summary->lowest);
    write_number(stream, summary->highest);
    fprintf(stream, ",%zu", summary->count);
    write_number(stream, definition);
    fputc(',', stream);
    cm_csv_write_cell(stream, core);
    fputc(',', stream);
    cm_csv_write_cell(stream, reason != NULL ? reason : "");
    write_number(stream, error != NULL ? error->error : NAN);
    fputc(',', stream);
    cm_csv_write_cell(stream, error != NULL ? error->because : "");
    write_number(stream, rates.per_second);
    write_number(stream, rates.per_cycle);
    fputc('\n', stream);
}

cm_status cm_counts_write_csv(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    (void)error;
    const cm_program_counts *counts = content;
    fputs("scope,number,scope_name,kind,name,value,lowest,highest,repetitions,definition_error,core,reason,error,"
          "error_because,per_second,per_cycle\n",
          stream);
    for (size_t i = 0; i < counts->scope_count; i++) {
        const cm_scope *scope = &counts->scopes[i];
        for (size_t k = 0; k < counts->metric_count; k++) {
            cm_summary summary = cm_scope_metric(counts, scope, k);
            write_row(stream, scope, "metric", counts->metrics[k]->metric, &summary,
                      cm_scope_rates(counts, scope, summary.median), cm_metric_error(counts->metrics[k]),
                      counts->metrics[k]->core, cm_metric_remark(counts, k, &summary), &scope->errors[k]);
        }
        for (size_t k = 0; k < counts->event_count; k++) {
            cm_summary summary = cm_scope_event(counts, scope, k);
            write_row(stream, scope, "event", counts->events[k].name, &summary,
                      cm_scope_rates(counts, scope, summary.median), NAN, "", cm_event_remark(counts, k, &summary),
                      NULL);
        }
    }
    return CM_OK;
}
