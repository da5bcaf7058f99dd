/* Whether kernels that need huge pages can have them. */
#ifndef CM_SWEEP_PLAN_HUGE_H
#define CM_SWEEP_PLAN_HUGE_H

#include "sweep/plan/state.h"

/* Tries the pages of the chain for all members of the team; none are kept. CM_UNSUPPORTED with the reason where the
 * system gives none, where they are not the modelled machine's, or where what counts does not tell them from others. */
cm_status cm_sweep_try_huge(cm_sweep_state *state, const cm_geometry *geometry, const cm_placement *placement,
                            cm_error *error);

#endif
