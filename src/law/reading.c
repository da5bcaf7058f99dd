/* An event's counts, read by themselves: the fewest facts that explain them on kernels. */
#include "analysis/rules.h"
#include "law/state.h"

/* A reading that explains all leaves less than any that does not. */
static const double unexplained = 1e30;

typedef struct reading {
    const cm_law *law;
    const cm_law_counts *counts;
    size_t kernels, count, chosen[CM_LAW_STEPS]; /* alternatives */
    double estimate[CM_LAW_STEPS];               /* of each, an occurrence */
    double largest;                              /* of the counts */
    double *values, *weights; /* one a kernel; one that tells nothing has no weight, and counts nothing */
    double *most;             /* one an alternative: so often at most, by the counts on kernels */
    double *hits;             /* one a kernel: in the levels that a neighbour takes from */
    double *allowances;       /* one a kernel: the rest that it may have if all is explained */
    double *trusted;          /* one a kernel: scratch */
} reading;

static double column_on(const reading *it, size_t chosen, size_t kernel)
{
    return it->law->kernels[it->chosen[chosen] * it->kernels + kernel];
}

/* The unexplained rest on a kernel. */
static double rest_on(const reading *it, size_t kernel)
{
    double rest = it->values[kernel];
    for (size_t i = 0; i < it->count; i++)
        rest -= it->estimate[i] * column_on(it, i, kernel);
    return rest;
}

/* The parts of the chosen alternatives that the machine and a neighbour decide on a kernel. */
static double decided_on(const reading *it, size_t kernel)
{
    double decided = 0.0, most = 0.0;
    for (size_t i = 0; i < it->count; i++) {
        decided += fabs(it->estimate[i]) * it->law->bounds[it->chosen[i] * it->kernels + kernel];
        most = fmax(most, fabs(it->estimate[i]));
    }
    return decided + cm_the_rules.sure * it->law->setup.interference * most * it->hits[kernel];
}

static double hits_on(const cm_law *law, size_t kernel)
{
    double hits = 0.0;
    for (size_t c = 0; c < CM_LAW_CHAINS; c++)
        for (size_t i = 0; i + 1 < CM_LAW_LEVELS; i++)
            hits += law->setup.kernels[kernel].facts->values[cm_law_served[c][i]];
    return hits;
}

/* A rest so fine that nobody cares for it. */
static double fine_on(const reading *it, size_t kernel)
{
    return cm_the_rules.fit * fmax(fabs(it->values[kernel]), cm_the_rules.least * it->largest);
}

/* The rest that a kernel may have if all is explained, beside the machine's part. */
static double allowance_on(const reading *it, size_t kernel)
{
    return cm_the_rules.z * sqrt(it->counts->variances[kernel]) + it->counts->strays[kernel] + fine_on(it, kernel);
}

static bool is_explained(const reading *it)
{
    bool all = true;
    for (size_t k = 0; k < it->kernels && all; k++) {
        double rest = it->weights[k] > 0.0 ? fabs(rest_on(it, k)) - it->allowances[k] : 0.0;
        all = rest <= 0.0 || rest <= decided_on(it, k);
    }
    return all;
}

/* The rest of all counts by its likelihood: squared, relative to errors and to what the machine decides. */
static double left_of(const reading *it)
{
    double left = 0.0;
    for (size_t k = 0; k < it->kernels; k++) {
        const double rest = it->weights[k] > 0.0 ? rest_on(it, k) : 0.0, decided = decided_on(it, k);
        const double less = 1.0 + it->weights[k] * decided * decided;
        left += it->weights[k] / less * rest * rest + (less > 1.0 ? log(less) : 0.0);
    }
    return left;
}

/* ---- which facts ---- */

cm_status cm_law_find_readable(cm_law *law, cm_error *error)
{
    size_t kernels = law->setup.kernel_count;
    law->readable = calloc(law->total + 1, sizeof *law->readable);
    if (law->readable == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < law->total; i++) {
        size_t a = (law->count + i) % law->total;
        cm_law_sort sort = law->alternatives[a].sort;
        bool alike = sort == CM_LAW_FACT && law->setup.facts->facts[law->alternatives[a].fact].kind == CM_FACT_ALIKE;
        if (!law->alternatives[a].is_free && !alike && sort != CM_LAW_PAIR && sort != CM_LAW_DIFFERENCE &&
            !cm_vector_is_zero(law->kernels + a * kernels, kernels))
            law->readable[law->readable_count++] = a;
    }
    return CM_OK;
}

