#include "formats/likwid/likwid.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* Whether `name` fits the pattern, in which * or x stands for a number. */
static bool fits(const char *pattern, size_t length, const char *name)
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

/* Writes the sum of the counters that fit, if there are any; returns their number. */
static size_t put_sum(const char *pattern, size_t length, const cm_likwid_counter *counters, size_t count, FILE *stream)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        bool same = strlen(counters[i].event) == length && strncmp(counters[i].event, pattern, length) == 0;
        if (same || fits(pattern, length, counters[i].name))
            fprintf(stream, "%s%s", found++ == 0 ? "(" : "+", counters[i].name);
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
    size_t size = 0;
    const char *divisor = forgotten(formula);
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return NULL;
    for (const char *at = formula; *at != '\0';) {
        const char *inner = at + strlen(sum);
        if (at == divisor)
            fputc('(', stream);
        size_t length = strncmp(at, sum, strlen(sum)) == 0 ? strcspn(inner, "()") : 0;
        if (length > 0 && inner[length] == ')' && put_sum(inner, length, counters, count, stream) > 0)
            at = inner + length + 1;
        else
            fputc(*at++, stream);
    }
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
