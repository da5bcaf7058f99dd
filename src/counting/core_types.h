/* Chooses the type of cores of a session. */
#ifndef CM_COUNTING_CORE_TYPES_H
#define CM_COUNTING_CORE_TYPES_H

#include "counting/session.h"

/* Stores the chosen type in the session, and binds the calling thread to its processors. CM_BAD_ARGUMENT if no type has
 * that name. */
cm_status cm_core_choose(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error);
void cm_core_release(cm_counting *counting);

/* Makes the hardware's events of other types of cores uncountable. */
cm_status cm_core_set_others_aside(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error);

#endif
