/* Events that PAPI knows but does not list: combinations of qualifiers, and exact names. */
#ifndef CM_SWEEP_PLAN_EXPAND_H
#define CM_SWEEP_PLAN_EXPAND_H

#include "sweep/plan/combine.h"

/* Adds to the session, and tries, every event that the selection names and the session lacks: exact names, and all
 * combinations of up to the number of qualifiers asked for. The selection notes them. Errors as for
 * cm_combine_qualifiers. */
cm_status cm_expand_events(cm_counting *counting, cm_selection *selection, const cm_combining *combining,
                           cm_error *error);

#endif