/* The largest number of times that it may be counted, beside others, if free facts may be among these. */
static double most_of_it(reading *it, size_t alternative)
{
    double most = INFINITY;
    it->count = 1;
    it->chosen[0] = alternative;
    it->estimate[0] = 1.0;
    for (size_t k = 0; k < it->kernels; k++) {
        bool is_known = isfinite(it->counts->variances[k]) && it->law->setup.kernels[k].twins[0] == NULL;
        double sure = is_known ? column_on(it, 0, k) - decided_on(it, k) : 0.0;
        if (sure > 0.0)
            most = fmin(most, fmax(0.0, it->counts->values[k] + it->allowances[k]) / sure);
    }
    it->count = 0;
    return most;
}

/* Whether some of it would show on a kernel. */
static bool may_show(const reading *it, size_t alternative)
{
    const double *amounts = it->law->kernels + alternative * it->kernels;
    bool shows = false;
    for (size_t k = 0; k < it->kernels && !shows; k++)
        shows = it->weights[k] > 0.0 && it->most[alternative] * fabs(amounts[k]) > it->allowances[k];
    return shows;
}

/* Whether more of it is nowhere needed: it alone comes to at least the counts. */
static bool is_enough(reading *it, size_t alternative)
{
    bool enough = true;
    it->count = 1;
    it->chosen[0] = alternative;
    it->estimate[0] = 1.0;
    for (size_t k = 0; k < it->kernels && enough; k++)
        enough = it->weights[k] == 0.0 || rest_on(it, k) <= it->allowances[k] + decided_on(it, k);
    it->count = 0;
    return enough;
}

/* Least squares over those that were chosen, by kernels as far as these are trusted; false if kernels do not
 * distinguish them. */
static bool solve_by(reading *it)
{
    double products[CM_LAW_STEPS * CM_LAW_STEPS] = {0}, right[CM_LAW_STEPS] = {0};
    for (size_t k = 0; k < it->kernels; k++)
        for (size_t i = 0; i < it->count && it->trusted[k] > 0.0; i++) {
            const double scaled = it->trusted[k] * column_on(it, i, k);
            right[i] += scaled * it->values[k];
            for (size_t j = 0; j <= i && scaled != 0.0; j++)
                products[i * it->count + j] += scaled * column_on(it, j, k);
        }
    for (size_t i = 0; i < it->count; i++)
        products[i * it->count + i] *= 1.0 + 1e-9;
    if (!cm_cholesky(products, it->count))
        return false;
    cm_cholesky_solve(products, it->count, right);
    memcpy(it->estimate, right, it->count * sizeof *right);
    return true;
}

/* Solves for any number of times of each. Kernels of which the machine decides much are trusted less. */
static bool solve_freely(reading *it)
{
    memcpy(it->trusted, it->weights, it->kernels * sizeof *it->trusted);
    bool solved = solve_by(it);
    for (size_t k = 0; k < it->kernels && solved; k++)
        it->trusted[k] /= 1.0 + it->weights[k] * pow(decided_on(it, k), 2.0);
    return solved && solve_by(it);
}

/* The rest of solve_freely; infinity if less than nothing or too much would be counted. */
static double solve_reading(reading *it)
{
    bool solved = solve_freely(it);
    for (size_t i = 0; i < it->count && solved; i++)
        solved = it->estimate[i] > 0.0 && it->estimate[i] <= it->most[it->chosen[i]];
    return solved ? (is_explained(it) ? 1.0 : unexplained) * left_of(it) : INFINITY;
}

/* Each is counted once, and explains all, the last one added or taken off; or infinity. */
static double take_once(reading *it, double last)
{
    for (size_t i = 0; i < it->count; i++)
        it->estimate[i] = i + 1 == it->count ? last : 1.0;
    return is_explained(it) ? left_of(it) : INFINITY;
}

