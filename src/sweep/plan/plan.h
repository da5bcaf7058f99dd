/* The planner: packs events into sets as large as the counters allow, which is found by trying. It knows no PAPI: who
 * calls it says what a set takes. */
#ifndef CM_SWEEP_PLAN_PLAN_H
#define CM_SWEEP_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#include "sweep/plan/conflicts.h"

/* Events that are counted at the same time. */
typedef struct cm_planned_set {
    size_t count;
    size_t *events;
} cm_planned_set;

/* The sets of one component, in the order in which they are run. Zero-initialised: empty. */
typedef struct cm_plan {
    size_t count, capacity;
    cm_planned_set *sets;
} cm_plan;

/* How sets are tried. Functions return CM_OK, CM_UNSUPPORTED for "not this one", or an error that ends the planning. */
typedef struct cm_plan_trial {
    void *data;
    cm_status (*begin)(void *data, cm_error *error);                                     /* an empty set */
    cm_status (*add)(void *data, size_t event, cm_error *error);                         /* CM_UNSUPPORTED: no room */
    cm_status (*refused)(void *data, size_t event, const char *reason, cm_error *error); /* by an empty set */
    cm_conflicts *conflicts; /* what they hold is not tried, and they learn what is refused; NULL: all is tried */
} cm_plan_trial;

/* After so many refusals in a row a set is taken to be full, so that planning stays linear in the events. */
enum { CM_PLAN_REFUSALS = 8 };

/* Appends sets for these events. Events keep their order, but for those that a set refused while it
 * took later ones. On failure the plan is as it was. */
cm_status cm_plan_pack(cm_plan *plan, size_t count, const size_t *events, const cm_plan_trial *trial, cm_error *error);

/* Appends one set; the events are copied. */
cm_status cm_plan_add(cm_plan *plan, size_t count, const size_t *events, cm_error *error);

void cm_plan_clear(cm_plan *plan);

#endif
