/* Facts that the kernels cannot separate. */
#include "report/report.h"

enum { SET_INDENT = 2, HANGING = 4, TEXT_SIZE = 4096 };

/* "8 x loads that hit": a coefficient of 1 goes without saying. */
static void add_member(char *text, const char *before, const cm_fact_member *member)
{
    double size = fabs(member->coefficient);
    if (size == 1.0)
        cm_text_append(text, TEXT_SIZE, before, "%s", member->words);
    else
        cm_text_append(text, TEXT_SIZE, before, "%.4g x %s", size, member->words);
}

/* "bytes stored = 8 x stores that hit the first-level cache (left to: widths)". */
static void write_set(const cm_fact_set *set, const cm_page *page)
{
    char text[TEXT_SIZE] = "";
    add_member(text, "", &set->members[0]);
    for (size_t i = 1; i < set->count; i++) {
        bool minus = set->members[i].coefficient < 0.0;
        add_member(text, i == 1 ? (minus ? " = -" : " = ") : (minus ? " - " : " + "), &set->members[i]);
    }
    if (set->left_to[0] != '\0')
        cm_text_append(text, TEXT_SIZE, "", " (left to: %s)", set->left_to);
    fprintf(page->stream, "%*s", SET_INDENT, "");
    cm_text_wrap(text, SET_INDENT, HANGING, page->width, page->stream);
    fputc('\n', page->stream);
}

/* Sets of one fact, or of several. */
static void write_sets(const cm_confounded_facts *found, bool alone, const char *heading, const cm_page *page)
{
    bool any = false;
    for (size_t i = 0; i < found->set_count; i++) {
        if ((found->sets[i].count == 1) != alone)
            continue;
        if (!any)
            fprintf(page->stream, "\n%s\n", heading);
        any = true;
        write_set(&found->sets[i], page);
    }
}

/* How many facts the kernels separate, and then the sets of those that they do not. */
static void write_confounded_sets(const void *content, const cm_page *page)
{
    const cm_confounded_facts *found = content;
    fprintf(page->stream, "%zu kernels separate %zu of %zu primitive facts\n", found->kernel_count, found->rank,
            found->fact_count);
    write_sets(found, false, "Confounded: on every kernel, the one is the sum of the others", page);
    write_sets(found, true, "Exercised by no kernel", page);
}

static const cm_report confounded_report = {"confounded facts", .page = write_confounded_sets};

CM_REPORT_WRITE(cm_confounded_facts_write, cm_confounded_facts, confounded_report)
