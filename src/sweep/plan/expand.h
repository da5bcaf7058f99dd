/* Events that PAPI does not list: combinations of qualifiers, and names that it knows. */
#ifndef CM_SWEEP_PLAN_EXPAND_H
#define CM_SWEEP_PLAN_EXPAND_H

#include "sweep/plan/combine.h"

/* Adds to the session, and tries, every event that the selection names and that the session lacks: exact names, and all
 * combinations of qualifiers up to what is asked for. Events are noted in the selection. Errors as for
 * cm_combine_qualifiers. */
cm_status cm_expand_events(cm_counting *counting, cm_selection *selection, const cm_combining *combining,
                           cm_error *error);

#endif
