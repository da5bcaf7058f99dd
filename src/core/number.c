#include "core/base.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX_SIZE = 64 };

/* The parts of a number's text. */
typedef struct decimal {
    uint64_t digits; /* all digits read as one integer */
    bool exact;      /* they fit in `digits` */
    bool nonzero;
    bool negative;
    long exponent; /* value = digits * 10^exponent; saturated */
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void take_digit(decimal *number, char c)
{
    uint64_t digit = (uint64_t)(c - '0');
    if (number->digits > (UINT64_MAX - digit) / 10) {
        number->exact = false;
        return;
    }
    number->digits = number->digits * 10 + digit;
    number->nonzero |= digit != 0;
}

/* Reads [e [+-] digits] and advances `text`; false if there is an e without digits. */
static bool scan_exponent(const char **text, decimal *number)
{
    const char *at = *text;
    if (*at != 'e' && *at != 'E')
        return true;
    at++;
    bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    if (!is_digit(*at))
        return false;
    long exponent = 0;
    for (; is_digit(*at); at++)
        if (exponent < 100000)
            exponent = exponent * 10 + (*at - '0');
    number->exponent += negative ? -exponent : exponent;
    *text = at;
    return true;
}

/* Whether all of `text` is a decimal number; reads it into *number. */
static bool scan_decimal(const char *text, decimal *number)
{
    *number = (decimal){.exact = true, .negative = *text == '-'};
    text += *text == '-' || *text == '+';
    bool any = is_digit(*text);
    for (; is_digit(*text); text++)
        take_digit(number, *text);
    if (*text == '.') {
        for (text++; is_digit(*text); text++) {
            take_digit(number, *text);
            number->exponent--;
            any = true;
        }
    }
    return any && scan_exponent(&text, number) && *text == '\0';
}

/* If integer and power of ten are both exact doubles, a single operation rounds once: to the nearest double. */
static bool convert_exactly(const decimal *number, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!number->exact || number->digits > UINT64_C(1) << 53 || number->exponent > 22 || number->exponent < -22)
        return false;
    double digits = (double)number->digits;
    double result = number->exponent >= 0 ? digits * powers[number->exponent] : digits / powers[-number->exponent];
    *value = number->negative ? -result : result;
    return true;
}

static cm_status not_a_number(const char *text, cm_error *error)
{
    const char *unsigned_text = text + (*text == '-' || *text == '+');
    if (*text == '\0')
        return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "empty, expected a number");
    if (strncasecmp(unsigned_text, "nan", 3) == 0 || strncasecmp(unsigned_text, "inf", 3) == 0)
        return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "'%.40s' is not finite", text);
    return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "'%.40s' is not a decimal number", text);
}

cm_status cm_number_parse(const char *text, double *value, cm_error *error)
{
    decimal number;
    if (!scan_decimal(text, &number))
        return not_a_number(text, error);
    double result;
    if (!convert_exactly(&number, &result)) {
        locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (plain == (locale_t)0)
            return cm_error_no_memory(error);
        result = strtod_l(text, NULL, plain);
        freelocale(plain);
    }
    if (!isfinite(result) || (result == 0.0 && number.nonzero))
        return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "'%.40s' is beyond the range of a double", text);
    *value = result;
    return CM_OK;
}

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (is_digit(text[count]))
        count++;
    return count;
}

size_t cm_number_prefix(const char *text, double *value)
{
    char copy[PREFIX_SIZE];
    size_t length = count_digits(text);
    if (text[length] == '.')
        length += 1 + count_digits(text + length + 1);
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        size_t digits = count_digits(text + length + 1 + sign);
        length += digits > 0 ? 1 + sign + digits : 0;
    }
    if (length >= sizeof copy)
        return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return cm_number_parse(copy, value, NULL) == CM_OK ? length : 0;
}

cm_status cm_number_parse_size(const char *text, size_t *value, cm_error *error)
{
    if (*text == '\0')
        return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "empty, expected a whole number from 0");
    size_t result = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (!is_digit(*at))
            return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "'%.40s' is not a whole number from 0", text);
        size_t digit = (size_t)(*at - '0');
        if (result > (SIZE_MAX - digit) / 10)
            return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "'%.40s' is too large", text);
        result = result * 10 + digit;
    }
    *value = result;
    return CM_OK;
}

size_t cm_number_write(double value, char text[CM_NUMBER_TEXT_SIZE])
{
    if (fabs(value) >= 1e15 && fabs(value) < 1e17 && value == trunc(value))
        return (size_t)snprintf(text, CM_NUMBER_TEXT_SIZE, "%.0f", value);
    return cm_shortest_write(value, text);
}
