/* Numbers read from text and written, whatever the locale. */
#include "core/base.h"

#include <locale.h>

enum { PREFIX_SIZE = 64, FEWEST_DIGITS = 15, MOST_DIGITS = 17 };

static const char digits[] = "0123456789";

/* The length of the number, without a sign, at the start of the text: digits [. digits] [e [+-] digits]. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, digits);
    if (text[length] == '.')
        length += 1 + strspn(text + length + 1, digits);
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        size_t exponent = strspn(text + length + 1 + sign, digits);
        length += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return length;
}

static cm_status not_a_number(const char *text, cm_error *error)
{
    const char *unsigned_text = text + (*text == '-' || *text == '+');
    if (*text == '\0')
        return CM_FAIL(error, CM_BAD_INPUT, "empty, expected a number");
    if (strncasecmp(unsigned_text, "nan", 3) == 0 || strncasecmp(unsigned_text, "inf", 3) == 0)
        return CM_FAIL(error, CM_BAD_INPUT, "'%.40s' is not finite", text);
    return CM_FAIL(error, CM_BAD_INPUT, "'%.40s' is not a decimal number", text);
}

cm_status cm_number_parse(const char *text, double *value, cm_error *error)
{
    const char *number = text + (*text == '-' || *text == '+');
    const char first = number[strspn(number, ".")], leading = number[strspn(number, ".0")];
    if (number[number_length(number)] != '\0' || first < '0' || first > '9')
        return not_a_number(text, error);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return cm_error_no_memory(error);
    double result = strtod_l(text, NULL, plain);
    freelocale(plain);
    if (!isfinite(result) || (result == 0.0 && leading >= '1' && leading <= '9'))
        return CM_FAIL(error, CM_BAD_INPUT, "'%.40s' is beyond the range of a double", text);
    *value = result;
    return CM_OK;
}

size_t cm_number_prefix(const char *text, double *value)
{
    char copy[PREFIX_SIZE];
    size_t length = number_length(text);
    if (length >= sizeof copy)
        return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return cm_number_parse(copy, value, NULL) == CM_OK ? length : 0;
}

cm_status cm_number_parse_size(const char *text, size_t *value, cm_error *error)
{
    if (*text == '\0')
        return CM_FAIL(error, CM_BAD_INPUT, "empty, expected a whole number from 0");
    size_t result = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at < '0' || *at > '9')
            return CM_FAIL(error, CM_BAD_INPUT, "'%.40s' is not a whole number from 0", text);
        size_t digit = (size_t)(*at - '0');
        if (result > (SIZE_MAX - digit) / 10)
            return CM_FAIL(error, CM_BAD_INPUT, "'%.40s' is too large", text);
        result = result * 10 + digit;
    }
    *value = result;
    return CM_OK;
}

/* printf writes the decimal separator of the caller's locale, which may have several bytes. */
static void replace_separator(char *text)
{
    char *at = text + strspn(text, "+-0123456789");
    if (*at != '\0' && *at != 'e') {
        char *rest = at + strcspn(at, "0123456789e");
        *at = '.';
        memmove(at + 1, rest, strlen(rest) + 1);
    }
}

size_t cm_shortest_write(double value, char text[CM_NUMBER_TEXT_SIZE])
{
    int kept = errno; /* strtod sets it for subnormal numbers */
    for (int precision = FEWEST_DIGITS; precision <= MOST_DIGITS; precision++) {
        snprintf(text, CM_NUMBER_TEXT_SIZE, "%.*g", precision, value);
        if (precision == MOST_DIGITS || strtod(text, NULL) == value)
            break;
    }
    errno = kept;
    replace_separator(text);
    return strlen(text);
}

size_t cm_number_write(double value, char text[CM_NUMBER_TEXT_SIZE])
{
    if (fabs(value) >= 1e15 && fabs(value) < 1e17 && value == trunc(value))
        return (size_t)snprintf(text, CM_NUMBER_TEXT_SIZE, "%.0f", value);
    return cm_shortest_write(value, text);
}
