/* Findings about a form that is not its metric: a multiple, another metric, parts of symbols exchanged or left out. */
#include "audit/claims.h"

#include "analysis/numerics.h"

/* Ratios that differ by less are one: they come from coefficients that people write. */
static const double same_ratio = 1e-3;
static const double rounding_error = 1e-12; /* below, exact counts have cancelled each other */

static size_t count_of(const cm_deviation *deviation)
{
    return deviation->parts->symbol_count;
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

/* ---- the whole is something that has a name ---- */

static bool is_times(const cm_deviation *deviation, const double *signature, double factor)
{
    for (size_t j = 0; j < count_of(deviation); j++) {
        double tolerance = fmax(deviation->tolerance[j], same_ratio * fabs(factor * signature[j]));
        if (!(fabs(deviation->representation[j] - factor * signature[j]) <= tolerance))
            return false;
    }
    return factor != 0.0;
}

/* The factor by which the form is this signature everywhere, 1 if it may be that; NaN if there is none. */
static double multiple_of(const cm_deviation *deviation, const double *signature)
{
    double factor = cm_vector_factor(deviation->representation, signature, count_of(deviation));
    if (is_times(deviation, signature, 1.0))
        return 1.0;
    return is_times(deviation, signature, factor) ? factor : NAN;
}

static bool is_one(double factor)
{
    return fabs(factor - 1.0) <= same_ratio;
}

static void add_multiple(cm_finding_list *findings, double factor)
{
    cm_finding_list_add(findings, &(cm_audit_finding){.kind = CM_FINDING_MULTIPLE, .value = factor});
}

/* Every element is within the tolerance of 0, which is not yet 0: it may be a millionth of the metric. */
static bool explain_as_nothing(const cm_deviation *deviation, cm_finding_list *findings)
{
    double largest = 0.0;
    for (size_t j = 0; j < count_of(deviation); j++) {
        if (!is_zero(deviation, j))
            return false;
        largest = fmax(largest, fabs(deviation->representation[j]));
    }
    double factor = cm_vector_factor(deviation->representation, deviation->signature, count_of(deviation));
    bool multiple = largest > rounding_error;
    for (size_t j = 0; j < count_of(deviation); j++)
        multiple =
            multiple && fabs(deviation->representation[j] - factor * deviation->signature[j]) <= same_ratio * largest;
    if (multiple)
        add_multiple(findings, factor);
    else
        cm_finding_list_add(findings, &(cm_audit_finding){.kind = largest > rounding_error ? CM_FINDING_ALMOST_NOTHING
                                                                                           : CM_FINDING_NOTHING});
    return true;
}

/* Whether the form is nothing, a multiple of its metric, or another metric; adds that finding. */
static bool explain_as_whole(const cm_deviation *deviation, cm_finding_list *findings)
{
    if (explain_as_nothing(deviation, findings))
        return true;
    double factor = multiple_of(deviation, deviation->signature);
    if (is_one(factor))
        return false;
    if (!isnan(factor)) {
        add_multiple(findings, factor);
        return true;
    }
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < deviation->known_count; i++) {
            factor = multiple_of(deviation, deviation->known[i].signature);
            if (isnan(factor) || is_one(factor) != (exact == 1))
                continue;
            cm_finding_list_add(
                findings, &(cm_audit_finding){.kind = exact == 1 ? CM_FINDING_OTHER_METRIC : CM_FINDING_OTHER_MULTIPLE,
                                              .subject = deviation->known[i].metric,
                                              .value = exact == 1 ? 1.0 : factor});
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
        ptrdiff_t other = cm_symbol_parts_counterpart(deviation->parts, j, from, to);
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
static bool uses_part(const cm_deviation *deviation, size_t part)
{
    for (size_t j = 0; j < count_of(deviation); j++)
        if (deviation->signature[j] != 0.0 && deviation->parts->has[part * count_of(deviation) + j])
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

/* Whether two parts of symbols that change places explain the form; adds that finding. */
static bool explain_as_exchange(const cm_deviation *deviation, cm_finding_list *findings)
{
    const cm_symbol_parts *parts = deviation->parts;
    bool same = same_symbols(deviation);
    for (size_t a = 0; a < parts->part_count; a++)
        for (size_t b = a + 1; b < parts->part_count; b++) {
            if (is_exchange(deviation, deviation->signature, a, b)) {
                bool both = uses_part(deviation, a) && uses_part(deviation, b), first = uses_part(deviation, a);
                cm_finding_list_add(findings,
                                    &(cm_audit_finding){.kind = both ? CM_FINDING_SWAPPED : CM_FINDING_INSTEAD,
                                                        .subject = parts->words[both || !first ? a : b],
                                                        .other = parts->words[both || !first ? b : a]});
                return true;
            }
            for (size_t i = 0; i < deviation->known_count && same; i++)
                if (is_exchange(deviation, deviation->known[i].signature, a, b)) {
                    cm_finding_list_add(findings, &(cm_audit_finding){.kind = CM_FINDING_WEIGHTS_OF,
                                                                      .subject = deviation->known[i].metric});
                    return true;
                }
        }
    return false;
}

/* ---- symbol by symbol, those with the same ratio together ---- */

typedef struct cm_groups {
    bool *todo, *set, *universe; /* one a symbol */
} cm_groups;

/* Every symbol of the set has one beside it without a part, and the metric counts it so many times as that. */
static bool is_times_base(const cm_deviation *deviation, const bool *set, double times)
{
    const cm_symbol_parts *parts = deviation->parts;
    for (size_t part = 0; part < parts->part_count; part++) {
        bool all = true;
        for (size_t j = 0; j < count_of(deviation) && all; j++) {
            ptrdiff_t base = set[j] ? cm_symbol_parts_counterpart(parts, j, part, parts->part_count) : CM_NO_SYMBOL;
            all = !set[j] || (base != CM_NO_SYMBOL && base != (ptrdiff_t)j && deviation->signature[base] != 0.0 &&
                              fabs(deviation->signature[j] / deviation->signature[base] - times) <= same_ratio);
        }
        if (all)
            return true;
    }
    return false;
}

/* Adds the finding for a group of symbols that the form counts `ratio` times. */
static void add_ratio(const cm_deviation *deviation, const cm_groups *groups, double ratio, cm_finding_list *findings)
{
    if (ratio != 0.0 && memcmp(groups->set, groups->universe, count_of(deviation) * sizeof(bool)) == 0) {
        add_multiple(findings, ratio);
        return;
    }
    cm_audit_finding_kind kind = ratio == 0.0 ? CM_FINDING_MISSED : CM_FINDING_TIMES;
    if (fabs(ratio - 0.5) <= same_ratio && is_times_base(deviation, groups->set, 2.0))
        kind = CM_FINDING_ONCE;
    else if (fabs(ratio - 2.0) <= same_ratio && is_times_base(deviation, groups->set, 1.0))
        kind = CM_FINDING_TWICE;
    cm_finding_list_add_symbols(findings, &(cm_audit_finding){.kind = kind, .value = ratio}, deviation->parts,
                                groups->set, groups->universe);
}

/* Symbols of the metric that are counted wrongly: those not counted first. */
static void add_ratios(const cm_deviation *deviation, const cm_groups *groups, cm_finding_list *findings)
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
            add_ratio(deviation, groups, ratio, findings);
    }
}

/* Symbols that the metric has not, but the form. */
static void add_extras(const cm_deviation *deviation, const cm_groups *groups, bool negative, cm_finding_list *findings)
{
    bool any = false;
    for (size_t j = 0; j < count_of(deviation); j++) {
        groups->universe[j] = deviation->signature[j] == 0.0;
        groups->set[j] =
            groups->universe[j] && is_off(deviation, j) && (deviation->representation[j] < 0.0) == negative;
        any = any || groups->set[j];
    }
    if (any)
        cm_finding_list_add_symbols(findings,
                                    &(cm_audit_finding){.kind = negative ? CM_FINDING_SUBTRACTED : CM_FINDING_EXTRA},
                                    deviation->parts, groups->set, groups->universe);
}

cm_status cm_deviation_explain(const cm_deviation *deviation, cm_finding_list *findings, cm_error *error)
{
    bool off = false;
    for (size_t j = 0; j < count_of(deviation); j++)
        off = off || is_off(deviation, j);
    if (off && !explain_as_whole(deviation, findings) && !explain_as_exchange(deviation, findings)) {
        bool *flags = calloc(3 * count_of(deviation), sizeof *flags);
        if (flags == NULL)
            return cm_error_no_memory(error);
        const cm_groups groups = {flags, flags + count_of(deviation), flags + 2 * count_of(deviation)};
        add_ratios(deviation, &groups, findings);
        add_extras(deviation, &groups, false, findings);
        add_extras(deviation, &groups, true, findings);
        free(flags);
    }
    return findings->short_of_memory ? cm_error_no_memory(error) : CM_OK;
}
