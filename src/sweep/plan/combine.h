/* Combinations of an event's qualifiers, which PAPI knows but does not list. */
#ifndef CM_SWEEP_PLAN_COMBINE_H
#define CM_SWEEP_PLAN_COMBINE_H

#include <stdint.h>

#include "sweep/plan/select.h"

enum { CM_MOST_COMBINATIONS = 1000000 };

/* Reports progress, and may stop the search. */
typedef struct cm_combining {
    void (*say)(const char *text, void *data); /* may be NULL */
    bool (*stopped)(void *data);               /* NULL: never */
    void *data;
} cm_combining;

/* Adds to the session every combination of at least two qualifiers that the selection takes and PAPI knows: event by
 * event, each combination before those that extend it. They are counted first, and their number and expected time are
 * reported once a few have been tried. CM_BAD_ARGUMENT if there are more than CM_MOST_COMBINATIONS; CM_INTERRUPTED. */
cm_status cm_combine_qualifiers(cm_counting *counting, const cm_selection *selection, const cm_combining *combining,
                                cm_error *error);

#endif
