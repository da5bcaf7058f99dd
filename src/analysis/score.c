#include "analysis/state.h"

/* In units of alpha. An element in the middle between two multiples of alpha (1/8, with the alpha of dcache) goes up
 * even when rounding makes it a little smaller. */
static const double middle_rounding_error = 1e-6;

double cm_score(const double *column, size_t symbols, double alpha)
{
    double score = 0.0;
    for (size_t i = 0; i < symbols; i++) {
        double multiple = floor(column[i] / alpha + 0.5 + middle_rounding_error);
        if (multiple == 0.0)
            continue;
        double value = fabs(multiple) * alpha;
        score += value >= 1.0 ? value : 1.0 / value;
    }
    return score;
}
