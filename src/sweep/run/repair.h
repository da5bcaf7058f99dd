/* Records failures with the event that causes them; the sweep continues without it. */
#ifndef CM_SWEEP_RUN_REPAIR_H
#define CM_SWEEP_RUN_REPAIR_H

#include "core/team.h"
#include "sweep/plan/state.h"

/* Records, with a message, that an event failed: a process was lost, or failed, because of it. */
cm_status cm_sweep_blame(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                         cm_error *error);

/* Plans all components; failing events are recorded in the same way. */
cm_status cm_sweep_plan(cm_sweep_state *state, cm_error *error);

#endif
