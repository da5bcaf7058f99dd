/* Writes coefficients as text that reads back to the same doubles. */
#include "formats/format.h"

/* Writes the shortest decimal that reads back the same, without an exponent, which some consumers do not know. */
static void write_decimal(double magnitude, FILE *stream)
{
    char text[CM_NUMBER_TEXT_SIZE], digits[CM_NUMBER_TEXT_SIZE];
    cm_number_write(magnitude, text);
    const char *exponent = strchr(text, 'e');
    if (exponent == NULL) {
        fputs(text, stream);
        return;
    }
    int count = 0, point = 0; /* digits, and how many are before the point */
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

/* Finds a fraction that, divided, equals the coefficient. */
static bool find_fraction(double coefficient, int64_t most, cm_fraction *fraction)
{
    return cm_fraction_find(coefficient, &(cm_fraction_limits){.numerator = most, .denominator = most}, fraction);
}

/* The coefficient times `common`, a multiple of its denominator; 0: no such fraction, or the result exceeds `most`. */
static int64_t scale_coefficient(double coefficient, int64_t common, int64_t most)
{
    cm_fraction fraction;
    if (!find_fraction(coefficient, most, &fraction))
        return 0;
    int64_t factor = common / fraction.denominator;
    return factor < 1 || llabs(fraction.numerator) > most / factor ? 0 : fraction.numerator * factor;
}

int64_t cm_writing_denominator(const cm_writing_item *item, int64_t most, const char **event)
{
    int64_t common = 1;
    for (size_t k = 0; k < item->term_count; k++) {
        cm_fraction fraction;
        *event = item->terms[k].event;
        if (!find_fraction(item->terms[k].coefficient, most, &fraction))
            return 0;
        int64_t more = fraction.denominator / gcd(fraction.denominator, common);
        if (more > most / common)
            return 0;
        common *= more;
    }
    for (size_t k = 0; k < item->term_count; k++) {
        *event = item->terms[k].event;
        if (scale_coefficient(item->terms[k].coefficient, common, most) == 0)
            return 0;
    }
    return common;
}

int64_t cm_writing_numerator(double coefficient, int64_t denominator)
{
    return scale_coefficient(coefficient, denominator, INT32_MAX);
}

/* Whether decimals are short, so that fractions are unnecessary. */
static bool is_plain(const cm_writing_item *item)
{
    enum { DECIMALS = 1000 };
    for (size_t k = 0; k < item->term_count; k++) {
        double scaled = item->terms[k].coefficient * DECIMALS;
        if (scaled != floor(scaled))
            return false;
    }
    return true;
}

void cm_writing_sum(const cm_writing_item *item, char *const *names, bool blanks, FILE *stream)
{
    enum { LARGEST = 1000 };
    const char *blank = blanks ? " " : "", *event = NULL;
    int64_t denominator = is_plain(item) ? 0 : cm_writing_denominator(item, LARGEST, &event);
    bool several = denominator > 1 && (item->term_count > 1 || item->terms[0].coefficient < 0.0);
    fputs(several ? "(" : "", stream);
    for (size_t i = 0; i < item->term_count; i++) {
        size_t term = item->order[i];
        double coefficient = item->terms[term].coefficient;
        double factor = fabs(denominator > 0 ? (double)cm_writing_numerator(coefficient, denominator) : coefficient);
        if (i > 0 || coefficient < 0.0)
            fprintf(stream, "%s%s%c%s", i == 0 ? "0" : "", blank, coefficient < 0.0 ? '-' : '+', blank);
        if (factor != 1.0) {
            write_decimal(factor, stream);
            fprintf(stream, "%s*%s", blank, blank);
        }
        fputs(names[term], stream);
    }
    fputs(several ? ")" : "", stream);
    if (denominator > 1)
        fprintf(stream, "%s/%s%lld", blank, blank, (long long)denominator);
}
