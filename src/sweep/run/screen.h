/* Codes are screened before they are swept: each is counted once over short runs of all kernels, and of those that
 * count the same on all of them one is swept, the simplest. */
#ifndef CM_SWEEP_RUN_SCREEN_H
#define CM_SWEEP_RUN_SCREEN_H

#include "sweep/plan/state.h"

/* Where the options ask for codes, whose component is open: screens them all, adds an event for each
 * class of codes that counts anything, tries these, and describes it all in state->screening. The state's benchmarks
 * are placed. Nothing is kept of codes that are refused or count nothing but how many they are. CM_BAD_ARGUMENT for
 * codes that make no sense, CM_UNSUPPORTED where none is counted here. */
cm_status cm_sweep_screen(cm_sweep_state *state, cm_error *error);

#endif
