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

/* The chosen columns, to ask whether one more candidate would have been chosen with them: it would if its part
 * orthogonal to those that come before it is large enough. */
typedef struct cm_pivot_chain cm_pivot_chain;

/* `columns` and `indices` of the chosen ones in pivot order. */
cm_status cm_pivot_chain_create(const double *const *columns, const size_t *indices, size_t count, size_t symbols,
                                double alpha, cm_pivot_chain **chain, cm_error *error);
bool cm_pivot_chain_accepts(cm_pivot_chain *chain, const double *column, size_t index);
void cm_pivot_chain_free(cm_pivot_chain *chain);

/* ---- score.c ---- */

/* The distance of a column of X from the dimensions of the basis (the paper's section V). */

/* The sum of Sc(|R(u)|) over the elements u of a column: R(u) = alpha floor(u / alpha + 1/2); Sc(v) = v if v >= 1, 1/v
 * if 0 < v < 1, 0 if v = 0. 0: nothing is left of the column after rounding. */
double cm_score(const double *column, size_t symbols, double alpha);

/* ---- candidates.c ---- */

/* Columns that the pivoting may choose, in the order in which it tries them. */

typedef struct cm_candidate {
    double score;
    double rank; /* the norm, in steps of the resolution within which norms count as equal */
    double norm;
    size_t index; /* of its column */
} cm_candidate;

/* Orthonormal directions of the columns that were chosen. */
typedef struct cm_span {
    size_t count, symbols;
    double beta;
    double *directions; /* `count` of them, each of `symbols`, and room for one more */
} cm_span;

cm_candidate cm_candidate_make(const double *column, size_t symbols, double alpha, size_t index);

/* Negative, 0 or positive: by score, rank and index. */
int cm_candidate_compare(const cm_candidate *a, const cm_candidate *b);

/* Whether a column whose part orthogonal to the chosen ones has that norm is independent of them. */
bool cm_candidate_is_independent(const cm_candidate *tried, double part, double beta);

/* ---- a heap of candidates, the first one on top ---- */

/* All columns with a score; `candidates` has room for all. Returns how many. Very many are scored by all cores. */
size_t cm_candidates_rank(const double *const *columns, size_t count, size_t symbols, double alpha,
                          cm_candidate *candidates);

cm_candidate cm_candidates_take(cm_candidate *heap, size_t *count);

/* Takes those out that are clearly within the span, by all cores if there are very many. Returns how many are left:
 * all, if memory lacks. */
size_t cm_candidates_refuse(const cm_span *span, const double *const *columns, cm_candidate *candidates, size_t count);

#endif
