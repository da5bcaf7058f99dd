/* Combinations of an event's qualifiers, which PAPI takes but does not list. */
#ifndef CM_SWEEP_PLAN_COMBINE_H
#define CM_SWEEP_PLAN_COMBINE_H

#include <stdint.h>

#include "sweep/plan/select.h"

enum { CM_MOST_COMBINATIONS = 1000000 };

/* Who hears of the combinations, and may end the trying. */
typedef struct cm_combining {
    void (*say)(const char *text, void *data); /* may be NULL */
    bool (*stopped)(void *data);               /* NULL: never */
    void *data;
} cm_combining;

/* Adds to the session every combination of two and more qualifiers that the selection takes and PAPI knows: of each
 * event in its order, each before those that go on with a further qualifier. They are counted before the first is
 * added; how many there are and how long that may take is reported once a few are. CM_BAD_ARGUMENT where they are more
 * than CM_MOST_COMBINATIONS; CM_INTERRUPTED. */
cm_status cm_combine_qualifiers(cm_counting *counting, const cm_selection *selection, const cm_combining *combining,
                                cm_error *error);

#endif