/* Whether it may be one of them, the first or the last; `last`: as below. */
static bool may_be_one(reading *it, size_t readable, bool is_first, double last)
{
    size_t place = it->count;
    if (last > 0.0)
        return may_show(it, it->law->readable[readable]) && it->most[it->law->readable[readable]] >= last;
    bool may = !is_first || is_enough(it, it->law->readable[readable]);
    it->count = place;
    return may;
}

/* Notes the choice if it leaves less than the best so far. */
static void keep_best(reading *it, double last, double *least, size_t *best)
{
    double left = take_once(it, last);
    if (cm_law_leaves_less(left, *least)) {
        *least = left;
        memcpy(best, it->chosen, it->count * sizeof *best);
    }
}

/* Chooses one or two that together leave least; `last`: the last one is counted so often, each other once. False: none
 * do. */
static bool choose_once(reading *it, size_t count, double last)
{
    size_t all = it->law->readable_count, best[CM_LAW_STEPS];
    double least = INFINITY;
    for (size_t i = 0; i < all; i++) {
        if (!may_be_one(it, i, true, last))
            continue;
        it->chosen[0] = it->law->readable[i];
        it->count = count;
        if (count == 1)
            keep_best(it, last, &least, best);
        for (size_t j = 0; j < (last < 0.0 ? all : i) && count > 1; j++) {
            it->chosen[1] = it->law->readable[j];
            if (j != i && may_be_one(it, j, false, last))
                keep_best(it, last, &least, best);
        }
    }
    if (least == INFINITY)
        return false;
    it->count = count;
    memcpy(it->chosen, best, it->count * sizeof *best);
    return take_once(it, last) < INFINITY;
}

/* Whether kernels, asked how often each is counted, confirm its number. */
static bool are_sure(reading *it)
{
    double kept[CM_LAW_STEPS];
    memcpy(kept, it->estimate, sizeof kept);
    bool sure = solve_freely(it);
    for (size_t i = 0; i < it->count && sure; i++)
        sure = fabs(it->estimate[i] - kept[i]) <= cm_the_rules.natural * fabs(kept[i]);
    memcpy(it->estimate, kept, sizeof kept);
    return sure;
}

/* Chooses as choose_once does, and asks kernels. */
static bool choose_surely(reading *it, size_t count, double last)
{
    bool found = choose_once(it, count, last) && are_sure(it);
    it->count = found ? it->count : 0;
    return found;
}

/* Rounds to whole numbers, if these explain it, too. */
static void round_all(reading *it)
{
    double kept[CM_LAW_STEPS];
    memcpy(kept, it->estimate, sizeof kept);
    for (size_t i = 0; i < it->count; i++) {
        double whole = nearbyint(kept[i]);
        it->estimate[i] = fabs(kept[i] - whole) <= cm_the_rules.known * whole ? whole : kept[i];
    }
    if (!is_explained(it))
        memcpy(it->estimate, kept, sizeof kept);
}

/* Adds to each set each alternative that may show, and keeps those that leave least. */
static void grow_sets(reading *it, const cm_law_sets *from, cm_law_sets *to)
{
    to->count = 0;
    to->size = from->size + 1;
    for (size_t c = 0; c < from->count; c++)
        for (size_t i = 0; i < it->law->readable_count; i++) {
            it->count = from->size;
            memcpy(it->chosen, from->chosen[c], sizeof it->chosen);
            it->chosen[it->count++] = it->law->readable[i];
            if (may_show(it, it->law->readable[i]) && cm_law_is_new_set(to, it->chosen))
                cm_law_keep_set(to, it->chosen, solve_reading(it));
        }
}

/* Adds to those chosen the fewest, `most` at most, that explain all beside them: of the sets that leave least, the
 * best. */
static bool choose_more(reading *it, size_t most)
{
    cm_law_sets sets[2] = {{.count = 1, .size = it->count}};
    bool found = false;
    memcpy(sets[0].chosen[0], it->chosen, sizeof it->chosen);
    for (size_t i = 0; i < most && sets[i % 2].count > 0 && !found; i++) {
        cm_law_sets *grown = &sets[(i + 1) % 2];
        grow_sets(it, &sets[i % 2], grown);
        memcpy(it->chosen, grown->chosen[0], sizeof it->chosen);
        it->count = grown->size;
        found = grown->count > 0 && solve_reading(it) < INFINITY && is_explained(it);
    }
    return found;
}

