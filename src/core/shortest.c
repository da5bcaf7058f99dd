/* printf would not do: to try %.15g to %.17g until strtod reads the same number took 17 times the time for the twelve
 * million numbers of a million events, with the same digits; 17 to 19 times in three runs with 200,000 events (22
 * November 2026, tests/bench/bench_json.c). */
#include "core/base.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_DIGITS = 15, MOST_DIGITS = 17 };

/* A number as decimal digits: 0.d1d2d3... * 10^(exponent + 1). */
typedef struct decimal {
    uint64_t digits;
    int count;    /* digits, without leading zeros */
    int exponent; /* of the first digit */
} decimal;

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 fixed; /* 64 bits before the point, 64 behind it */

enum { EXACT_POWER = 27, LARGEST_POWER = 2 * EXACT_POWER };

static const uint64_t powers_of_five[EXACT_POWER + 1] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

/* A double times a power of ten, with 17 digits before the point. */
typedef struct scaled {
    uint64_t whole, fraction;
    fixed half_gap;  /* half of the distance to the next double */
    fixed slack;     /* the rounding error: the true number is larger by less than this */
    bool even;       /* the double's last bit is 0: ties are read as this double */
    bool asymmetric; /* the next smaller double is only half as far away */
} scaled;

/* 5^power = *factor * 2^*shift; *factor is cut to 64 bits if the power has more. */
static void power_of_five(int power, uint64_t *factor, int *shift)
{
    *factor = powers_of_five[power < EXACT_POWER ? power : EXACT_POWER];
    *shift = 0;
    if (power <= EXACT_POWER)
        return;
    fixed product = (fixed)*factor * powers_of_five[power - EXACT_POWER];
    while (product >> 64 != 0) {
        product >>= 1;
        ++*shift;
    }
    *factor = (uint64_t)product;
}

/* Scales a double; false if 64 bits behind the point are too few. */
static bool scale_double(uint64_t mantissa, int exponent, int power, scaled *number)
{
    uint64_t factor;
    int shift;
    if (power < 0 || power > LARGEST_POWER)
        return false;
    power_of_five(power, &factor, &shift);
    int right = -(exponent + power + shift);
    if (right < 1 || right > 63)
        return false;
    fixed product = (fixed)mantissa * factor;
    *number = (scaled){.whole = (uint64_t)(product >> right),
                       .fraction = (uint64_t)product << (64 - right),
                       .half_gap = (fixed)factor << (63 - right),
                       .slack = shift == 0 ? 0 : (fixed)mantissa << (64 - right),
                       .even = mantissa % 2 == 0,
                       .asymmetric = mantissa == UINT64_C(1) << 52};
    return number->slack >> 64 == 0;
}

static fixed distance(fixed a, fixed b)
{
    return a > b ? a - b : b - a;
}

/* Rounds to digits whose last has the value `unit`. *same: they read back as the same double. False if the rounding
 * error leaves either undecided. */
static bool round_digits(const scaled *number, uint64_t unit, uint64_t *digits, bool *same)
{
    fixed position = (fixed)(number->whole % unit) << 64 | number->fraction, half = (fixed)unit << 63;
    uint64_t below = number->whole / unit;
    if (number->slack != 0 && distance(position, half) <= number->slack)
        return false;
    bool up = position > half || (position == half && below % 2 == 1);
    fixed moved = up ? 2 * half - position : position;
    fixed limit = !up && number->asymmetric ? number->half_gap / 2 : number->half_gap;
    if (number->slack != 0 && distance(moved, limit) <= 2 * number->slack)
        return false;
    *digits = below + up;
    *same = moved < limit || (moved == limit && number->even);
    return true;
}

/* The fewest digits that read back as the same double; false if undecided. */
static bool shortest_digits(const scaled *number, int exponent, decimal *result)
{
    static const uint64_t units[] = {100, 10, 1};
    bool same = false;
    *result = (decimal){.count = FEWEST_DIGITS - 1, .exponent = exponent};
    for (uint64_t limit = UINT64_C(1000000000000000); !same && result->count < MOST_DIGITS; limit *= 10) {
        result->count++;
        if (!round_digits(number, units[result->count - FEWEST_DIGITS], &result->digits, &same))
            return false;
        result->exponent = exponent;
        if (result->digits == limit) { /* 9.99... became 10 */
            result->digits /= 10;
            result->exponent++;
        }
    }
    return true;
}

/* Finds the digits by integers alone, for most numbers between 1e-38 and 1e15 that are no integers; false otherwise. */
static bool convert_value(double value, decimal *result)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7FF);
    if (biased == 0)
        return false;
    uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int exponent = biased - 1075;
    /* The constant is log10(2); the result is at most one too low. */
    int decimal_exponent = (int)floor((double)(exponent + 52) * 0.30102999);
    scaled number;
    if (!scale_double(mantissa, exponent, MOST_DIGITS - 1 - decimal_exponent, &number))
        return false;
    if (number.whole >= UINT64_C(100000000000000000) &&
        !scale_double(mantissa, exponent, MOST_DIGITS - 1 - ++decimal_exponent, &number))
        return false;
    if (number.whole < UINT64_C(10000000000000000) || number.whole >= UINT64_C(99999999999999999))
        return false;
    return shortest_digits(&number, decimal_exponent, result);
}
#else
static bool convert_value(double value, decimal *result)
{
    (void)value;
    (void)result;
    return false;
}
#endif

/* Writes the integer and returns the end of the text. */
static char *write_integer(uint64_t value, char *text)
{
    char reversed[20];
    int count = 0;
    do
        reversed[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (count > 0)
        *text++ = reversed[--count];
    return text;
}

/* Writes digits as %g does. */
static char *write_decimal(const decimal *number, char *text)
{
    char digits[20];
    int count = (int)(write_integer(number->digits, digits) - digits), exponent = number->exponent;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    bool scientific = exponent < -4 || exponent >= number->count;
    int before = scientific ? 1 : exponent + 1;
    if (before <= 0) {
        *text++ = '0';
        *text++ = '.';
        for (int i = before; i < 0; i++)
            *text++ = '0';
    }
    for (int i = 0; i < count || i < before; i++) {
        if (i == before && before > 0)
            *text++ = '.';
        *text++ = i < count ? digits[i] : '0';
    }
    if (!scientific)
        return text;
    *text++ = 'e';
    *text++ = exponent < 0 ? '-' : '+';
    if (abs(exponent) < 10)
        *text++ = '0';
    return write_integer((uint64_t)abs(exponent), text);
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

/* Writes any number through the C library, in up to three tries. */
static size_t write_any(double value, char text[CM_SHORTEST_SIZE])
{
    int kept = errno; /* strtod sets it for subnormal numbers */
    for (int precision = FEWEST_DIGITS; precision <= MOST_DIGITS; precision++) {
        snprintf(text, CM_SHORTEST_SIZE, "%.*g", precision, value);
        if (precision == MOST_DIGITS || strtod(text, NULL) == value)
            break;
    }
    errno = kept;
    replace_separator(text);
    return strlen(text);
}

size_t cm_shortest_write(double value, char text[CM_SHORTEST_SIZE])
{
    char *at = text;
    double magnitude = fabs(value);
    decimal number;
    if (signbit(value))
        *at++ = '-';
    if (magnitude < 1e15 && magnitude == trunc(magnitude))
        at = write_integer((uint64_t)magnitude, at);
    else if (magnitude < 1e15 && convert_value(magnitude, &number))
        at = write_decimal(&number, at);
    else
        return write_any(value, text);
    *at = '\0';
    return (size_t)(at - text);
}
