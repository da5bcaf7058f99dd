/* Places the chains of a benchmark's kernels in the caches of the machine or model. */
#ifndef CM_SWEEP_PLAN_PLACE_CHAINS_H
#define CM_SWEEP_PLAN_PLACE_CHAINS_H

#include "sweep/plan/state.h"

/* Places the benchmark's chains, if it has any, in the caches of the machine or model, and leaves out, with a message,
 * kernels whose chain does not fit. CM_UNSUPPORTED if no kernel is left. */
cm_status cm_sweep_place_chains(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

/* The longest time of a repetition, by the length of its chains, in seconds; 0: no chains. */
double cm_sweep_chain_seconds(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);

/* The number of times a chain is followed before counting. */
unsigned cm_warm_up_passes(const cm_kernel *kernel);

/* The kernel that follows it then: the first of its chain, which does nothing else. */
const cm_kernel *cm_warm_up_kernel(const cm_kernel *kernel);

#endif
