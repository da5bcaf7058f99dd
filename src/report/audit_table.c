/* An audit for people: a line a formula, its findings below. */
#include "report/report.h"

enum { WORDS_SIZE = 80, AUDIT_INDENT = 4, DETAIL = AUDIT_INDENT + 12 };

/* The verdict's name for people; JSON keeps its first name. */
static const char *verdict_words(cm_audit_verdict verdict)
{
    return verdict == CM_VERDICT_EVENT_NOT_LISTED ? "event not listed" : cm_audit_verdict_text(verdict);
}

/* "right up to 10^3" if no signature sets the factor, "in a range" if the metric must be frequent, "where tried" if a
 * remark names kernels that were not tried. */
static const char *entry_words(const cm_audit_entry *entry, char text[WORDS_SIZE])
{
    char power[CM_NUMBER_SIZE] = "";
    if (entry->verdict == CM_VERDICT_RIGHT && entry->power != 0)
        snprintf(power, sizeof power, " up to 10^%d", entry->power);
    snprintf(text, WORDS_SIZE, "%s%s%s%s", verdict_words(entry->verdict), power,
             cm_audit_is_ranged(entry) ? " in a range" : "", cm_audit_is_partial(entry) ? " where tried" : "");
    return text;
}

/* Columns of the lines. */
typedef struct cm_columns {
    size_t verdict, formula, metric;
    bool location;        /* file and line stand on the same line */
    bool directories;     /* files are shown with their directories, since two have the same name */
    const char *checkout; /* the directory to which files' paths are relative; NULL: none */
} cm_columns;

/* The path's last name, or its last two. */
static const char *end_of(const char *path, bool directory)
{
    const char *end = strrchr(path, '/');
    while (directory && end != NULL && end > path && end[-1] != '/')
        end--;
    return end == NULL ? path : *end == '/' ? end + 1 : end;
}

/* The part of a file's path that is shown. */
static const char *place_of(const char *path, const cm_columns *columns)
{
    size_t length = columns->checkout != NULL ? strlen(columns->checkout) : 0;
    if (length == 0 || strncmp(path, columns->checkout, length) != 0)
        return end_of(path, columns->directories);
    return path + length + strspn(path + length, "/");
}

static bool need_directories(const cm_audit *audit)
{
    for (size_t i = 0; i < audit->formulas_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(end_of(cm_formulas_file(audit->formulas[i]), false),
                       end_of(cm_formulas_file(audit->formulas[j]), false)) == 0)
                return true;
    return false;
}