/* Takes out one, or two, for the fewest that explain all beside the others and leave less. */
static bool exchange_two(reading *it, size_t one, size_t two)
{
    const reading kept = *it;
    it->count = 0;
    for (size_t k = 0; k < kept.count; k++)
        if (k != one && k != two)
            it->chosen[it->count++] = kept.chosen[k];
    bool better = choose_more(it, one == two ? 1 : 2) && cm_law_leaves_less(left_of(it), left_of(&kept));
    if (!better)
        *it = kept;
    return better;
}

/* Exchanges them in turn, until none changes: those chosen while others were still to come may stand for parts of
 * these. */
static void exchange_chosen(reading *it)
{
    for (bool better = true; better;) {
        better = false;
        for (size_t i = 0; i < it->count && !better; i++)
            for (size_t j = 0; j <= i && !better; j++)
                better = exchange_two(it, i, j);
    }
}

/* Some more, however often each is counted. */
static bool are_several(reading *it)
{
    it->count = 0;
    if (!choose_more(it, CM_LAW_STEPS))
        return false;
    exchange_chosen(it);
    round_all(it);
    return true;
}

/* Adds the chosen alternatives, fact by fact. */
static void spell_out(const reading *it, double *facts)
{
    for (size_t i = 0; i < it->count; i++) {
        const cm_law_alternative *entry = &it->law->alternatives[it->chosen[i]];
        if (entry->parts == NULL)
            facts[entry->sort == CM_LAW_TURN ? cm_fact_count() : entry->fact] += it->estimate[i];
        for (size_t k = 0; entry->parts != NULL && entry->parts[k] != SIZE_MAX; k++)
            facts[entry->parts[k]] += it->estimate[i] * entry->weights[k];
    }
}

cm_status cm_law_read(const cm_law *law, const cm_law_counts *counts, double *facts, double *most, bool *known,
                      cm_error *error)
{
    size_t kernels = law->setup.kernel_count;
    double *buffer = calloc(5 * kernels + law->total + 1, sizeof *buffer);
    if (buffer == NULL)
        return cm_error_no_memory(error);
    reading it = {.law = law,
                  .counts = counts,
                  .kernels = kernels,
                  .values = buffer,
                  .weights = buffer + kernels,
                  .trusted = buffer + 2 * kernels,
                  .hits = buffer + 3 * kernels,
                  .allowances = buffer + 4 * kernels,
                  .most = buffer + 5 * kernels};
    for (size_t k = 0; k < kernels; k++) {
        it.values[k] = isfinite(counts->variances[k]) && !law->setup.kernels[k].free ? counts->values[k] : 0.0;
        it.largest = fmax(it.largest, fabs(it.values[k]));
    }
    for (size_t k = 0; k < kernels; k++) {
        bool tells = isfinite(counts->variances[k]) && !law->setup.kernels[k].free && it.largest > 0.0;
        double off = fine_on(&it, k), once = counts->strays[k] / cm_the_rules.z;
        it.weights[k] = tells ? 1.0 / (counts->variances[k] + off * off + once * once) : 0.0;
        it.hits[k] = hits_on(law, k);
        it.allowances[k] = allowance_on(&it, k);
    }
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        most[fact] = INFINITY;
    for (size_t a = 0; a < law->total; a++) {
        cm_law_sort sort = law->alternatives[a].sort;
        it.most[a] = sort != CM_LAW_PAIR && sort != CM_LAW_DIFFERENCE ? most_of_it(&it, a) : 0.0;
        if (sort == CM_LAW_FACT)
            most[law->alternatives[a].fact] = it.most[a];
    }
    *known = is_explained(&it) || choose_surely(&it, 1, 1.0) || choose_surely(&it, 2, 1.0) ||
             choose_surely(&it, 2, -1.0) || are_several(&it);
    if (*known)
        spell_out(&it, facts);
    free(buffer);
    return CM_OK;
}
