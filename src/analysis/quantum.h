/* Rounding counts to a quantum: step 1 of the method. */
#ifndef CM_ANALYSIS_QUANTUM_H
#define CM_ANALYSIS_QUANTUM_H

#include <stddef.h>

/* Rounds each of `counts` to the nearest multiple of `quantum` (> 0; halves go away from zero) and writes them to
 * `rounded`, which may be `counts`. Returns the largest distance that a count was moved. */
double cm_round_to_quantum(const double *counts, size_t count, double quantum, double *rounded);

#endif
