/* Definitions whose events can be counted together. */
#ifndef CM_DISCOVERY_SOLVE_COUNTABLE_H
#define CM_DISCOVERY_SOLVE_COUNTABLE_H

#include "discovery/benchmark_result.h"

/* The definition of a metric by the events that are `usable` (one a place; NULL: all), with at most `most` terms (0:
 * any number). Where it holds and its events refuse each other, another one that holds and can be counted, if there is
 * such a one. */
cm_status cm_solve_countable(const cm_benchmark_result *result, size_t metric, const bool *usable, size_t most,
                             cm_solution *solution, cm_error *error);

/* Of what may stand in for a term, what leaves the definition countable comes first. `events` and `coefficients`: the
 * definition's, of the analysis. */
cm_status cm_order_stand_ins(const cm_benchmark_result *result, const cm_fit *fit, size_t term,
                             struct cm_term_equivalents *found, cm_error *error);

#endif
