/* Reads numbers as spreadsheets write them. */
#include "formats/sheet/sheet.h"

enum { LONGEST = 64 };

static bool is_digit(char c)
{
    return isdigit((unsigned char)c) != 0;
}

/* Whether exactly three digits follow, and no more. */
static bool three_follow(const char *text)
{
    return is_digit(text[0]) && is_digit(text[1]) && is_digit(text[2]) && !is_digit(text[3]);
}

/* The decimal sign of a number: with both signs, the last one; with several of one kind, none, since they separate
 * thousands; with one alone, the user's choice, else a point is, and a comma is unless three digits follow. */
static char decimal_sign(const cm_sheet_numbers *numbers, const char *cell, bool *doubtful)
{
    const char *comma = strrchr(cell, ','), *point = strrchr(cell, '.');
    if (comma != NULL && point != NULL)
        return comma > point ? ',' : '.';
    if (numbers->decimal_comma)
        return ',';
    if (comma == NULL || comma != strchr(cell, ',') || !three_follow(comma + 1) || cell[0] == '0')
        return comma != NULL && comma == strchr(cell, ',') ? ',' : '.';
    *doubtful = true;
    return '.';
}

bool cm_sheet_number(const cm_sheet_numbers *numbers, const char *cell, double *value, bool *doubtful)
{
    char plain[LONGEST];
    size_t length = 0;
    char sign = decimal_sign(numbers, cell, doubtful);
    for (const char *c = cell; *c != '\0'; c++) {
        bool thousands = (*c == ',' || *c == '.' || *c == ' ' || *c == '\'' || *c == '_') && *c != sign;
        if (thousands && !(length > 0 && three_follow(c + 1)))
            return false;
        if (length + 2 > sizeof plain)
            return false;
        if (!thousands)
            plain[length++] = (char)(*c == sign ? '.' : *c);
    }
    plain[length] = '\0';
    return cm_number_parse(plain, value, NULL) == CM_OK && *value >= 0.0;
}

/* Whether the sign separates groups of three digits, from `from` on. */
static bool parts_thousands(const char *from, char sign)
{
    for (const char *c = strchr(from, sign); c != NULL; c = strchr(c + 1, sign))
        if (c == from || !three_follow(c + 1))
            return false;
    return true;
}

static cm_sheet_decimal other(char sign)
{
    return sign == ',' ? CM_DECIMAL_POINT : CM_DECIMAL_COMMA;
}

static size_t occurrences(const char *text, char sign)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == sign;
    return count;
}

cm_sheet_decimal cm_sheet_number_says(const char *cell)
{
    size_t commas = occurrences(cell, ','), points = occurrences(cell, '.');
    if (commas + points == 0 || !is_digit(cell[0]) || strspn(cell, "0123456789.,") != strlen(cell))
        return CM_DECIMAL_UNSAID;
    if (commas > 0 && points > 0) {
        const char first = strchr(cell, ',') < strchr(cell, '.') ? ',' : '.';
        bool fits = (first == ',' ? points : commas) == 1 && parts_thousands(cell, first);
        return fits ? other(first) : CM_DECIMAL_UNSAID;
    }
    const char sign = commas > 0 ? ',' : '.';
    if (commas + points > 1)
        return parts_thousands(cell, sign) ? other(sign) : CM_DECIMAL_UNSAID;
    if (cell[0] != '0' && strchr(cell, sign) - cell <= 3 && parts_thousands(cell, sign))
        return CM_DECIMAL_EITHER;
    return sign == ',' ? CM_DECIMAL_COMMA : CM_DECIMAL_POINT;
}
