/* Checks that kernels which need huge pages can have them. */
#ifndef CM_SWEEP_PLAN_HUGE_H
#define CM_SWEEP_PLAN_HUGE_H

#include "sweep/plan/state.h"

/* Tries the pages of the chain for all members of the team and keeps none. CM_UNSUPPORTED with the reason if the system
 * gives no huge pages, the modelled machine has others, or the PMU cannot distinguish them from small ones. */
cm_status cm_sweep_try_huge(cm_sweep_state *state, const cm_geometry *geometry, const cm_placement *placement,
                            cm_error *error);

#endif
