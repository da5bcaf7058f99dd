/* What refused together, so that it is not tried again: a set of events that refuses another one, or a group that could
 * not be counted at the same time, does so in any company. Every function but cm_conflicts_create accepts NULL, and
 * then remembers nothing. */
#ifndef CM_SWEEP_PLAN_CONFLICTS_H
#define CM_SWEEP_PLAN_CONFLICTS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_conflicts cm_conflicts;

/* For events below `events`. */
cm_status cm_conflicts_create(size_t events, cm_conflicts **conflicts, cm_error *error);
void cm_conflicts_free(cm_conflicts *conflicts);

/* Remembers a group of which every part may do, but not the whole; fewer than two events are none. No set is being
 * filled afterwards. */
cm_status cm_conflicts_remember(cm_conflicts *conflicts, size_t count, const size_t *events, cm_error *error);

/* What is remembered up to here. */
typedef struct cm_conflicts_mark {
    size_t records, members, refused;
} cm_conflicts_mark;

cm_conflicts_mark cm_conflicts_now(const cm_conflicts *conflicts);
/* Forgets what was learned since. No set is being filled afterwards. */
void cm_conflicts_forget(cm_conflicts *conflicts, cm_conflicts_mark mark);

/* The set that is being filled: empty, has taken an event, has refused one. */
void cm_conflicts_begin(cm_conflicts *conflicts);
cm_status cm_conflicts_take(cm_conflicts *conflicts, size_t event, cm_error *error);
cm_status cm_conflicts_refuse(cm_conflicts *conflicts, size_t event, cm_error *error);
/* Whether it is remembered that this set refuses the event. */
bool cm_conflicts_known(const cm_conflicts *conflicts, size_t event);

#endif
