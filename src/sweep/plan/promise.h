/* Under a budget, sorts first the events whose names or codes suggest that they count the metrics. */
#ifndef CM_SWEEP_PLAN_PROMISE_H
#define CM_SWEEP_PLAN_PROMISE_H

#include "sweep/plan/state.h"

/* Moves these events before the others, by data/promising.csv; both groups keep their order. */
cm_status cm_promising_first(const cm_sweep_state *state, size_t *events, size_t count, cm_error *error);

#endif
