/* Where events count for a whole socket, each kernel is followed by nothing that takes as long: what the rest of the
 * machine makes the events count is seen there, and is taken off. */
#ifndef CM_SWEEP_PLAN_QUIET_H
#define CM_SWEEP_PLAN_QUIET_H

#include "sweep/plan/benchmark.h"

/* Puts one behind each kernel of the benchmark. CM_BAD_ARGUMENT where no kernel of it leaves the caches. */
cm_status cm_quiet_kernels_add(cm_sweep_benchmark *benchmark, cm_error *error);
void cm_quiet_kernels_clear(cm_sweep_benchmark *benchmark);

/* The body of each: turns of a loop that touches no memory. */
void cm_quiet_body(uint64_t turns, cm_kernel_data *data);

/* Whether the kernel with this number is one of them. */
bool cm_is_quiet(const cm_sweep_benchmark *benchmark, size_t kernel);

#endif
