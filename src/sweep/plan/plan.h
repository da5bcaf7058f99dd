/* The planner: packs events into sets as large as the counters allow, by trying. It knows no PAPI: the caller adds
 * events to sets. */
#ifndef CM_SWEEP_PLAN_PLAN_H
#define CM_SWEEP_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#include "sweep/plan/conflicts.h"

/* Events counted at the same time. */
typedef struct cm_planned_set {
    size_t count;
    size_t *events;
} cm_planned_set;

/* The sets of one component, in the order of their runs. Zero-initialised: empty. */
typedef struct cm_plan {
    size_t count, capacity;
    cm_planned_set *sets;
} cm_plan;

/* Tries sets. Functions return CM_OK, CM_UNSUPPORTED to refuse, or an error that ends the planning. */
typedef struct cm_plan_trial {
    void *data;
    cm_status (*begin)(void *data, cm_error *error);             /* an empty set */
    cm_status (*add)(void *data, size_t event, cm_error *error); /* CM_UNSUPPORTED: it does not fit */
    cm_status (*refused)(void *data, size_t event, const char *reason, cm_error *error); /* by an empty set */
    cm_conflicts *conflicts; /* known conflicts are not tried, and new ones are added; NULL: all is tried */
} cm_plan_trial;

/* After so many refusals in a row a set counts as full, so that planning stays linear in the number of events. */
enum { CM_PLAN_REFUSALS = 8 };

/* Appends sets for these events. Events keep their order, except those that a set refused while it took later ones. On
 * failure the plan is unchanged. */
cm_status cm_plan_pack(cm_plan *plan, size_t count, const size_t *events, const cm_plan_trial *trial, cm_error *error);

/* Appends one set; the events are copied. */
cm_status cm_plan_add(cm_plan *plan, size_t count, const size_t *events, cm_error *error);

void cm_plan_clear(cm_plan *plan);

#endif
