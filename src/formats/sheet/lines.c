/* Lines of a foreign table, without the decoration of spreadsheets and reports. */
#include "formats/sheet/sheet.h"

enum { LONGEST_QUOTE = 1000 };

/* Replaces non-breaking and other blanks of spreadsheets; in Latin-1 one is a byte that is never alone in UTF-8. */
static void plain_blanks(char *text)
{
    static const char *const blanks[] = {"\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89"};
    for (size_t i = 0; i < CM_COUNT_OF(blanks); i++)
        for (char *found; (found = strstr(text, blanks[i])) != NULL;) {
            size_t length = strlen(blanks[i]);
            *found = ' ';
            memmove(found + 1, found + length, strlen(found + length) + 1);
        }
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\xa0' && (c == text || isascii((unsigned char)c[-1])))
            *c = ' ';
}

static bool begins_field(const char *text, const char *c)
{
    return c == text || strchr("\t;,| ", c[-1]) != NULL;
}

/* The quote that ends the cell which this one begins: one before a separator or the end of a line, and before any other
 * that is not doubled; NULL: this one begins no cell. */
static char *closing_quote(char *quote)
{
    for (char *c = quote + 1; *c != '\0' && c - quote <= LONGEST_QUOTE; c++) {
        if (*c != '"')
            continue;
        if (c[1] != '"')
            return strchr("\t;,| \r\n", c[1]) != NULL ? c : NULL;
        c++;
    }
    return NULL;
}

/* The end of the line at `text`. Line breaks in quoted cells become blanks. */
static char *end_of_line(char *text, size_t *breaks)
{
    const char *quoted = text; /* up to here */
    for (char *c = text;; c++) {
        if (*c == '\0')
            return c;
        if (*c == '"' && c >= quoted && begins_field(text, c)) {
            const char *end = closing_quote(c);
            quoted = end != NULL ? end + 1 : quoted;
        }
        if (*c != '\n')
            continue;
        ++*breaks;
        if (c >= quoted)
            return c;
        *c = ' ';
    }
}

/* Whether the line is blank, a comment, or a rule as in Markdown and reports. */
static bool says_nothing(const char *line)
{
    bool rule = strstr(line, "--") != NULL || strstr(line, "==") != NULL;
    return line[0] == '#' || line[strspn(line, " \t,;|\"")] == '\0' ||
           (rule && line[strspn(line, " \t,;|+-=:")] == '\0');
}

/* Whether the line tells spreadsheets the separator. */
static bool names_separator(const char *line, char *separator)
{
    if (strncasecmp(line, "sep=", 4) != 0 || strlen(line) != 5)
        return false;
    if (*separator == '\0')
        *separator = line[4];
    return true;
}

size_t cm_sheet_lines(char *text, char **lines, size_t *numbers, char *separator)
{
    size_t count = 0, number = 1;
    for (char *line = text, *end; *line != '\0'; line = end) {
        size_t breaks = 0;
        end = end_of_line(line, &breaks);
        end = *end != '\0' ? end + 1 : end;
        if (end > line && end[-1] == '\n')
            end[-1] = '\0';
        for (char *c = line; (c = strchr(c, '\r')) != NULL;)
            *c = c[1] == '\0' ? '\0' : ' ';
        plain_blanks(line);
        if (!says_nothing(line) && !(count == 0 && names_separator(line, separator))) {
            numbers[count] = number;
            lines[count++] = line;
        }
        number += breaks;
    }
    return count;
}
