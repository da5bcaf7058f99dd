/* Coefficients as text that reads back to the same doubles. */
#include "formats/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"

/* Convergents of the continued fraction come closest to the coefficient among all fractions of their size. */
bool cm_export_fraction(double coefficient, int64_t most, int64_t *numerator, int64_t *denominator)
{
    double magnitude = fabs(coefficient), rest = magnitude;
    int64_t above[2] = {0, 1}, below[2] = {1, 0}; /* the last two convergents */
    if (!isfinite(coefficient) || magnitude > (double)most)
        return false;
    for (int step = 0; step < 64; step++) {
        double whole = floor(rest);
        if (whole > (double)most)
            return false;
        int64_t factor = (int64_t)whole;
        if ((factor != 0 && (above[1] > most / factor || below[1] > most / factor)) ||
            factor * above[1] > most - above[0] || factor * below[1] > most - below[0])
            return false;
        int64_t top = factor * above[1] + above[0], bottom = factor * below[1] + below[0];
        if ((double)top / (double)bottom == magnitude) {
            *numerator = coefficient < 0.0 ? -top : top;
            *denominator = bottom;
            return true;
        }
        above[0] = above[1], above[1] = top;
        below[0] = below[1], below[1] = bottom;
        if (rest == whole)
            return false;
        rest = 1.0 / (rest - whole);
    }
    return false;
}

/* The shortest decimal that reads back the same, without an exponent: not all consumers know exponents. */
static void put_decimal(double magnitude, FILE *stream)
{
    char text[CM_NUMBER_TEXT_SIZE], digits[CM_NUMBER_TEXT_SIZE];
    cm_number_write(magnitude, text);
    const char *exponent = strchr(text, 'e');
    if (exponent == NULL) {
        fputs(text, stream);
        return;
    }
    int count = 0, point = 0; /* digits, and how many of them stand before the point */
    for (const char *c = text; c < exponent; c++)
        if (*c == '.')
            point = count;
        else
            digits[count++] = *c;
    point =
        (memchr(text, '.', (size_t)(exponent - text)) != NULL ? point : count) + (int)strtol(exponent + 1, NULL, 10);
    if (point <= 0)
        fputs("0.", stream);
    for (int i = point; i < 0; i++)
        fputc('0', stream);
    for (int i = 0; i < count || i < point; i++) {
        if (i == point && i > 0)
            fputc('.', stream);
        fputc(i < count ? digits[i] : '0', stream);
    }
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The coefficient times `common`, a multiple of its denominator; 0: it is no fraction, or that is more than `most`. */
static int64_t scale(double coefficient, int64_t common, int64_t most)
{
    int64_t numerator = 0, denominator = 1;
    if (!cm_export_fraction(coefficient, most, &numerator, &denominator) || denominator < 1)
        return 0;
    int64_t factor = common / denominator;
    return factor < 1 || llabs(numerator) > most / factor ? 0 : numerator * factor;
}

int64_t cm_export_denominator(const cm_export_item *item, int64_t most, const char **event)
{
    int64_t common = 1, numerator = 0, denominator = 1;
    for (size_t k = 0; k < item->term_count; k++) {
        *event = item->terms[k].event;
        if (!cm_export_fraction(item->terms[k].coefficient, most, &numerator, &denominator) || denominator < 1)
            return 0;
        int64_t more = denominator / gcd(denominator, common);
        if (more > most / common)
            return 0;
        common *= more;
    }
    for (size_t k = 0; k < item->term_count; k++) {
        *event = item->terms[k].event;
        if (scale(item->terms[k].coefficient, common, most) == 0)
            return 0;
    }
    return common;
}

int64_t cm_export_numerator(double coefficient, int64_t denominator)
{
    return scale(coefficient, denominator, INT32_MAX);
}

/* Whether decimals are short, so that people need no fractions. */
static bool is_plain(const cm_export_item *item)
{
    enum { DECIMALS = 1000 };
    for (size_t k = 0; k < item->term_count; k++) {
        double scaled = item->terms[k].coefficient * DECIMALS;
        if (scaled != floor(scaled))
            return false;
    }
    return true;
}

void cm_export_sum(const cm_export_item *item, char *const *names, bool blanks, FILE *stream)
{
    enum { LARGEST = 1000 };
    const char *blank = blanks ? " " : "", *event = NULL;
    int64_t denominator = is_plain(item) ? 0 : cm_export_denominator(item, LARGEST, &event);
    bool several = denominator > 1 && (item->term_count > 1 || item->terms[0].coefficient < 0.0);
    fputs(several ? "(" : "", stream);
    for (size_t i = 0; i < item->term_count; i++) {
        size_t term = item->order[i];
        double coefficient = item->terms[term].coefficient;
        double factor = fabs(denominator > 0 ? (double)cm_export_numerator(coefficient, denominator) : coefficient);
        if (i > 0 || coefficient < 0.0)
            fprintf(stream, "%s%s%c%s", i == 0 ? "0" : "", blank, coefficient < 0.0 ? '-' : '+', blank);
        if (factor != 1.0) {
            put_decimal(factor, stream);
            fprintf(stream, "%s*%s", blank, blank);
        }
        fputs(names[term], stream);
    }
    fputs(several ? ")" : "", stream);
    if (denominator > 1)
        fprintf(stream, "%s/%s%lld", blank, blank, (long long)denominator);
}
