#include "audit/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rounding.h"
#include "core/error.h"
#include "core/figures.h"

/* Ratios that differ by less are one: they come from coefficients that people write. */
static const double same_ratio = 1e-3;
static const double rounding_errors = 1e-9;
static const double small = 1e-3;           /* smaller factors are printed in full */
static const double rounding_error = 1e-12; /* below, exact counts have cancelled each other */

static size_t count_of(const cm_deviation *deviation)
{
    return deviation->words->symbol_count;
}

static bool is_zero(const cm_deviation *deviation, size_t symbol)
{
    return fabs(deviation->representation[symbol]) <= deviation->tolerance[symbol];
}

static bool is_off(const cm_deviation *deviation, size_t symbol)
{
    return fabs(deviation->representation[symbol] - deviation->signature[symbol]) > deviation->tolerance[symbol];
}

static double ratio_of(const cm_deviation *deviation, size_t symbol)
{
    return is_zero(deviation, symbol) ? 0.0 : deviation->representation[symbol] / deviation->signature[symbol];
}

static void put_factor(double factor, FILE *stream)
{
    char number[CM_NUMBER_SIZE];
    fprintf(stream, "%s%sx", factor < 0.0 ? "-" : "",
            cm_coefficient_text(
                fabs(factor) > small ? cm_round_coefficient(fabs(factor), rounding_errors) : fabs(factor), number));
}

/* ---- the whole is something that has a name ---- */

/* The factor by which the form is this signature everywhere; NaN where it is not. */
static double multiple_of(const cm_deviation *deviation, const double *signature)
{
    double product = 0.0, square = 0.0;
    for (size_t j = 0; j < count_of(deviation); j++) {
        product += deviation->representation[j] * signature[j];
        square += signature[j] * signature[j];
    }
    double factor = square > 0.0 ? product / square : 0.0;
    for (size_t j = 0; j < count_of(deviation); j++) {
        double tolerance = fmax(deviation->tolerance[j], same_ratio * fabs(factor * signature[j]));
        if (!(fabs(deviation->representation[j] - factor * signature[j]) <= tolerance))
            return NAN;
    }
    return factor != 0.0 ? factor : NAN;
}

static bool is_one(double factor)
{
    return fabs(factor - 1.0) <= same_ratio;
}

/* Every element is within the tolerance of 0, which is not yet 0: it may be a millionth of the metric. */
static bool explain_as_nothing(const cm_deviation *deviation, FILE *stream)
{
    double largest = 0.0, product = 0.0, square = 0.0;
    for (size_t j = 0; j < count_of(deviation); j++) {
        if (!is_zero(deviation, j))
            return false;
        largest = fmax(largest, fabs(deviation->representation[j]));
        product += deviation->representation[j] * deviation->signature[j];
        square += deviation->signature[j] * deviation->signature[j];
    }
    double factor = square > 0.0 ? product / square : 0.0;
    bool multiple = largest > rounding_error;
    for (size_t j = 0; j < count_of(deviation); j++)
        multiple =
            multiple && fabs(deviation->representation[j] - factor * deviation->signature[j]) <= same_ratio * largest;
    if (multiple)
        put_factor(factor, stream);
    else
        fputs(largest > rounding_error ? "counts almost nothing on these kernels" : "counts nothing on these kernels",
              stream);
    return true;
}

static bool explain_as_whole(const cm_deviation *deviation, FILE *stream)
{
    if (explain_as_nothing(deviation, stream))
        return true;
    double factor = multiple_of(deviation, deviation->signature);
    if (is_one(factor))
        return false;
    if (!isnan(factor)) {
        put_factor(factor, stream);
        return true;
    }
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < deviation->known_count; i++) {
            factor = multiple_of(deviation, deviation->known[i].signature);
            if (isnan(factor) || is_one(factor) != (exact == 1))
                continue;
            fputs("measures ", stream);
            if (!is_one(factor)) {
                put_factor(factor, stream);
                fputc(' ', stream);
            }
            fputs(deviation->known[i].metric, stream);
            return true;
        }
    return false;
}

/* ---- parts that are swapped ---- */

/* The form is `signature` with two parts exchanged. */
static bool is_exchange(const cm_deviation *deviation, const double *signature, size_t from, size_t to)
{
    bool moved = false;
    for (size_t j = 0; j < count_of(deviation); j++) {
        ptrdiff_t other = cm_words_counterpart(deviation->words, j, from, to);
        double expected = other == CM_NO_SYMBOL ? 0.0 : signature[other];
        if (fabs(deviation->representation[j] - expected) > deviation->tolerance[j])
            return false;
        if (other == CM_NO_SYMBOL && signature[j] != 0.0)
            return false; /* an element would have no place to go */
        moved = moved || (other != (ptrdiff_t)j && expected != signature[j]);
    }
    return moved;
}

/* Whether the signature has symbols with this part. */
static bool uses(const cm_deviation *deviation, size_t part)
{
    for (size_t j = 0; j < count_of(deviation); j++)
        if (deviation->signature[j] != 0.0 && deviation->words->has[part * count_of(deviation) + j])
            return true;
    return false;
}

/* The form and the metric have the same symbols. */
static bool same_symbols(const cm_deviation *deviation)
{
    for (size_t j = 0; j < count_of(deviation); j++)
        if (is_zero(deviation, j) != (deviation->signature[j] == 0.0))
            return false;
    return true;
}

