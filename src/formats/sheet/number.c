/* Numbers as spreadsheets write them. */
#include <ctype.h>
#include <string.h>

#include "core/number.h"
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

/* One of each kind: the last is the decimal sign. Several of a kind: thousands. One alone: as the user said, else a
 * point is a decimal sign, and a comma one unless three digits follow. */
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
