/* The specialised QRCP: the paper's section V, Algorithm 2. */
#ifndef CM_ANALYSIS_PIVOTING_H
#define CM_ANALYSIS_PIVOTING_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* Chooses independent columns of X (symbols x count, one pointer a column; all values finite). Writes the indices of
 * the chosen ones, in pivot order, to `chosen` (room for `symbols`) and their number to `chosen_count`. */
cm_status cm_pivot(const double *const *columns, size_t count, size_t symbols, double alpha, size_t *chosen,
                   size_t *chosen_count, cm_error *error);

/* The chosen columns, to ask whether one more candidate would have been chosen with them: it would where its part
 * orthogonal to those that come before it is large enough. */
typedef struct cm_pivot_chain cm_pivot_chain;

/* `columns` and `indices` of the chosen ones in pivot order. */
cm_status cm_pivot_chain_create(const double *const *columns, const size_t *indices, size_t count, size_t symbols,
                                double alpha, cm_pivot_chain **chain, cm_error *error);
bool cm_pivot_chain_accepts(cm_pivot_chain *chain, const double *column, size_t index);
void cm_pivot_chain_free(cm_pivot_chain *chain);

#endif
