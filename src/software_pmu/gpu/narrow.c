/* Arithmetic in narrow formats of floating point, with one rounding. */
#include "software_pmu/gpu/device.h"

#include <math.h>

enum { BITS = 16 };

const cm_narrow cm_narrow_half = {11, -14, 15, 5};
const cm_narrow cm_narrow_bfloat16 = {8, -126, 127, 8};

/* Products with it are exact here: narrow numbers are far from the ends of double precision. Faster than ldexp. */
static double power_of_two(int exponent)
{
    enum { BIAS = 1023, DIGITS = 52 };
    const uint64_t bits = (uint64_t)(exponent + BIAS) << DIGITS;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

double cm_narrow_value(const cm_narrow *format, uint16_t bits)
{
    int stored = format->digits - 1, top = (1 << format->exponent) - 1;
    int exponent = (bits >> stored) & top, significand = bits & ((1 << stored) - 1);
    double sign = (bits >> (BITS - 1)) != 0 ? -1.0 : 1.0;
    if (exponent == top)
        return significand != 0 ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * significand * power_of_two(format->least - stored);
    return sign * (significand + (1 << stored)) * power_of_two(exponent - 1 + format->least - stored);
}

double cm_narrow_byte_value(cm_narrow_byte format, uint8_t bits)
{
    static const int biases[] = {
        [CM_NARROW_E4M3] = 7, [CM_NARROW_E5M2] = 15, [CM_NARROW_FP8] = 8, [CM_NARROW_BF8] = 16};
    enum { MINUS_ZERO = 0x80, E4M3_NAN = 0x7f };
    bool of_amd = format == CM_NARROW_FP8 || format == CM_NARROW_BF8;
    int stored = format == CM_NARROW_E5M2 || format == CM_NARROW_BF8 ? 2 : 3;
    int size = bits & (MINUS_ZERO - 1), exponent = size >> stored, significand = size & ((1 << stored) - 1);
    double sign = (bits & MINUS_ZERO) != 0 ? -1.0 : 1.0;
    if (format == CM_NARROW_E5M2)
        return cm_narrow_value(&cm_narrow_half, (uint16_t)(bits << 8)); /* its upper half */
    if (of_amd ? bits == MINUS_ZERO : size == E4M3_NAN)
        return NAN;
    if (exponent == 0)
        return sign * significand * power_of_two(1 - biases[format] - stored);
    return sign * (significand | 1 << stored) * power_of_two(exponent - biases[format] - stored);
}

uint16_t cm_narrow_round(const cm_narrow *format, double value)
{
    int stored = format->digits - 1, top = (1 << format->exponent) - 1, exponent = 0;
    uint16_t sign = (uint16_t)((signbit(value) != 0) << (BITS - 1)), infinity = (uint16_t)(top << stored);
    if (isnan(value))
        return (uint16_t)(infinity | ((1 << stored) - 1));
    if (isinf(value))
        return (uint16_t)(sign | infinity);
    frexp(value, &exponent); /* value is below 2^exponent */
    int last = exponent - format->digits, least = format->least - stored;
    last = last > least ? last : least; /* subnormal numbers have fewer digits */
    double units = rint(fabs(value) * power_of_two(-last));
    if (units >= power_of_two(format->digits)) {
        units /= 2.0;
        last++;
    }
    if (last + format->digits - 1 > format->most)
        return (uint16_t)(sign | infinity);
    unsigned significand = (unsigned)units;
    if (significand < 1u << stored)
        return (uint16_t)(sign | significand);
    return (uint16_t)(sign | (unsigned)(last - least + 1) << stored | (significand - (1u << stored)));
}

/* The sum, rounded to odd if it is no double: a later rounding to fewer digits is then correct (Boldo and Melquiond,
 * "When double rounding is odd", 2005). */
static double add_to_odd(double a, double b)
{
    double sum = a + b;
    if (!isfinite(sum))
        return sum;
    double part = sum - a;
    double error = (a - (sum - part)) + (b - part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (error != 0.0 && (bits & 1) == 0)
        sum = nextafter(sum, error > 0.0 ? INFINITY : -INFINITY);
    return sum;
}

uint16_t cm_narrow_fma(const cm_narrow *format, uint16_t a, uint16_t b, uint16_t c)
{
    double product = cm_narrow_value(format, a) * cm_narrow_value(format, b); /* exact */
    return cm_narrow_round(format, add_to_odd(product, cm_narrow_value(format, c)));
}

uint16_t cm_narrow_add(const cm_narrow *format, uint16_t a, uint16_t b)
{
    return cm_narrow_round(format, add_to_odd(cm_narrow_value(format, a), cm_narrow_value(format, b)));
}

uint16_t cm_narrow_subtract(const cm_narrow *format, uint16_t a, uint16_t b)
{
    return cm_narrow_round(format, add_to_odd(cm_narrow_value(format, a), -cm_narrow_value(format, b)));
}

uint16_t cm_narrow_multiply(const cm_narrow *format, uint16_t a, uint16_t b)
{
    return cm_narrow_round(format, cm_narrow_value(format, a) * cm_narrow_value(format, b));
}
