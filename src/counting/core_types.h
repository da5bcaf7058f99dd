/* The types of cores that a session can be for. */
#ifndef CM_COUNTING_CORE_TYPES_H
#define CM_COUNTING_CORE_TYPES_H

#include "counting/session.h"

/* Notes the chosen type in the session, and binds the calling thread to its processors. CM_BAD_ARGUMENT where there is
 * none of that name. */
cm_status cm_core_choose(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error);
void cm_core_release(cm_counting *counting);

/* Of the hardware's events, those of other types of cores are not countable from here on. */
cm_status cm_core_set_others_aside(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error);

#endif
