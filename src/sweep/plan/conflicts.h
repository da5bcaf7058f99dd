/* Remembers conflicts, so that they are not tried again: a set of events that refuses another event, or a group that
 * cannot be counted at the same time, does so with any further events, too. Every function but cm_conflicts_create
 * accepts NULL, and then remembers nothing. */
#ifndef CM_SWEEP_PLAN_CONFLICTS_H
#define CM_SWEEP_PLAN_CONFLICTS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_conflicts cm_conflicts;

/* For events with indices below `events`. */
cm_status cm_conflicts_create(size_t events, cm_conflicts **conflicts, cm_error *error);
void cm_conflicts_free(cm_conflicts *conflicts);

/* Remembers a group that cannot be counted together, though parts of it may; fewer than two events are ignored. Ends
 * the current set. */
cm_status cm_conflicts_remember(cm_conflicts *conflicts, size_t count, const size_t *events, cm_error *error);

/* The conflicts known at a time. */
typedef struct cm_conflicts_mark {
    size_t records, members, refused;
} cm_conflicts_mark;

cm_conflicts_mark cm_conflicts_now(const cm_conflicts *conflicts);
/* Forgets conflicts learned since `mark`. Ends the current set. */
void cm_conflicts_forget(cm_conflicts *conflicts, cm_conflicts_mark mark);

/* The current set: begins empty, takes an event, refuses an event. */
void cm_conflicts_begin(cm_conflicts *conflicts);
cm_status cm_conflicts_take(cm_conflicts *conflicts, size_t event, cm_error *error);
cm_status cm_conflicts_refuse(cm_conflicts *conflicts, size_t event, cm_error *error);
/* Whether the current set is known to refuse the event. */
bool cm_conflicts_known(const cm_conflicts *conflicts, size_t event);

#endif
