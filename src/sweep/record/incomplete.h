/* Sweeps that end early, and their results. */
#ifndef CM_SWEEP_RECORD_INCOMPLETE_H
#define CM_SWEEP_RECORD_INCOMPLETE_H

#include <jansson.h>

#include "sweep/plan/state.h"

/* Makes the counts so far the result, if the options allow an early end. CM_INTERRUPTED if they do not, if nothing was
 * counted, or if the directory has a complete result, which stays. */
cm_status cm_sweep_end_early(cm_sweep_state *state, cm_error *error);

/* The benchmarks that lack events, each `{"benchmark", "counted", "of"}`. NULL without memory. */
json_t *cm_sweep_describe_incomplete(const cm_sweep_state *state);

#endif
