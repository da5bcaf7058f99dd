/* Counts a benchmark in forked processes: by workers, several batches at the same time, or by a team, batch after
 * batch. */
#ifndef CM_SWEEP_RUN_WORKER_POOL_H
#define CM_SWEEP_RUN_WORKER_POOL_H

#include "sweep/plan/state.h"

/* Runs all planned sets over the kernels of one benchmark and writes their counts. An event that kills a process, makes
 * it hang, or is refused is no longer countable; the others of its set are counted without it. */
cm_status cm_worker_pool_run(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
