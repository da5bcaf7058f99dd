#include "report/report.h"

FILE *cm_page_begin_text(const cm_page *page, char **text)
{
    FILE *stream = cm_memory_stream(text, NULL);
    *page->short_of_memory |= stream == NULL;
    return stream;
}

char *cm_page_end_text(const cm_page *page, FILE *stream, char **text)
{
    *page->short_of_memory |= cm_memory_text(stream, text) == NULL;
    return *text;
}

void cm_page_mark(const cm_page *page, cm_mark mark)
{
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[32m", "\033[31m", "\033[2m"};
    if (page->style->colour)
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

void cm_page_write_labelled(const cm_page *page, const char *label, const char *format, ...)
{
    char text[CM_PAGE_NAMES];
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
    cm_page_labelled(page, label, text);
}

size_t cm_page_alike(const char *const *texts, size_t count, char text[CM_PAGE_NAMES])
{
    static const char before[] = ", which ", pair[] = " beside ";
    const char *clause = strstr(texts[0], before);
    size_t alike = 1;
    for (; alike < count; alike++) {
        const char *other = strstr(texts[alike], before);
        const bool same = clause != NULL ? other != NULL && strcmp(other, clause) == 0
                                         : strchr(texts[0], ' ') == NULL && strchr(texts[alike], ' ') == NULL;
        if (!same || (strstr(texts[alike], pair) != NULL) != (strstr(texts[0], pair) != NULL))
            break;
    }
    text[0] = '\0';
    for (size_t i = 0; i < alike && i < CM_PAGE_ALIKE; i++) {
        const char *end = strstr(texts[i], before);
        const size_t length = end != NULL ? (size_t)(end - texts[i]) : strlen(texts[i]);
        cm_text_append(text, CM_PAGE_NAMES, ", ", "%.*s",
                       (int)(length < CM_PAGE_NAMES / CM_PAGE_ALIKE ? length : CM_PAGE_NAMES / CM_PAGE_ALIKE),
                       texts[i]);
    }
    if (alike > CM_PAGE_ALIKE)
        cm_text_append(text, CM_PAGE_NAMES, "", " and %zu more", alike - CM_PAGE_ALIKE);
    if (clause != NULL)
        cm_text_append(text, CM_PAGE_NAMES, "", "%s", clause);
    return alike;
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
