/* Checks that the kernels are of the architecture that the PMU models. */
#ifndef CM_SWEEP_PLAN_FOREIGN_H
#define CM_SWEEP_PLAN_FOREIGN_H

#include <jansson.h>

#include "sweep/plan/state.h"

/* CM_UNSUPPORTED if they are not, unless the options allow it. Programs of a validation follow their sweep. */
cm_status cm_sweep_check_architecture(const cm_sweep_state *state, cm_error *error);
/* The reason why the counts are comparable with no others, a text to be released; NULL: they are comparable, or memory
 * is short. */
json_t *cm_sweep_describe_foreign(const cm_sweep_state *state);

#endif
