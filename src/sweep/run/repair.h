/* What fails of a sweep is noted with the event that it comes down to, and the sweep goes on without that. */
#ifndef CM_SWEEP_RUN_REPAIR_H
#define CM_SWEEP_RUN_REPAIR_H

#include "core/team.h"
#include "sweep/plan/state.h"

/* Notes what became of an event to which a lost process, or the failure of one, comes down: says it, and records it. */
cm_status cm_sweep_blame(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                         cm_error *error);

/* Plans all components; what planning finds out about events is noted in the same way. */
cm_status cm_sweep_plan(cm_sweep_state *state, cm_error *error);

#endif
