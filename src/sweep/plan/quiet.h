/* Quiet kernels: for events of a whole socket, each kernel is followed by an idle one of the same duration. It counts
 * the load of the rest of the machine, which is subtracted. */
#ifndef CM_SWEEP_PLAN_QUIET_H
#define CM_SWEEP_PLAN_QUIET_H

#include "sweep/plan/benchmark.h"

/* Adds one behind each kernel of the benchmark. CM_BAD_ARGUMENT if no kernel of it misses the caches. */
cm_status cm_quiet_kernels_add(cm_sweep_benchmark *benchmark, cm_error *error);
void cm_quiet_kernels_clear(cm_sweep_benchmark *benchmark);

/* The body of each: a loop that touches no memory. */
void cm_quiet_body(uint64_t turns, cm_kernel_data *data);

/* Whether the kernel with this number is a quiet one. */
bool cm_is_quiet(const cm_sweep_benchmark *benchmark, size_t kernel);

#endif
