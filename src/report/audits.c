/* Audits of all processors of a checkout: a summary, then each audit. */
#include "report/report.h"

/* The columns of the summary: verdicts with a column of their own; the others are summed. */
static const struct {
    const char *title;
    cm_audit_verdict verdict;
} columns[] = {{"right", CM_VERDICT_RIGHT},
               {"wrong", CM_VERDICT_WRONG},
               {"unmodelled", CM_VERDICT_NOT_MODELLED},
               {"no event", CM_VERDICT_EVENT_MISSING},
               {"no metric", CM_VERDICT_NO_SIGNATURE}};

enum { COLUMNS = CM_COUNT_OF(columns) };

/* Prints a line of the summary. */
static void write_processor_row(FILE *stream, const char *cpu, const char *model, size_t formulas,
                                const size_t verdicts[COLUMNS])
{
    size_t rest = formulas;
    fprintf(stream, "%-20s %-16s %10zu", cpu, model, formulas);
    for (size_t i = 0; i < COLUMNS; i++) {
        fprintf(stream, " %10zu", verdicts[i]);
        rest -= verdicts[i];
    }
    fprintf(stream, " %10zu\n", rest);
}

/* Writes the numbers of verdicts, a line a processor, and their sums. */
static void write_audits_summary(const cm_processor_audits *audits, FILE *stream)
{
    size_t formulas = 0, sums[COLUMNS] = {0};
    fprintf(stream, "%-20s %-16s %10s", "Processor", "Model", "Formulas");
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(stream, " %10s", columns[i].title);
    fprintf(stream, " %10s\n", "other");
    for (size_t i = 0; i < audits->count; i++) {
        const cm_processor_audit *item = &audits->items[i];
        size_t verdicts[COLUMNS], count = cm_audit_count(item->audit);
        for (size_t v = 0; v < COLUMNS; v++) {
            verdicts[v] = cm_audit_verdicts(item->audit, columns[v].verdict);
            sums[v] += verdicts[v];
        }
        formulas += count;
        write_processor_row(stream, item->cpu, item->model, count, verdicts);
    }
    write_processor_row(stream, "all", "", formulas, sums);
    fputs("\nUnmodelled: the processor has the events, and the model does not know what one counts. No event: neither "
          "the\nmodel nor libpfm4, if that knows the processor, has one. No metric: catmint knows none of that "
          "name.\n",
          stream);
}

/* Names the sections without a model, each with its number of formulas: by its last name, which is libpfm4's in those
 * that have older ones. */
static void write_unmodelled(const cm_processor_audits *audits, const cm_page *page)
{
    char *text = NULL;
    size_t formulas = 0;
    FILE *stream = audits->unmodelled_count > 0 ? cm_page_begin_text(page, &text) : NULL;
    if (stream == NULL)
        return;
    for (size_t i = 0; i < audits->unmodelled_count; i++)
        formulas += audits->unmodelled[i].formulas;
    fprintf(stream, "%zu section%s, %zu formula%s:", audits->unmodelled_count, audits->unmodelled_count == 1 ? "" : "s",
            formulas, formulas == 1 ? "" : "s");
    for (size_t i = 0; i < audits->unmodelled_count; i++) {
        const char *names = audits->unmodelled[i].section, *last = strrchr(names, ',');
        fprintf(stream, "%s %s (%zu)", i > 0 ? "," : "", last != NULL ? last + 1 : names,
                audits->unmodelled[i].formulas);
    }
    if (cm_page_end_text(page, stream, &text) != NULL)
        cm_page_labelled(page, "No model", text);
    free(text);
}

/* Says once for each machine when its facts were counted. */
static void write_facts_of_machines(const cm_processor_audits *audits, const cm_page *page)
{
    const char *label = "Facts";
    for (size_t i = 0; i < audits->count; i++) {
        const char *facts = cm_audit_kept_facts(audits->items[i].audit);
        bool said = facts == NULL;
        for (size_t k = 0; k < i && !said; k++) {
            const char *other = cm_audit_kept_facts(audits->items[k].audit);
            said = other != NULL && strcmp(other, facts) == 0;
        }
        if (said)
            continue;
        cm_page_labelled(page, label, facts);
        label = "";
    }
}

/* The summary, the facts of each processor, and then one table a processor. */
static void write_audits_table(const void *content, const cm_page *page)
{
    const cm_processor_audits *audits = content;
    write_audits_summary(audits, page->stream);
    fputs("\n", page->stream);
    write_facts_of_machines(audits, page);
    write_unmodelled(audits, page);
    for (size_t i = 0; i < audits->count; i++) {
        fputs("\n", page->stream);
        cm_audit_write_table(audits->items[i].audit, page);
    }
}

/* Writes the sections without a model. */
static cm_status write_unmodelled_json(const cm_processor_audits *audits, FILE *stream, cm_error *error)
{
    json_t *sections = json_array();
    for (size_t i = 0; i < audits->unmodelled_count; i++)
        sections =
            cm_json_append(sections, json_pack("{s:o, s:o}", "section", cm_json_text(audits->unmodelled[i].section),
                                               "formulas", cm_json_count(audits->unmodelled[i].formulas)));
    return cm_json_print(sections, stream, error);
}

/* One object that holds the processors without a model and the audits of the others. */
static cm_status write_audits_json(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    const cm_processor_audits *audits = content;
    fputs("{\"schema\": \"catmint.audits/1\", \"without_model\": ", stream);
    cm_status status = write_unmodelled_json(audits, stream, error);
    fputs(", \"audits\": [\n", stream);
    for (size_t i = 0; i < audits->count && status == CM_OK; i++) {
        fputs(i > 0 ? ",\n" : "", stream);
        status = cm_json_print(cm_audit_json(audits->items[i].audit), stream, error);
    }
    fputs("]}\n", stream);
    return status;
}

static const cm_report audits_report = {"the audits", .forms = {[CM_FORMAT_JSON] = write_audits_json},
                                        .page = write_audits_table};

CM_REPORT_WRITE(cm_audits_write, cm_processor_audits, audits_report)
CM_REPORT_SAVE(cm_audits_save, cm_processor_audits, audits_report)
