/* What an event counts: a few facts that explain it on kernels. */
#include <math.h>
#include <string.h>

#include "analysis/linear.h"
#include "law/state.h"

/* Relative, of squares. */
static const double alike = 1e-4;

typedef struct explained {
    const cm_law *law;
    const cm_law_counts *counts;
    size_t kernels, count;
    size_t chosen[CM_LAW_PARTS];
    double estimate[CM_LAW_PARTS];
    double largest;                            /* of the counts */
    double *weights, *rest, *scaled, *columns; /* a kernel each, and of `columns` each alternative that was chosen */
} explained;

static double size_on(const explained *it, size_t kernel)
{
    return fmax(fabs(it->counts->values[kernel]), cm_law_default.floor * it->largest);
}

static bool may_explain(const explained *it, size_t alternative)
{
    const cm_law_alternative *what = &it->law->alternatives[alternative];
    bool chosen = false;
    for (size_t i = 0; i < it->count; i++)
        chosen |= it->chosen[i] == alternative;
    return !chosen && !what->is_free && !what->is_untried && what->sort != CM_LAW_PAIR &&
           what->sort != CM_LAW_DIFFERENCE;
}

/* Of those that explain as much, plain sums of facts come first, and last what takes facts from others. */
static int rank_of(const cm_law_alternative *what)
{
    bool plain = what->parts != NULL;
    for (size_t i = 0; plain && what->parts[i] != SIZE_MAX; i++)
        plain = what->weights[i] > 0.0;
    return plain ? 0 : what->parts != NULL ? 2 : 1;
}

/* The weight of a kernel, of which the machine decides so much. */
static double weight_on(const explained *it, size_t kernel, double decided)
{
    double weight = it->weights[kernel];
    return weight > 0.0 ? 1.0 / (1.0 / weight + decided * decided) : 0.0;
}

/* How much of an alternative the rest has, by kernels on which the machine decides little of that. */
static double part_of(const explained *it, size_t alternative)
{
    const double *column = it->law->kernels + alternative * it->kernels;
    const double *bounds = it->law->bounds + alternative * it->kernels;
    double part = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        double product = 0.0, square = 0.0;
        for (size_t k = 0; k < it->kernels; k++) {
            double weight = weight_on(it, k, part * bounds[k]);
            product += weight * column[k] * it->rest[k];
            square += weight * column[k] * column[k];
        }
        part = square > 0.0 ? product / square : 0.0;
    }
    return part;
}

/* By how much less the rest would be, relative to its errors, squared: what the machine decides is no rest. */
static double gain_of(const explained *it, size_t alternative)
{
    const double *column = it->law->kernels + alternative * it->kernels;
    const double *bounds = it->law->bounds + alternative * it->kernels;
    double part = part_of(it, alternative), gain = 0.0;
    for (size_t k = 0; k < it->kernels && part != 0.0; k++) {
        double left = fmax(0.0, fabs(it->rest[k] - part * column[k]) - fabs(part) * bounds[k]);
        gain += it->weights[k] * (it->rest[k] * it->rest[k] - left * left);
    }
    return gain;
}

/* The one that explains most of the rest; how many there are: none explains any. */
static size_t find_next(explained *it)
{
    size_t best = it->law->count;
    double most = 0.0;
    for (int rank = 0; rank <= 2; rank++)
        for (size_t a = 0; a < it->law->count; a++) {
            double gain = may_explain(it, a) && rank_of(&it->law->alternatives[a]) == rank ? gain_of(it, a) : 0.0;
            if (gain > most * (1.0 + alike)) {
                most = gain;
                best = a;
            }
        }
    return best;
}

/* Of what was chosen, what the machine decides on a kernel. */
static double decided_on(const explained *it, size_t kernel)
{
    double decided = 0.0;
    for (size_t i = 0; i < it->count; i++)
        decided += fabs(it->estimate[i]) * it->law->bounds[it->chosen[i] * it->kernels + kernel];
    return decided;
}

/* Least squares over those that were chosen; false where they do not tell each other apart. */
static bool solve(explained *it)
{
    double products[CM_LAW_PARTS * CM_LAW_PARTS], right[CM_LAW_PARTS];
    for (size_t i = 0; i < it->count; i++) {
        const double *column = it->columns + i * it->kernels;
        for (size_t k = 0; k < it->kernels; k++)
            it->scaled[k] = weight_on(it, k, decided_on(it, k)) * column[k];
        right[i] = cm_vector_dot(it->scaled, it->counts->values, it->kernels);
        for (size_t j = 0; j < it->count; j++)
            products[i * it->count + j] = cm_vector_dot(it->scaled, it->columns + j * it->kernels, it->kernels);
        products[i * it->count + i] *= 1.0 + 1e-9;
    }
    if (!cm_cholesky(products, it->count))
        return false;
    cm_cholesky_solve(products, it->count, right);
    memcpy(it->estimate, right, it->count * sizeof *right);
    return true;
}

/* What is left: what the machine decides is none of it. */
static void find_rest(explained *it)
{
    for (size_t k = 0; k < it->kernels; k++) {
        double rest = it->counts->values[k];
        for (size_t i = 0; i < it->count; i++)
            rest -= it->estimate[i] * it->columns[i * it->kernels + k];
        it->rest[k] = copysign(fmax(0.0, fabs(rest) - decided_on(it, k)), rest);
    }
}

static bool is_explained(const explained *it)
{
    bool all = true;
    for (size_t k = 0; k < it->kernels && all; k++) {
        double off = cm_law_default.z * sqrt(it->counts->variances[k]) + it->counts->strays[k];
        all = it->weights[k] == 0.0 || fabs(it->rest[k]) <= off + cm_law_default.fit * size_on(it, k);
    }
    return all;
}

size_t cm_law_explain(const cm_law *law, const cm_law_counts *counts, cm_law_part parts[CM_LAW_PARTS], double *room)
{
    size_t kernels = law->setup.kernel_count;
    explained it = {.law = law,
                    .counts = counts,
                    .kernels = kernels,
                    .largest = 0.0,
                    .weights = room,
                    .rest = room + kernels,
                    .scaled = room + 2 * kernels,
                    .columns = room + 3 * kernels};
    for (size_t k = 0; k < kernels; k++)
        it.largest = fmax(it.largest, isfinite(counts->variances[k]) ? fabs(counts->values[k]) : 0.0);
    for (size_t k = 0; k < kernels; k++) {
        bool known = isfinite(counts->variances[k]) && !law->setup.kernels[k].free && it.largest > 0.0;
        double off = cm_law_default.fit * size_on(&it, k), once = counts->strays[k] / cm_law_default.z;
        it.weights[k] = known ? 1.0 / (counts->variances[k] + off * off + once * once) : 0.0;
        it.rest[k] = known ? counts->values[k] : 0.0;
    }
    while (it.count < CM_LAW_PARTS && !is_explained(&it)) {
        size_t next = find_next(&it);
        if (next == law->count)
            break;
        memcpy(it.columns + it.count * kernels, law->kernels + next * kernels, kernels * sizeof *it.columns);
        it.estimate[it.count] = part_of(&it, next);
        it.chosen[it.count++] = next;
        if (!solve(&it)) {
            it.count--;
            break;
        }
        find_rest(&it);
    }
    size_t found = 0;
    for (size_t i = 0; i < it.count; i++)
        if (it.estimate[i] != 0.0)
            parts[found++] = (cm_law_part){it.chosen[i], it.estimate[i]};
    return found;
}
