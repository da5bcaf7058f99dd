#include "analysis/numerics.h"
#include "analysis/rules.h"

/* Mean and standard deviation of one kernel's counts that are kept; returns how many. */
static size_t sum_up(const double *counts, size_t repetitions, size_t stride, cm_majority kept, double *mean,
                     double *deviation)
{
    double sum = 0.0, squares = 0.0;
    size_t count = 0;
    for (size_t r = 0; r < repetitions; r++)
        if (cm_majority_has(kept, counts[r * stride])) {
            sum += counts[r * stride];
            count++;
        }
    if (count < repetitions)
        *mean = sum / (double)count;
    for (size_t r = 0; r < repetitions; r++)
        if (cm_majority_has(kept, counts[r * stride]))
            squares += pow(counts[r * stride] - *mean, 2.0);
    *deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0;
    return count;
}

static cm_majority keep_majority(const double *counts, size_t repetitions, size_t stride, bool rough, double scale)
{
    return rough ? cm_majority_of(counts, repetitions, stride, scale) : (cm_majority){-INFINITY, INFINITY};
}

void cm_runs(const double *runs, size_t repetitions, double scale, double *mean, double *deviation)
{
    cm_mean_vector(runs, repetitions, 1, mean);
    sum_up(runs, repetitions, 1, keep_majority(runs, repetitions, 1, scale > 0.0, scale), mean, deviation);
}

double cm_spread(const double *vectors, size_t repetitions, size_t kernels, const double *trust, bool rough,
                 double *mean, double *error)
{
    const double other = 1e-9; /* the least weight of all other kernels that says something */
    double squares = 0.0, weights = 0.0, most = 0.0, most_weight = 0.0;
    cm_mean_vector(vectors, repetitions, kernels, mean);
    double scale = cm_vector_largest(mean, kernels), least = cm_the_rules.least * scale;
    for (size_t k = 0; k < kernels; k++) {
        cm_majority kept = keep_majority(vectors + k, repetitions, kernels, rough, scale);
        double deviation = 0.0;
        size_t count = sum_up(vectors + k, repetitions, kernels, kept, &mean[k], &deviation);
        error[k] = deviation / sqrt((double)count);
        if (fabs(mean[k]) <= least)
            continue;
        double weight = (rough ? mean[k] * mean[k] : 1.0) * (trust != NULL ? trust[k] : 1.0);
        double square = weight * pow(deviation / mean[k], 2.0);
        squares += square;
        weights += weight;
        most_weight = square > most ? weight : most_weight;
        most = fmax(most, square);
    }
    /* What a machine prefetches or evicts may swing on one kernel, which says nothing of the others then. */
    if (rough && most > squares - most && weights - most_weight > other * weights) {
        squares -= most;
        weights -= most_weight;
    }
    double pooled = weights > 0.0 ? sqrt(squares / weights) : 0.0, root = sqrt((double)repetitions);
    for (size_t k = 0; k < kernels; k++)
        error[k] = fmax(error[k], pooled * fabs(mean[k]) / root);
    return pooled;
}

/* The measures of noise. */
typedef struct noise_measures {
    const double *vectors;
    size_t repetitions, kernels;
    const double *mean, *chance;
    double scale;
    bool rough;
} noise_measures;

/* Whether a neighbour disturbed one of the two repetitions: asked only if they differ by much. */
static bool is_disturbed(const noise_measures *it, size_t kernel, double one, double other)
{
    if (!it->rough || fabs(one - other) <= cm_the_rules.alike * it->scale)
        return false;
    cm_majority kept = cm_majority_of(it->vectors + kernel, it->repetitions, it->kernels, it->scale);
    return !cm_majority_has(kept, one) || !cm_majority_has(kept, other);
}

/* One pair of repetitions. */
static double difference(const noise_measures *it, const double *one, const double *other)
{
    double squares = 0.0, sums[2] = {0.0, 0.0};
    size_t active = 0;
    for (size_t k = 0; k < it->kernels; k++) {
        if (fabs(it->mean[k]) <= cm_the_rules.least * it->scale || is_disturbed(it, k, one[k], other[k]))
            continue;
        double expected = it->chance != NULL ? cm_the_rules.z * M_SQRT2 * it->chance[k] : 0.0;
        squares += pow(fmax(0.0, fabs(one[k] - other[k]) - expected), 2.0);
        sums[0] += one[k];
        sums[1] += other[k];
        active++;
    }
    if (squares == 0.0)
        return 0.0;
    double product = sums[0] / (double)active * (sums[1] / (double)active);
    return product > 0.0 ? sqrt(squares / ((double)active * product)) : 1.0;
}

double cm_noise_beyond(const double *vectors, size_t repetitions, size_t kernels, const double *mean,
                       const double *chance, bool rough)
{
    const noise_measures it = {.vectors = vectors,
                               .repetitions = repetitions,
                               .kernels = kernels,
                               .mean = mean,
                               .chance = chance,
                               .scale = cm_vector_largest(mean, kernels),
                               .rough = rough};
    double largest = repetitions < 2 ? NAN : 0.0;
    for (size_t i = 0; i < repetitions; i++)
        for (size_t j = 0; j < i; j++)
            largest = fmax(largest, difference(&it, vectors + i * kernels, vectors + j * kernels));
    return largest;
}
