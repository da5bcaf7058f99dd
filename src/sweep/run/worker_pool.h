/* A benchmark counted by processes of its own: by workers, several batches at the same time, or batch after batch by a
 * team. */
#ifndef CM_SWEEP_RUN_WORKER_POOL_H
#define CM_SWEEP_RUN_WORKER_POOL_H

#include "sweep/plan/state.h"

/* Runs all planned sets over the kernels of one benchmark and writes their counts. An event of which a process dies, in
 * which it hangs or that is refused is no longer countable; the others of its set are counted without it. */
cm_status cm_worker_pool_run(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
