/* Begins and ends a sweep's state. */
#ifndef CM_SWEEP_RUN_SWEEP_H
#define CM_SWEEP_RUN_SWEEP_H

#include "sweep/plan/state.h"

/* Sweeps with kernels outside the registry; `extension` may be NULL. */
cm_status cm_sweep_extended(cm_counting *counting, const cm_sweep_options *options, const cm_sweep_extension *extension,
                            cm_sweep_summary *summary, cm_error *error);

/* Does everything before the first count: benchmarks, events, plans. Release the state also after a failure. */
cm_status cm_sweep_prepare(cm_sweep_state *state, cm_error *error);
void cm_sweep_release(cm_sweep_state *state);

#endif
