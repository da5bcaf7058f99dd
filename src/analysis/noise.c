#include "analysis/numerics.h"

static double mean_of(const double *vector, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
        sum += vector[k];
    return sum / (double)count;
}

static double distance(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static double rnmse(const double *a, const double *b, size_t kernels)
{
    double difference = distance(a, b, kernels);
    if (difference == 0.0) /* most pairs, and those of two zero vectors */
        return 0.0;
    double mean_a = mean_of(a, kernels), mean_b = mean_of(b, kernels);
    if (mean_a == 0.0 || mean_b == 0.0)
        return 1.0;
    return difference / sqrt((double)kernels * mean_a * mean_b);
}

double cm_max_rnmse(const double *vectors, size_t repetitions, size_t kernels)
{
    if (repetitions < 2)
        return NAN;
    double largest = 0.0;
    for (size_t i = 0; i + 1 < repetitions; i++)
        for (size_t j = i + 1; j < repetitions; j++)
            largest = fmax(largest, rnmse(vectors + i * kernels, vectors + j * kernels, kernels));
    return largest;
}

/* Neumaier's compensated sum, divided. Equal values are returned as they are: five times 0.1, summed and divided by
 * five, would not be 0.1 again with every number of repetitions. */
static double mean_over_repetitions(const double *values, size_t repetitions, size_t stride)
{
    double sum = values[0], lost = 0.0;
    size_t equal = 1;
    for (size_t r = 1; r < repetitions; r++) {
        double value = values[r * stride];
        double next = sum + value;
        lost += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
        equal += value == values[0];
    }
    return equal == repetitions ? values[0] : (sum + lost) / (double)repetitions;
}

void cm_mean_vector(const double *vectors, size_t repetitions, size_t kernels, double *mean)
{
    for (size_t k = 0; k < kernels; k++)
        mean[k] = mean_over_repetitions(vectors + k, repetitions, kernels);
}
