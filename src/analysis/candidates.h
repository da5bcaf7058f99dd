/* Columns that the pivoting may choose, in the order in which it tries them. Inside of analysis only. */
#ifndef CM_ANALYSIS_CANDIDATES_H
#define CM_ANALYSIS_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

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

/* Of all columns those with a score; `candidates` has room for all. Returns how many. Very many are scored by all
 * cores. */
size_t cm_candidates_rank(const double *const *columns, size_t count, size_t symbols, double alpha,
                          cm_candidate *candidates);

cm_candidate cm_candidates_take(cm_candidate *heap, size_t *count);

/* Takes those out that are clearly within the span, by all cores where there are very many. Returns how many are left:
 * all, where memory lacks. */
size_t cm_candidates_refuse(const cm_span *span, const double *const *columns, cm_candidate *candidates, size_t count);

#endif
