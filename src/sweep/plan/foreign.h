/* Whether the kernels here are of the architecture whose processor the PMU models. */
#ifndef CM_SWEEP_PLAN_FOREIGN_H
#define CM_SWEEP_PLAN_FOREIGN_H

#include <jansson.h>

#include "sweep/plan/state.h"

/* CM_UNSUPPORTED where they are not, and nobody asked for it anyway. Programs of a validation go by the sweep that they
 * are for. */
cm_status cm_sweep_check_architecture(const cm_sweep_state *state, cm_error *error);
/* Why what is counted is comparable with nothing, to be released; NULL: it is, or memory is short. */
json_t *cm_sweep_describe_foreign(const cm_sweep_state *state);

#endif
