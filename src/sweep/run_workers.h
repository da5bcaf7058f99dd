/* A benchmark that is private to a core, counted by several workers at the same time. */
#ifndef CM_SWEEP_RUN_WORKERS_H
#define CM_SWEEP_RUN_WORKERS_H

#include "sweep/state.h"

/* Runs all planned sets over the kernels of one benchmark and writes their counts. An event of which a worker dies, in
 * which it hangs or that is refused is no longer countable; the others of its set are counted without it. */
cm_status cm_sweep_run_workers(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
