/* Under a budget those events come first whose names or codes look as if they counted what is asked for. */
#ifndef CM_SWEEP_PLAN_PROMISE_H
#define CM_SWEEP_PLAN_PROMISE_H

#include "sweep/plan/state.h"

/* Moves them before the others, by data/promising.csv; both keep their order. */
cm_status cm_promising_first(const cm_sweep_state *state, size_t *events, size_t count, cm_error *error);

#endif
