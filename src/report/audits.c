/* Audits of all processors of a checkout: a summary, then each audit. */
#include "report/audit.h"

/* The columns of the summary: verdicts with a column of their own; the others are summed. */
static const struct {
    const char *title;
    cm_audit_verdict verdict;
} columns[] = {{"right", CM_VERDICT_RIGHT},
               {"wrong", CM_VERDICT_WRONG},
               {"no event", CM_VERDICT_EVENT_MISSING},
               {"no metric", CM_VERDICT_NO_SIGNATURE}};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* Prints a line of the summary. */
static void write_row(FILE *stream, const char *cpu, const char *model, size_t formulas, const size_t verdicts[COLUMNS])
{
    size_t rest = formulas;
    fprintf(stream, "%-20s %-16s %9zu", cpu, model, formulas);
    for (size_t i = 0; i < COLUMNS; i++) {
        fprintf(stream, " %9zu", verdicts[i]);
        rest -= verdicts[i];
    }
    fprintf(stream, " %9zu\n", rest);
}

/* Writes the numbers of verdicts, a line a processor, and their sums. */
static void write_summary(const cm_processor_audits *audits, FILE *stream)
{
    size_t formulas = 0, sums[COLUMNS] = {0};
    fprintf(stream, "%-20s %-16s %9s", "Processor", "Model", "Formulas");
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(stream, " %9s", columns[i].title);
    fprintf(stream, " %9s\n", "other");
    for (size_t i = 0; i < audits->count; i++) {
        const cm_processor_audit *item = &audits->items[i];
        size_t verdicts[COLUMNS], count = cm_audit_count(item->audit);
        for (size_t v = 0; v < COLUMNS; v++) {
            verdicts[v] = cm_audit_verdicts(item->audit, columns[v].verdict);
            sums[v] += verdicts[v];
        }
        formulas += count;
        write_row(stream, item->cpu, item->model, count, verdicts);
    }
    write_row(stream, "all", "", formulas, sums);
}

static cm_status write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_processor_audits *audits = content;
    cm_status status = CM_OK;
    write_summary(audits, stream);
    for (size_t i = 0; i < audits->count && status == CM_OK; i++) {
        fputs("\n", stream);
        status = cm_audit_write_table(audits->items[i].audit, style, stream, error);
    }
    return status;
}

static cm_status write_json(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_processor_audits *audits = content;
    cm_status status = CM_OK;
    fputs("{\"schema\": \"catmint.audits/1\", \"audits\": [\n", stream);
    for (size_t i = 0; i < audits->count && status == CM_OK; i++) {
        fputs(i > 0 ? ",\n" : "", stream);
        status = cm_audit_write_json(audits->items[i].audit, style, stream, error);
    }
    fputs("]}\n", stream);
    return status;
}

static cm_report report_of(const cm_processor_audits *audits)
{
    return (cm_report){"the audits", audits, {[CM_FORMAT_TABLE] = write_table, [CM_FORMAT_JSON] = write_json}};
}

cm_status cm_audits_write(const cm_processor_audits *audits, const cm_output_style *style, FILE *stream,
                          cm_error *error)
{
    const cm_report report = report_of(audits);
    return cm_report_write(&report, style, stream, error);
}

cm_status cm_audits_save(const cm_processor_audits *audits, const cm_output_style *style, const char *path,
                         cm_error *error)
{
    const cm_report report = report_of(audits);
    return cm_report_save(&report, style, path, error);
}
