/* The life of a sweep's state. */
#ifndef CM_SWEEP_RUN_SWEEP_H
#define CM_SWEEP_RUN_SWEEP_H

#include "sweep/plan/state.h"

/* cm_sweep with kernels that the registry does not have; `extension` may be NULL. */
cm_status cm_sweep_extended(cm_counting *counting, const cm_sweep_options *options, const cm_sweep_extension *extension,
                            cm_sweep_summary *summary, cm_error *error);

/* All that comes before the first count: benchmarks, events, plans. Release the state also after a failure. */
cm_status cm_sweep_prepare(cm_sweep_state *state, cm_error *error);
void cm_sweep_release(cm_sweep_state *state);

#endif
