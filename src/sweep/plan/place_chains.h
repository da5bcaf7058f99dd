/* Chains of a benchmark's kernels, placed in the caches of the machine or model that counts. */
#ifndef CM_SWEEP_PLAN_PLACE_CHAINS_H
#define CM_SWEEP_PLAN_PLACE_CHAINS_H

#include "sweep/plan/state.h"

/* Gives the benchmark's chains, if it has any, their placements on the machine or model that counts, and leaves out
 * those that find none, with a message. CM_UNSUPPORTED where no kernel is left. */
cm_status cm_sweep_place_chains(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

/* Seconds that a repetition of the benchmark may take by the length of its chains; 0: it has none. */
double cm_sweep_chain_seconds(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);

/* How often a chain is followed before anything is counted. */
unsigned cm_warm_up_passes(const cm_kernel *kernel);

/* Who follows it then: the kernel that does nothing else, the first of its chain. */
const cm_kernel *cm_warm_up_kernel(const cm_kernel *kernel);

#endif
