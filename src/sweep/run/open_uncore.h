/* Prepares the session for events that count for a whole socket. */
#ifndef CM_SWEEP_RUN_OPEN_UNCORE_H
#define CM_SWEEP_RUN_OPEN_UNCORE_H

#include "sweep/plan/state.h"

/* If the options ask for such events: opens the session's component of them, with those that the options name by code.
 * CM_UNSUPPORTED with the reason if none can be counted here, CM_BAD_ARGUMENT if the options ask for codes or threads,
 * too. */
cm_status cm_sweep_open_uncore(cm_sweep_state *state, cm_error *error);

#endif