static bool explain_as_exchange(const cm_deviation *deviation, FILE *stream)
{
    const cm_words *words = deviation->words;
    bool same = same_symbols(deviation);
    for (size_t a = 0; a < words->part_count; a++)
        for (size_t b = a + 1; b < words->part_count; b++) {
            if (is_exchange(deviation, deviation->signature, a, b)) {
                bool both = uses(deviation, a) && uses(deviation, b), first = uses(deviation, a);
                fprintf(stream, both ? "has %s and %s swapped" : "counts %s instead of %s",
                        words->parts[both || !first ? a : b], words->parts[both || !first ? b : a]);
                return true;
            }
            for (size_t i = 0; i < deviation->known_count && same; i++)
                if (is_exchange(deviation, deviation->known[i].signature, a, b)) {
                    fprintf(stream, "has the weights of %s", deviation->known[i].metric);
                    return true;
                }
        }
    return false;
}

/* ---- symbol by symbol, those with the same ratio together ---- */

typedef struct cm_groups {
    bool *todo, *set, *universe; /* one a symbol */
    bool any;                    /* something has been said */
} cm_groups;

static void separate(cm_groups *groups, FILE *stream)
{
    fputs(groups->any ? "; " : "", stream);
    groups->any = true;
}

/* Every symbol of the set has one beside it without a part, and the metric counts it so many times as that. */
static bool is_times_base(const cm_deviation *deviation, const bool *set, double times)
{
    const cm_words *words = deviation->words;
    for (size_t part = 0; part < words->part_count; part++) {
        bool all = true;
        for (size_t j = 0; j < count_of(deviation) && all; j++) {
            ptrdiff_t base = set[j] ? cm_words_counterpart(words, j, part, words->part_count) : CM_NO_SYMBOL;
            all = !set[j] || (base != CM_NO_SYMBOL && base != (ptrdiff_t)j && deviation->signature[base] != 0.0 &&
                              fabs(deviation->signature[j] / deviation->signature[base] - times) <= same_ratio);
        }
        if (all)
            return true;
    }
    return false;
}

static void put_ratio(const cm_deviation *deviation, cm_groups *groups, double ratio, FILE *stream)
{
    bool everything = memcmp(groups->set, groups->universe, count_of(deviation) * sizeof(bool)) == 0;
    const char *times = NULL;
    if (fabs(ratio - 0.5) <= same_ratio && is_times_base(deviation, groups->set, 2.0))
        times = "once";
    else if (fabs(ratio - 2.0) <= same_ratio && is_times_base(deviation, groups->set, 1.0))
        times = "twice";
    separate(groups, stream);
    if (everything) {
        put_factor(ratio, stream);
        return;
    }
    fputs(ratio == 0.0 ? "misses " : "counts ", stream);
    cm_words_describe(deviation->words, groups->set, groups->universe, stream);
    if (times != NULL)
        fprintf(stream, " %s", times);
    else if (ratio != 0.0) {
        fputc(' ', stream);
        put_factor(ratio, stream);
    }
}

/* Symbols of the metric that are counted wrongly: those not counted first. */
static void put_ratios(const cm_deviation *deviation, cm_groups *groups, FILE *stream)
{
    size_t count = count_of(deviation), left = 0;
    for (size_t j = 0; j < count; j++) {
        groups->universe[j] = deviation->signature[j] != 0.0;
        groups->todo[j] = groups->universe[j] && is_off(deviation, j);
        left += groups->todo[j];
    }
    for (bool missing = true; left > 0; missing = false) {
        size_t first = 0, members = 0;
        while (!missing && !groups->todo[first])
            first++;
        double ratio = missing ? 0.0 : ratio_of(deviation, first);
        for (size_t j = 0; j < count; j++) {
            double own = groups->todo[j] ? ratio_of(deviation, j) : NAN;
            groups->set[j] = missing ? own == 0.0 : j == first || fabs(own - ratio) <= same_ratio * fabs(ratio);
            groups->todo[j] = groups->todo[j] && !groups->set[j];
            members += groups->set[j];
        }
        left -= members;
        if (members > 0)
            put_ratio(deviation, groups, ratio, stream);
    }
}

/* Symbols that the metric has not, but the form. */
static void put_extras(const cm_deviation *deviation, cm_groups *groups, bool negative, FILE *stream)
{
    bool any = false;
    for (size_t j = 0; j < count_of(deviation); j++) {
        groups->universe[j] = deviation->signature[j] == 0.0;
        groups->set[j] =
            groups->universe[j] && is_off(deviation, j) && (deviation->representation[j] < 0.0) == negative;
        any = any || groups->set[j];
    }
    if (!any)
        return;
    separate(groups, stream);
    fputs(negative ? "subtracts " : "counts ", stream);
    cm_words_describe(deviation->words, groups->set, groups->universe, stream);
    fputs(negative ? "" : " too", stream);
}

cm_status cm_deviation_explain(const cm_deviation *deviation, FILE *stream, cm_error *error)
{
    bool off = false;
    for (size_t j = 0; j < count_of(deviation); j++)
        off = off || is_off(deviation, j);
    if (!off || explain_as_whole(deviation, stream) || explain_as_exchange(deviation, stream))
        return CM_OK;
    bool *flags = calloc(3 * count_of(deviation), sizeof *flags);
    if (flags == NULL)
        return cm_error_no_memory(error);
    cm_groups groups = {flags, flags + count_of(deviation), flags + 2 * count_of(deviation), false};
    put_ratios(deviation, &groups, stream);
    put_extras(deviation, &groups, false, stream);
    put_extras(deviation, &groups, true, stream);
    free(flags);
    return CM_OK;
}
