#include "core/base.h"
#include "report/report.h"

#include <string.h>

#include <catmint/text.h>

enum { DEFAULT_WIDTH = 100, SMALLEST_WIDTH = 60 };

cm_page cm_page_make(const cm_output_style *style, FILE *stream, bool *short_of_memory)
{
    size_t width = style->width == 0 ? DEFAULT_WIDTH : style->width;
    *short_of_memory = false;
    return (cm_page){stream, width < SMALLEST_WIDTH ? SMALLEST_WIDTH : width, style->colour, short_of_memory, NULL};
}

void cm_page_mark(const cm_page *page, cm_mark mark)
{
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[32m", "\033[31m", "\033[2m"};
    if (page->colour)
        fputs(codes[mark], page->stream);
}

void cm_page_label(const cm_page *page, const char *label)
{
    cm_page_mark(page, CM_MARK_BOLD);
    fprintf(page->stream, "%-*s", CM_PAGE_LABEL, label);
    cm_page_mark(page, CM_MARK_PLAIN);
}

void cm_page_labelled(const cm_page *page, const char *label, const char *text)
{
    cm_page_label(page, label);
    cm_text_wrap(text, CM_PAGE_LABEL, CM_PAGE_LABEL, page->width, page->stream);
    fputc('\n', page->stream);
}

const char *cm_page_names(const char *list, char text[CM_PAGE_NAMES])
{
    const size_t most = 8;
    const char *clause = strstr(list, ", which "), *cut = NULL;
    size_t count = 1;
    for (const char *at = strchr(list, ','); at != NULL && at < clause; at = strchr(at + 1, ','))
        if (++count == most + 1)
            cut = at;
    if (cut == NULL)
        return list;
    snprintf(text, CM_PAGE_NAMES, "%.*s and %zu more%s", (int)(cut - list), list, count - most, clause);
    return text;
}

void cm_page_write(const cm_page *page, const char *text, size_t width)
{
    size_t taken = cm_text_width(text);
    cm_text_write(text, page->stream);
    fprintf(page->stream, "%*s", taken < width ? (int)(width - taken) : 0, "");
}

size_t cm_page_shown(const cm_page *page, size_t count, size_t most)
{
    const bool cut = page->cut != NULL && count > most + 1;
    if (cut)
        *page->cut = true;
    return cut ? most : count;
}

void cm_page_rest(const cm_page *page, size_t left, const char *things)
{
    char line[128];
    snprintf(line, sizeof line, "and %zu more %s", left, things);
    if (left > 0)
        cm_page_labelled(page, "", line);
}
