/* What a sweep of codes needs before anything else. */
#ifndef CM_SWEEP_RUN_OPEN_CODES_H
#define CM_SWEEP_RUN_OPEN_CODES_H

#include "sweep/plan/state.h"

/* Where the options ask for codes, or name events by code: opens the session's component of them, and leaves this
 * process the cores that their device counts on. CM_BAD_ARGUMENT where they are of several devices, since no core
 * counts for two; CM_UNSUPPORTED where none is counted here. */
cm_status cm_sweep_open_codes(cm_sweep_state *state, cm_error *error);

#endif
