/* Prepares the session for codes. */
#ifndef CM_SWEEP_RUN_OPEN_CODES_H
#define CM_SWEEP_RUN_OPEN_CODES_H

#include "sweep/plan/state.h"

/* If the options ask for codes, or name events by code: opens the session's component of codes, and binds this process
 * to the cores that their device counts. CM_BAD_ARGUMENT if they are of several devices, since no core counts for two;
 * CM_UNSUPPORTED if none can be counted here. */
cm_status cm_sweep_open_codes(cm_sweep_state *state, cm_error *error);

#endif
