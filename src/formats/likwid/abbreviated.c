#include "formats/format.h"

/* Whether `name` fits the pattern, in which * or x stands for a number. */
static bool fits_pattern(const char *pattern, size_t length, const char *name)
{
    size_t i = 0;
    while (i < length && *name != '\0') {
        bool number = (pattern[i] == '*' || pattern[i] == 'x') && isdigit((unsigned char)*name);
        if (!number && pattern[i] != *name)
            return false;
        name += number ? strspn(name, "0123456789") : 1;
        i++;
    }
    return i == length && *name == '\0';
}

/* Whether a counter is meant: by its name, by its event, or by the event with the counter's options, as a pattern. */
static bool is_meant(const cm_likwid_counter *counter, const char *pattern, size_t length)
{
    char event[256];
    const char *options = strchr(counter->name, ':');
    snprintf(event, sizeof event, "%s%s", counter->event, options != NULL ? options : "");
    return fits_pattern(pattern, length, counter->name) || fits_pattern(pattern, length, counter->event) ||
           fits_pattern(pattern, length, event);
}

/* Writes the sum of the counters that fit the patterns between plus signs; returns their number, 0 if one fits none. */
static size_t write_sum(const char *patterns, size_t length, const cm_likwid_counter *counters, size_t count,
                        FILE *stream)
{
    size_t found = 0;
    for (const char *at = patterns, *end = patterns + length; at < end;) {
        at += strspn(at, " +");
        size_t part = strcspn(at, " +)"), before = found;
        for (size_t i = 0; i < count; i++)
            if (is_meant(&counters[i], at, part))
                fprintf(stream, "%s%s", found++ == 0 ? "(" : "+", counters[i].name);
        if (part > 0 && found == before && before == 0)
            return 0;
        at += part;
        at += at < end ? strspn(at, " ") : 0;
    }
    if (found > 0)
        fputc(')', stream);
    return found;
}

/* The divisor whose parenthesis was not opened: the text behind the last division outside parentheses, if one more is
 * closed than opened and the last character closes it; else NULL. */
static const char *forgotten(const char *formula)
{
    const char *after = NULL, *at;
    long open = 0;
    for (at = formula; *at != '\0'; at++) {
        open += (*at == '(') - (*at == ')');
        if (open < 0 && at[1] != '\0')
            return NULL;
        if (open == 0 && *at == '/')
            after = at + 1;
    }
    return open == -1 ? after : NULL;
}

char *cm_likwid_in_full(const char *formula, const cm_likwid_counter *counters, size_t count)
{
    static const char sum[] = "SUM(";
    char *text = NULL;
    const char *divisor = forgotten(formula);
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream == NULL)
        return NULL;
    for (const char *at = formula; *at != '\0';) {
        const char *inner = at + strlen(sum);
        if (at == divisor)
            fputc('(', stream);
        size_t length = strncasecmp(at, sum, strlen(sum)) == 0 ? strcspn(inner, "()") : 0;
        if (length > 0 && inner[length] == ')' && write_sum(inner, length, counters, count, stream) > 0)
            at = inner + length + 1;
        else
            fputc(*at++, stream);
    }
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
