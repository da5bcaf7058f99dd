/* The identity of a sweep, from a manifest or from a running sweep, as an object that record/compatible.h compares. */
#ifndef CM_SWEEP_RECORD_IDENTITY_H
#define CM_SWEEP_RECORD_IDENTITY_H

#include <jansson.h>

#include "sweep/plan/state.h"

/* The members of a manifest that are compared, as an object of its own; NULL without memory. */
json_t *cm_sweep_identity(const json_t *manifest);
/* The part that the user asked for, without that of the machine and its software; NULL without memory. */
json_t *cm_sweep_request(const json_t *manifest);
/* The part that tables of several sweeps must share to be analysed together; NULL without memory. */
json_t *cm_sweep_ground(const json_t *manifest);
/* The identity of a running sweep, for its journal, with its shard, events and limits. NULL without memory. */
json_t *cm_sweep_describe_identity(const cm_sweep_state *state);

#endif
