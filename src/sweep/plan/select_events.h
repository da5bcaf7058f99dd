/* Selects the session's events that are swept. */
#ifndef CM_SWEEP_PLAN_SELECT_EVENTS_H
#define CM_SWEEP_PLAN_SELECT_EVENTS_H

#include "sweep/plan/state.h"

/* Fills event_count, selected, labels and unknown. CM_BAD_ARGUMENT if a pattern fits nothing or the options leave no
 * event, CM_UNSUPPORTED if none of the events can be counted. */
cm_status cm_sweep_select(cm_sweep_state *state, cm_error *error);

#endif
