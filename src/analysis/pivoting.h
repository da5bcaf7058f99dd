/* The specialised QRCP: the paper's section V, Algorithm 2. */
#ifndef CM_ANALYSIS_PIVOTING_H
#define CM_ANALYSIS_PIVOTING_H

#include <stddef.h>

#include <catmint/error.h>

/* Chooses independent columns of X (symbols x count, one pointer a column; all values finite). Writes the indices of
 * the chosen ones, in pivot order, to `chosen` (room for `symbols`) and their number to `chosen_count`. */
cm_status cm_pivot(const double *const *columns, size_t count, size_t symbols, double alpha, size_t *chosen,
                   size_t *chosen_count, cm_error *error);

#endif
