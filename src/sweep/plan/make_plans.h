/* Makes the plans of all components, by trying. */
#ifndef CM_SWEEP_PLAN_MAKE_PLANS_H
#define CM_SWEEP_PLAN_MAKE_PLANS_H

#include "core/team.h"
#include "sweep/plan/state.h"

/* Receives the findings about events. */
typedef struct cm_plan_findings {
    /* A process was lost, or failed, because of this event: it is no longer countable afterwards. */
    cm_status (*blame)(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                       cm_error *error);
    /* A set cannot be counted, though its parts may be: it is among the state's conflicts afterwards. */
    cm_status (*remember)(cm_sweep_state *state, size_t count, const size_t *events, cm_error *error);
} cm_plan_findings;

/* Plans all components: fills state->plans. Events that an empty set refuses are no longer countable. */
cm_status cm_sweep_make_plans(cm_sweep_state *state, const cm_plan_findings *findings, cm_error *error);

#endif
