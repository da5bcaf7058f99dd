#include "analysis/numerics.h"
#include "analysis/rules.h"

enum { MOST_REPETITIONS = 64 };

static void sort_into(const double *counts, size_t repetitions, size_t stride, double *sorted)
{
    for (size_t r = 0; r < repetitions; r++) {
        double count = counts[r * stride];
        size_t at = r;
        for (; at > 0 && sorted[at - 1] > count; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = count;
    }
}

/* The number of counts from `first` on that lie within `width`. */
static size_t count_within(const double *sorted, size_t repetitions, size_t first, double width)
{
    size_t count = 0;
    while (first + count < repetitions && sorted[first + count] - sorted[first] <= width)
        count++;
    return count;
}

/* The repetitions within the width that are most in number. A neighbour may have disturbed half of all: those lie
 * apart, the undisturbed ones together. */
static cm_majority crowd_of(const double *sorted, size_t repetitions, double width)
{
    size_t crowd = 0, most = 0, next = 0;
    for (size_t i = 0; i < repetitions; i++) {
        size_t count = count_within(sorted, repetitions, i, width);
        if (count > most) {
            most = count;
            crowd = i;
        }
    }
    for (size_t i = 0; i < repetitions; i++)
        if (sorted[i] < sorted[crowd] - width || i >= crowd + most) {
            size_t count = count_within(sorted, i < crowd ? crowd : repetitions, i, width);
            next = count > next ? count : next;
        }
    if (cm_the_rules.few * (double)most < (double)repetitions || most < 2 * next)
        return (cm_majority){-INFINITY, INFINITY};
    return (cm_majority){sorted[crowd] - width, sorted[crowd + most - 1] + width};
}

cm_majority cm_majority_of(const double *counts, size_t repetitions, size_t stride, double scale)
{
    double sorted[MOST_REPETITIONS];
    if (repetitions == 0 || (double)repetitions < cm_the_rules.few * cm_the_rules.few || repetitions > MOST_REPETITIONS)
        return (cm_majority){-INFINITY, INFINITY};
    sort_into(counts, repetitions, stride, sorted);
    size_t half = repetitions / 2, first = 0; /* the first of the half + 1 that lie closest */
    for (size_t i = 0; i + half < repetitions; i++)
        if (sorted[i + half] - sorted[i] < sorted[first + half] - sorted[first])
            first = i;
    double width = sorted[first + half] - sorted[first], least = cm_the_rules.alike * scale;
    if (width > least) {
        cm_majority crowd = crowd_of(sorted, repetitions, least);
        if (isfinite(crowd.low))
            return crowd;
    }
    double far = fmax(width / cm_the_rules.least, least);
    return (cm_majority){sorted[first] - far, sorted[first + half] + far};
}
