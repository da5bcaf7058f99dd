/* A signature from those of some columns that are independent. */
#ifndef CM_ANALYSIS_INDEPENDENT_H
#define CM_ANALYSIS_INDEPENDENT_H

#include <stddef.h>

#include <catmint/error.h>

/* Takes of `count` columns (one element a symbol; NULL: none) those of which a part of more than 1e-6 is no combination
 * of those taken before, solves for the signature over them, and rounds to alpha. coefficients[i] is 0 for a column
 * that is not taken. */
cm_status cm_solve_independent(const double *const *columns, size_t count, const double *signature, size_t symbols,
                               double alpha, double *coefficients, cm_error *error);

#endif
