/* Repetitions that a neighbour disturbed: on a real machine it comes and goes, and takes lines of caches from some runs
 * and not from others. */
#ifndef CM_ANALYSIS_MAJORITY_H
#define CM_ANALYSIS_MAJORITY_H

#include <stdbool.h>
#include <stddef.h>

/* The range of the counts that are kept. */
typedef struct cm_majority {
    double low, high;
} cm_majority;

/* R counts, `stride` apart: where more than half of them lie close together, those that are far from all of these are
 * not kept. Far is more than ten times as wide as they lie, and more than a hundredth of `scale`. Where more than half
 * lie no closer than that hundredth, a crowd of a third that does is kept, if no other is half as large. All are kept
 * where R is below 9 or above 64. */
cm_majority cm_majority_of(const double *counts, size_t repetitions, size_t stride, double scale);

static inline bool cm_majority_has(cm_majority kept, double count)
{
    return count >= kept.low && count <= kept.high;
}

#endif
