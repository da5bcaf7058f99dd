/* What kernels cannot tell apart. */
#ifndef CM_DISCOVERY_DOUBTS_H
#define CM_DISCOVERY_DOUBTS_H

#include "discovery/benchmark_result.h"

/* How often the fact happens beside the symbol, where it happens on exactly those fitted kernels that have it, always
 * as often, and the machine decides how often; 0: it does not. */
double cm_goes_with(const cm_evidence *evidence, size_t fact, size_t symbol);

/* What an event represented by `x`, one element a symbol, should count on each kernel. */
void cm_represent(const cm_evidence *evidence, const double *x, double *counts);
/* Which multiple of the fact these counts are on each kernel, fitted or control; 0: none. */
double cm_is_like(const cm_evidence *evidence, const double *counts, size_t fact);

#endif
