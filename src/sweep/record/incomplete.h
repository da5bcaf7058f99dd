/* A sweep that is ended before all is counted, and what it leaves as its result. */
#ifndef CM_SWEEP_RECORD_INCOMPLETE_H
#define CM_SWEEP_RECORD_INCOMPLETE_H

#include <jansson.h>

#include "sweep/plan/state.h"

/* What was counted is all from here on, where the sweep was told that it is enough. CM_INTERRUPTED where it was not,
 * where nothing was counted, and where the directory holds a complete result, which stays. */
cm_status cm_sweep_end_early(cm_sweep_state *state, cm_error *error);

/* Which benchmarks lack events, `{"benchmark", "counted", "of"}` each. NULL where memory is short. */
json_t *cm_sweep_describe_incomplete(const cm_sweep_state *state);

#endif
