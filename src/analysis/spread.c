#include "analysis/spread.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/noise.h"
#include "analysis/rules.h"
#include "analysis/vector.h"

static double largest_of(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

/* The standard deviation of one kernel's counts. */
static double deviation_of(const double *vectors, size_t repetitions, size_t kernels, size_t kernel, double mean)
{
    double sum = 0.0;
    for (size_t r = 0; r < repetitions; r++)
        sum += pow(vectors[r * kernels + kernel] - mean, 2.0);
    return repetitions > 1 ? sqrt(sum / (double)(repetitions - 1)) : 0.0;
}

double cm_spread(const double *vectors, size_t repetitions, size_t kernels, double *mean, double *error)
{
    double squares = 0.0, root = sqrt((double)repetitions);
    size_t active = 0;
    cm_mean_vector(vectors, repetitions, kernels, mean);
    double least = cm_the_rules.active * largest_of(mean, kernels);
    for (size_t k = 0; k < kernels; k++) {
        error[k] = deviation_of(vectors, repetitions, kernels, k, mean[k]);
        if (fabs(mean[k]) <= least)
            continue;
        squares += pow(error[k] / mean[k], 2.0);
        active++;
    }
    double pooled = active > 0 ? sqrt(squares / (double)active) : 0.0;
    for (size_t k = 0; k < kernels; k++)
        error[k] = fmax(error[k], pooled * fabs(mean[k])) / root;
    return pooled;
}

/* One pair of repetitions. */
static double difference(const double *one, const double *other, size_t kernels, const double *mean,
                         const double *chance, double least)
{
    double squares = 0.0, sums[2] = {0.0, 0.0};
    size_t active = 0;
    for (size_t k = 0; k < kernels; k++) {
        if (fabs(mean[k]) <= least)
            continue;
        double expected = chance != NULL ? cm_the_rules.deviations * M_SQRT2 * chance[k] : 0.0;
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
                       const double *chance)
{
    double largest = repetitions < 2 ? NAN : 0.0, least = cm_the_rules.active * largest_of(mean, kernels);
    for (size_t i = 0; i < repetitions; i++)
        for (size_t j = 0; j < i; j++)
            largest =
                fmax(largest, difference(vectors + i * kernels, vectors + j * kernels, kernels, mean, chance, least));
    return largest;
}
