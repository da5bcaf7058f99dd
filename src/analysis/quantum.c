#include "analysis/quantum.h"

#include <math.h>

double cm_round_to_quantum(const double *counts, size_t count, double quantum, double *rounded)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        double value = quantum * round(counts[i] / quantum);
        largest = fmax(largest, fabs(value - counts[i]));
        rounded[i] = value;
    }
    return largest;
}
