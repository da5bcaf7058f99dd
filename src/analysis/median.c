/* The median of counts. */
#include <stdlib.h>

#include <catmint/analysis.h>

#include "analysis/numerics.h"

int cm_compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double cm_median(double *values, size_t count)
{
    if (values == NULL || count == 0)
        return NAN;
    qsort(values, count, sizeof *values, cm_compare_numbers);
    if (count % 2 != 0)
        return values[count / 2];
    return 0.5 * (values[count / 2 - 1] + values[count / 2]);
}
