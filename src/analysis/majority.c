#include "analysis/majority.h"

#include <math.h>

#include "analysis/rules.h"

enum { FEWEST = 9, MOST = 64 };

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

cm_majority cm_majority_of(const double *counts, size_t repetitions, size_t stride, double scale)
{
    double sorted[MOST];
    if (repetitions < FEWEST || repetitions > MOST)
        return (cm_majority){-INFINITY, INFINITY};
    sort_into(counts, repetitions, stride, sorted);
    size_t half = repetitions / 2, first = 0; /* the first of the half + 1 that lie closest */
    for (size_t i = 0; i + half < repetitions; i++)
        if (sorted[i + half] - sorted[i] < sorted[first + half] - sorted[first])
            first = i;
    double width = sorted[first + half] - sorted[first];
    double far = fmax(cm_the_rules.apart * width, cm_the_rules.apart_least * scale);
    return (cm_majority){sorted[first] - far, sorted[first + half] + far};
}
