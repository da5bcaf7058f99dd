#include "report/plots/plots.h"

/* The entity that stands for a character in XML, or NULL if it stands for itself. */
static const char *entity_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

/* Writes one character of at most `available` bytes; returns its length. */
static size_t write_character(const char *text, size_t available, FILE *stream)
{
    bool harmful = false;
    size_t length = cm_text_step(text, available, &harmful);
    const char *entity = entity_of(*text);
    char one[8] = "";
    memcpy(one, text, length);
    if (entity != NULL)
        fputs(entity, stream);
    else if (harmful)
        cm_text_write(one, stream);
    else
        fwrite(text, 1, length, stream);
    return length;
}

void cm_markup_write(const char *text, FILE *stream)
{
    for (size_t i = 0, length = strlen(text); i < length;)
        i += write_character(text + i, length - i, stream);
}

void cm_markup_write_name(const char *name, FILE *stream)
{
    static const char separators[] = ":_";
    for (size_t i = 0, length = strlen(name); i < length;) {
        const bool separates = strchr(separators, name[i]) != NULL;
        i += write_character(name + i, length - i, stream);
        if (separates && i < length && strchr(separators, name[i]) == NULL)
            fputs("<wbr>", stream);
    }
}

void cm_markup_write_short(const char *text, size_t most, FILE *stream)
{
    size_t length = strlen(text), i = 0;
    bool whole = cm_text_width(text) <= most;
    for (size_t count = 0; i < length && (whole || count + 1 < most); count++)
        i += write_character(text + i, length - i, stream);
    if (i < length)
        fputs("\xE2\x80\xA6", stream);
}

void cm_markup_write_lines(const char *text, FILE *stream)
{
    for (size_t i = 0, length = strlen(text); i < length;)
        if (text[i] == '\n' || text[i] == '\t')
            fputc(text[i++], stream);
        else
            i += write_character(text + i, length - i, stream);
}

void cm_markup_write_length(double length, FILE *stream)
{
    static const double farthest = 1e7; /* numbers of documents may be of any size */
    long tenths = isnan(length) ? 0 : lround(10.0 * fmin(fmax(length, -farthest), farthest));
    fprintf(stream, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
    if (tenths % 10 != 0)
        fprintf(stream, ".%ld", labs(tenths) % 10);
}
