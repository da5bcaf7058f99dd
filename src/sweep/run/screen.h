/* Screens codes before they are swept: each is counted once over short runs of all kernels; of codes with the same
 * counts on all of them only one is swept, the simplest. */
#ifndef CM_SWEEP_RUN_SCREEN_H
#define CM_SWEEP_RUN_SCREEN_H

#include "sweep/plan/state.h"

/* If the options ask for codes, whose component is open: screens them all, adds and tries an event for each class of
 * codes that counts anything, and describes the result in state->screening. The state's benchmarks are placed. Of codes
 * that are refused or count nothing only the number is kept. CM_BAD_ARGUMENT for wrong codes, CM_UNSUPPORTED if none
 * can be counted here. */
cm_status cm_sweep_screen(cm_sweep_state *state, cm_error *error);

#endif
