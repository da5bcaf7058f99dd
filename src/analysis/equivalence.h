/* Events that are multiples of a selected one. */
#ifndef CM_ANALYSIS_EQUIVALENCE_H
#define CM_ANALYSIS_EQUIVALENCE_H

#include <stddef.h>

#include <catmint/matrix.h>

/* The column of `selected` (one row a symbol) of which `column` is a multiple: ||x - c x_k|| <= alpha ||x|| with the
 * best c; the closest one where there are several; -1 where there is none, or where nothing of `column` is left after
 * rounding to alpha. */
ptrdiff_t cm_equivalent_column(const double *column, const cm_matrix *selected, double alpha);

#endif