/* The metric: "Mispredicted Branches / All Branches", "SP Ops. over time". Free with free(); NULL without memory. */
static char *claim_text(const cm_audit_entry *entry)
{
    char *text = NULL;
    const char *below = entry->denominator != NULL ? entry->denominator->metric : "";
    int length = asprintf(&text, "%s%s%s", entry->numerator.metric,
                          below[0] != '\0'         ? " / "
                          : entry->rate[0] != '\0' ? " over "
                                                   : "",
                          below[0] != '\0' ? below : entry->rate);
    return length < 0 ? NULL : text;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The widths of the columns. */
static cm_columns lay_out_audit(const cm_audit *audit, const cm_page *page)
{
    cm_columns columns = {strlen("Verdict"),       strlen("Formula"),        strlen("Metric"), false,
                          need_directories(audit), audit->upstream.directory};
    size_t location = strlen("Location");
    char words[WORDS_SIZE];
    for (size_t i = 0; i < audit->entry_count; i++) {
        const cm_audit_entry *entry = &audit->entries[i];
        char *claim = claim_text(entry);
        *page->short_of_memory |= claim == NULL;
        if (entry->verdict != CM_VERDICT_NO_SIGNATURE) {
            columns.verdict = larger(columns.verdict, strlen(entry_words(entry, words)));
            columns.formula = larger(columns.formula, cm_text_width(entry->metric));
            columns.metric = larger(columns.metric, claim != NULL ? cm_text_width(claim) : 0);
            location = larger(location, cm_text_width(place_of(entry->file, &columns)) +
                                            (size_t)snprintf(NULL, 0, ":%zu", entry->line));
        }
        free(claim);
    }
    columns.location = columns.verdict + columns.formula + columns.metric + location + 3 * CM_COLUMN_GAP <= page->width;
    return columns;
}

static void write_audit_cell(const char *text, size_t width, FILE *stream)
{
    cm_text_write(text, stream);
    fprintf(stream, "%*s", (int)(width - cm_text_width(text) + CM_COLUMN_GAP), "");
}

static void write_labelled(const cm_page *page, const char *label, const char *text)
{
    fprintf(page->stream, "%*s", AUDIT_INDENT, "");
    cm_page_mark(page, CM_MARK_DIM);
    fprintf(page->stream, "%-*s", DETAIL - AUDIT_INDENT, label);
    cm_page_mark(page, CM_MARK_PLAIN);
    cm_text_wrap(text, DETAIL, DETAIL, page->width, page->stream);
    fputc('\n', page->stream);
}

/* Writes one labelled text: the output of `put` for the sum. */
static void write_written(const cm_page *page, const char *label, void (*put)(const cm_audited_sum *, FILE *),
                          const cm_audited_sum *sum)
{
    char *text = NULL;
    FILE *stream = cm_page_begin_text(page, &text);
    if (stream == NULL)
        return;
    put(sum, stream);
    if (cm_page_end_text(page, stream, &text) != NULL && text[0] != '\0')
        write_labelled(page, label, text);
    free(text);
}

static void write_measures(const cm_audited_sum *sum, FILE *stream)
{
    char share[CM_NUMBER_SIZE];
    bool off = sum->measure_count == 0; /* else the formula is a constant */
    for (size_t i = 0; i < sum->symbol_count && sum->off != NULL; i++)
        off = off || sum->off[i];
    cm_findings_write(sum->measures, sum->measure_count, stream);
    if (sum->verdict == CM_VERDICT_WRONG && off && !isnan(sum->misfit))
        fprintf(stream, " (off by %s of the metric)", cm_percent_text(sum->misfit, share));
}

static void write_remarks(const cm_audited_sum *sum, FILE *stream)
{
    cm_findings_write(sum->remarks, sum->remark_count, stream);
}

static void write_offending_events(const cm_audited_sum *sum, FILE *stream)
{
    for (size_t i = 0; i < sum->offending_event_count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", sum->offending_events[i]);
}

/* Whether a formula is wrong and none is known that would be right. */
static void write_right(const cm_audited_sum *sum, FILE *stream)
{
    bool said = sum->verdict != CM_VERDICT_WRONG;
    for (size_t i = 0; i < sum->remark_count; i++)
        said = said || sum->remarks[i].kind == CM_FINDING_NO_COMBINATION;
    cm_audit_write_definition(sum, stream);
    if (sum->definition_count == 0 && !said)
        fprintf(stream, "not found: neither a sum of events with these names nor any single event is %s", sum->metric);
}

/* Facts on which vendors disagree and which the sum counts. */
static void write_also_counted(const cm_audited_sum *sum, FILE *stream)
{
    for (size_t i = 0; i < sum->also_count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", sum->also_counts[i]);
}

static void write_valid_ranges(const cm_audited_sum *sum, FILE *stream)
{
    char *text = cm_ranges_text(sum->ranges, sum->range_count, sum->range_share, SIZE_MAX, NULL);
    fputs(text != NULL ? text : "", stream);
    free(text);
}

/* Writes the findings on one sum: a line each, none for those that are absent. */
static void write_sum(const cm_audited_sum *sum, const cm_page *page)
{
    write_written(page, "it", write_measures, sum);
    write_written(page, "counts", cm_audit_write_symbols, sum);
    write_written(page, "events", write_offending_events, sum);
    write_written(page, "holds", write_valid_ranges, sum);
    write_written(page, "also counts", write_also_counted, sum);
    write_written(page, "confounded", cm_audit_write_confounded, sum);
    write_written(page, "note", write_remarks, sum);
    write_written(page, sum->verdict == CM_VERDICT_RIGHT ? "everywhere" : "right is", write_right, sum);
}

/* The kernels on which the formula is off. */
static void write_kernels(const cm_audit_entry *entry, const cm_page *page)
{
    char *text = NULL;
    FILE *stream = entry->kernel_count > 0 ? cm_page_begin_text(page, &text) : NULL;
    if (stream == NULL)
        return;
    cm_audit_write_kernels(entry, stream);
    if (cm_page_end_text(page, stream, &text) != NULL)
        write_labelled(page, "kernels", text);
    free(text);
}

/* Writes the line of a formula, and its findings below. */
static void write_entry(const cm_audit_entry *entry, const cm_columns *columns, const cm_page *page)
{
    static const cm_mark marks[CM_VERDICT_COUNT] = {
        [CM_VERDICT_RIGHT] = CM_MARK_GOOD, [CM_VERDICT_WRONG] = CM_MARK_BAD};
    char *claim = claim_text(entry), words[WORDS_SIZE];
    *page->short_of_memory |= claim == NULL;
    cm_page_mark(page, marks[entry->verdict]);
    write_audit_cell(entry_words(entry, words), columns->verdict, page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    write_audit_cell(entry->metric, columns->formula, page->stream);
    if (columns->location)
        write_audit_cell(claim != NULL ? claim : "", columns->metric, page->stream);
    else
        cm_text_write(claim != NULL ? claim : "", page->stream);
    if (!columns->location)
        fprintf(page->stream, "\n%*s", AUDIT_INDENT, "");
    cm_text_write(place_of(entry->file, columns), page->stream);
    fprintf(page->stream, ":%zu\n", entry->line);
    free(claim);
    if (columns->checkout != NULL && entry->verdict == CM_VERDICT_WRONG)
        write_labelled(page, "formula", entry->text);
    /* Values may have judged the ratio as a whole, with one verdict for both sums. */
    const cm_audited_sum *below = entry->denominator;
    if (below == NULL || entry->verdict == CM_VERDICT_RIGHT ||
        (below->symbol_count == 0 && below->measure_count == 0 && below->remark_count == 0 &&
         below->offending_event_count == 0 && below->verdict == entry->verdict)) {
        write_sum(&entry->numerator, page);
        if (entry->denominator != NULL)
            write_written(page, "over", write_right, entry->denominator);
        write_kernels(entry, page);
        return;
    }
    const cm_audited_sum *sums[] = {&entry->numerator, entry->denominator};
    for (int i = 0; i < 2; i++) {
        write_labelled(page, i == 0 ? "above" : "below", verdict_words(sums[i]->verdict));
        write_sum(sums[i], page);
    }
    write_kernels(entry, page);
}

/* Writes the PMU, the machine and the checkout of the audit. */
static void write_audit_head(const cm_audit *audit, const cm_page *page)
{
    const char *pmu = cm_definitions_pmu(audit->definitions), *machine = cm_definitions_machine(audit->definitions);
    const cm_upstream *upstream = &audit->upstream;
    char not_tried[512] = "";
    const char *facts = cm_audit_kept_facts(audit);
    if (audit->missing != NULL)
        snprintf(not_tried, sizeof not_tried, "facts that %.100s does not execute: %.256s", upstream->cpu,
                 audit->missing);
    const char *const rows[][2] = {{"PMU", pmu != NULL ? pmu : "unknown"},
                                   {"Facts", facts != NULL ? facts : ""},
                                   {"Machine", machine},
                                   {"Upstream", upstream->project != NULL ? upstream->project : ""},
                                   {"Directory", upstream->project != NULL ? upstream->directory : ""},
                                   {"CPU", upstream->project != NULL ? upstream->cpu : ""},
                                   {"Not tried", not_tried}};
    for (size_t i = 0; i < CM_COUNT_OF(rows); i++) {
        if (rows[i][1][0] != '\0')
            cm_page_labelled(page, rows[i][0], rows[i][1]);
    }
    fputc('\n', page->stream);
}

/* Whether an entry before this one has no signature and the same metric. */
static bool is_listed_before(const cm_audit *audit, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (audit->entries[i].verdict == CM_VERDICT_NO_SIGNATURE &&
            strcmp(audit->entries[i].metric, audit->entries[index].metric) == 0)
            return true;
    return false;
}

static size_t count_such(const cm_audit *audit, bool (*such)(const cm_audit_entry *))
{
    size_t count = 0;
    for (size_t i = 0; i < audit->entry_count; i++)
        count += such(&audit->entries[i]);
    return count;
}

/* Counts the right formulas that are right in a range only, or only where tried. */
static void write_ranged_counts(const cm_audit *audit, FILE *stream)
{
    size_t ranged = count_such(audit, cm_audit_is_ranged), partial = count_such(audit, cm_audit_is_partial);
    if (ranged > 0)
        fprintf(stream, " (%zu of them in a range%s", ranged, partial > 0 ? ", " : ")");
    if (partial > 0)
        fprintf(stream, "%s%zu of them where tried)", ranged > 0 ? "" : " (", partial);
}

/* Writes the number of formulas of each verdict, and the names of those without a signature. */
static void write_foot(const cm_audit *audit, const cm_page *page)
{
    char *text = NULL;
    size_t said = 0;
    FILE *stream = cm_page_begin_text(page, &text);
    if (stream == NULL)
        return;
    fprintf(stream, "%zu formula%s%s", audit->entry_count, audit->entry_count == 1 ? "" : "s",
            audit->entry_count > 0 ? ":" : "");
    for (cm_audit_verdict verdict = 0; verdict < CM_VERDICT_COUNT; verdict++)
        if (cm_audit_verdicts(audit, verdict) > 0) {
            fprintf(stream, "%s %zu %s", said++ > 0 ? "," : "", cm_audit_verdicts(audit, verdict),
                    verdict_words(verdict));
            if (verdict == CM_VERDICT_RIGHT)
                write_ranged_counts(audit, stream);
        }
    if (cm_audit_verdicts(audit, CM_VERDICT_NO_SIGNATURE) > 0)
        fputs(" (", stream);
    said = 0;
    for (size_t i = 0; i < audit->entry_count; i++) {
        const cm_audit_entry *entry = &audit->entries[i];
        if (entry->verdict != CM_VERDICT_NO_SIGNATURE || is_listed_before(audit, i))
            continue;
        fprintf(stream, "%s%s%s", said++ > 0 ? ", " : "", entry->metric, entry->numerator.remark_count > 0 ? ": " : "");
        write_remarks(&entry->numerator, stream);
    }
    fputs(said > 0 ? ")" : "", stream);
    if (audit->fault_count > 0)
        fprintf(stream, "; %zu fault%s in the files, named on stderr", audit->fault_count,
                audit->fault_count == 1 ? "" : "s");
    if (cm_page_end_text(page, stream, &text) != NULL)
        cm_text_wrap(text, 0, 0, page->width, page->stream);
    fputc('\n', page->stream);
    free(text);
}

void cm_audit_write_table(const void *content, const cm_page *page)
{
    const cm_audit *audit = content;
    FILE *stream = page->stream;
    const bool any = audit->entry_count > cm_audit_verdicts(audit, CM_VERDICT_NO_SIGNATURE);
    const cm_columns columns = lay_out_audit(audit, page);
    write_audit_head(audit, page);
    if (any) {
        cm_page_mark(page, CM_MARK_BOLD);
        write_audit_cell("Verdict", columns.verdict, stream);
        write_audit_cell("Formula", columns.formula, stream);
        if (columns.location)
            write_audit_cell("Metric", columns.metric, stream);
        fputs(columns.location ? "Location" : "Metric", stream);
        cm_page_mark(page, CM_MARK_PLAIN);
        fputc('\n', stream);
    }
    for (size_t i = 0; i < audit->entry_count; i++)
        if (audit->entries[i].verdict != CM_VERDICT_NO_SIGNATURE)
            write_entry(&audit->entries[i], &columns, page);
    if (any)
        fputc('\n', stream);
    write_foot(audit, page);
}
