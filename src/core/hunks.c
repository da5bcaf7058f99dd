/* Changed lines of a file as the hunks of a unified diff. */
#include "core/base.h"

enum { AROUND = 3 };

static bool changes_file(const cm_changed_line *line)
{
    return line->instead != NULL || line->behind != NULL;
}

static size_t lines_in(const char *text)
{
    size_t count = 0;
    for (; text != NULL && *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* The end of the hunk that begins with a change at `first`: changes near each other, and unchanged lines behind. */
static size_t hunk_end(const cm_changed_line *lines, size_t count, size_t first)
{
    size_t last = first;
    for (size_t i = first; i < count && i <= last + 2 * AROUND; i++)
        last = changes_file(&lines[i]) ? i : last;
    return last + 1 + AROUND < count ? last + 1 + AROUND : count;
}

static void write_lines(char sign, const char *text, FILE *stream)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fprintf(stream, "%c%.*s\n", sign, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Writes ' ' before a line that stays, '-' before one that is replaced, and '+' before its replacement and lines that
 * are added behind it. A last line without a line end gets one, as its replacement, if lines are added behind it. */
static void write_line(const cm_changed_line *line, bool lacks_newline, FILE *stream)
{
    static const char no_end[] = "\\ No newline at end of file\n";
    bool replaced = line->instead != NULL || (lacks_newline && line->behind != NULL);
    fprintf(stream, "%c%s\n", replaced ? '-' : ' ', line->text);
    if (lacks_newline)
        fputs(no_end, stream);
    if (replaced)
        fprintf(stream, "+%s\n", line->instead != NULL ? line->instead : line->text);
    if (lacks_newline && replaced && line->behind == NULL)
        fputs(no_end, stream);
    if (line->behind != NULL)
        write_lines('+', line->behind, stream);
}

void cm_hunks_write(const cm_changed_line *lines, size_t count, bool ended, const char *name, FILE *stream)
{
    size_t more = 0; /* lines added by earlier hunks */
    bool begun = false;
    for (size_t i = 0; i < count; i++) {
        if (!changes_file(&lines[i]))
            continue;
        size_t before = lines[i].instead != NULL ? AROUND : AROUND - 1; /* else the line itself stays */
        size_t first = i > before ? i - before : 0, end = hunk_end(lines, count, i), added = 0;
        for (size_t k = first; k < end; k++)
            added += lines_in(lines[k].behind);
        if (!begun)
            fprintf(stream, "--- a/%s\n+++ b/%s\n", name, name);
        begun = true;
        fprintf(stream, "@@ -%zu,%zu +%zu,%zu @@\n", first + 1, end - first, first + 1 + more, end - first + added);
        for (size_t k = first; k < end; k++)
            write_line(&lines[k], k + 1 == count && !ended, stream);
        more += added;
        i = end - 1;
    }
}
