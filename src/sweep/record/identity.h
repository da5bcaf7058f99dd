/* What makes a sweep this one, of a manifest or of a sweep under way, as an object that record/compatible.h compares.
 */
#ifndef CM_SWEEP_RECORD_IDENTITY_H
#define CM_SWEEP_RECORD_IDENTITY_H

#include <jansson.h>

#include "sweep/plan/state.h"

/* What of a manifest is compared, as an object of its own; NULL without memory. */
json_t *cm_sweep_identity(const json_t *manifest);
/* What of it was asked for, without what the machine and its software made of it; NULL without memory. */
json_t *cm_sweep_request(const json_t *manifest);
/* What of it tables of several sweeps must have in common to be analysed together; NULL without memory. */
json_t *cm_sweep_ground(const json_t *manifest);
/* The identity of a sweep under way, for its journal: its shard, its events and its limits too. NULL without memory. */
json_t *cm_sweep_describe_identity(const cm_sweep_state *state);

#endif
