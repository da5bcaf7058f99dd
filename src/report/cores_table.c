/* Results of several types of cores as a table. */
#include "report/report.h"

enum { MOST_NAMED = 6 };

static void write_core_term(double coefficient, bool first, const char *event, FILE *stream)
{
    char number[CM_NUMBER_SIZE];
    fprintf(stream, "%s%s%s x %s", first ? "" : " ",
            coefficient < 0.0 ? "- "
            : first           ? ""
                              : "+ ",
            cm_coefficient_text(fabs(coefficient), number), event);
}

const cm_on_core *cm_core_definition(const cm_by_core *row, const char *core)
{
    for (size_t i = 0; i < row->core_count; i++)
        if (row->cores[i].term_count > 0 && strcmp(row->cores[i].core, core) == 0)
            return &row->cores[i];
    return NULL;
}

bool cm_is_defined_on_a_core(const cm_by_core *row)
{
    bool defined = false;
    for (size_t i = 0; i < row->core_count; i++)
        defined = defined || row->cores[i].term_count > 0;
    return defined;
}

/* "1 x A + 2 x B": the definition on that type, its events without their PMU's names, to be freed. NULL without memory.
 */
static char *text_of_definition(const cm_core_type *core, const cm_on_core *defined)
{
    char *text = NULL;
    bool first = true;
    FILE *stream = cm_memory_stream(&text, NULL);
    for (size_t k = 0; stream != NULL && k < 2 * defined->term_count; k++) {
        const cm_defined_term *term = &defined->terms[k % defined->term_count];
        if ((term->coefficient < 0.0) != (k >= defined->term_count))
            continue; /* positive terms first, then negative ones */
        write_core_term(term->coefficient, first, cm_core_bare(core, term->event), stream);
        first = false;
    }
    return cm_memory_text(stream, &text);
}

static size_t widest_metric_on_cores(const cm_by_core *rows, size_t count)
{
    size_t widest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t width = cm_text_width(rows[i].name);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static size_t widest_core(const cm_definitions *document)
{
    size_t widest = 0;
    for (size_t i = 0; i < document->core_count; i++) {
        size_t width = strlen(document->cores[i].name);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Writes the metric's definition on each type of cores, once if all are the same. */
static void write_metric_on_cores(const cm_definitions *document, const cm_by_core *row, size_t metric_width,
                                  const cm_page *page)
{
    size_t core_width = widest_core(document), indent = metric_width + CM_COLUMN_GAP + core_width + CM_COLUMN_GAP;
    cm_page_write(page, row->name, metric_width);
    for (size_t i = 0; i < (row->same ? 1 : document->core_count); i++) {
        const cm_core_type *core = &document->cores[i];
        const cm_on_core *defined = cm_core_definition(row, core->name);
        char *text = defined != NULL ? text_of_definition(core, defined) : NULL;
        *page->short_of_memory |= defined != NULL && text == NULL;
        if (i > 0)
            fprintf(page->stream, "%*s", (int)metric_width, "");
        fprintf(page->stream, "%*s%-*s%*s", CM_COLUMN_GAP, "", (int)core_width, row->same ? "all" : core->name,
                CM_COLUMN_GAP, "");
        cm_text_wrap(text != NULL ? text : "no definition", indent, indent, page->width, page->stream);
        fputc('\n', page->stream);
        free(text);
    }
    if (!row->same)
        fprintf(page->stream, "%*snot the same on all cores\n", (int)(metric_width + CM_COLUMN_GAP), "");
}

/* Writes how many metrics have the same definition on all types of cores. */
static void write_number_of_same(const cm_by_core *rows, size_t count, const cm_page *page)
{
    size_t same = 0, none = 0;
    for (size_t i = 0; i < count; i++) {
        bool defined = cm_is_defined_on_a_core(&rows[i]);
        same += rows[i].same && defined;
        none += !defined;
    }
    cm_page_write_labelled(
        page, "Cores",
        "of %zu metrics %zu are defined by the same events on all cores, %zu are not the same on all cores, %zu "
        "are defined on none",
        count, same, count - same - none, none);
}

/* Writes events that share a name on several types of cores but do not count the same. */
static void write_differing_events(const cm_by_core *rows, size_t count, const cm_page *page)
{
    char line[1024];
    size_t named = 0;
    if (count == 0)
        return;
    snprintf(line, sizeof line, "events with the same name but different counts on each type of cores:");
    for (; named < count && named < MOST_NAMED; named++)
        cm_text_append(line, sizeof line, named > 0 ? "," : "", " %.100s", rows[named].name);
    if (named < count)
        cm_text_append(line, sizeof line, "", " and %zu more, which JSON lists", count - named);
    cm_page_labelled(page, "Not merged", line);
}

void cm_cores_write_summary(const cm_definitions *document, const cm_page *page)
{
    if (document->core_count == 0)
        return;
    write_number_of_same(document->by_core, document->by_core_count, page);
    write_differing_events(document->different, document->different_count, page);
}

void cm_cores_write_table(const cm_definitions *document, const cm_page *page)
{
    static const char title[] = "Cores side by side";
    const cm_by_core *rows = document->by_core;
    const size_t width = widest_metric_on_cores(rows, document->by_core_count);
    if (document->core_count == 0)
        return;
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_BOLD);
    fprintf(page->stream, "%s\n==================", title);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
    for (size_t i = 0; i < document->by_core_count; i++) {
        if (i == 0 || strcmp(rows[i].benchmark, rows[i - 1].benchmark) != 0)
            fprintf(page->stream, "%s%s\n", i > 0 ? "\n" : "", rows[i].benchmark);
        if (cm_is_defined_on_a_core(&rows[i]))
            write_metric_on_cores(document, &rows[i], width, page);
    }
    fputc('\n', page->stream);
    cm_cores_write_summary(document, page);
}
