/* A batch: one event set of each component, counted side by side over all kernels and repetitions of a benchmark. */
#ifndef CM_SWEEP_RUN_BATCH_H
#define CM_SWEEP_RUN_BATCH_H

#include "cat-kernels/gpu/run.h"
#include "sweep/run/kernel_call.h"
#include "sweep/plan/state.h"
#include "core/team.h"

/* A set of one component while it is run. */
typedef struct cm_active_set {
    size_t component;
    size_t count;      /* events */
    size_t *events;    /* as planned when the batch began */
    cm_event_set *set; /* NULL until opened */
    long long *counts; /* [thread][repetition][kernel][event], shared with a team */
    size_t bytes;      /* of them */
} cm_active_set;

typedef struct cm_batch {
    cm_sweep_state *state;
    cm_sweep_benchmark *benchmark;
    size_t number; /* of the sets in their plans */
    size_t threads;
    size_t active_count;
    cm_active_set *active; /* by component, ascending */
    size_t outside_losses; /* of processes that counted it, to the outside */
    size_t failures;       /* to count it, for reasons of its own */
    double ticks;          /* that the kernel ran which was counted last */
    cm_kernel_call *call;  /* where calls are put down, while one counts it */
    cm_gpu_run *gpu_runs;  /* one a kernel, in the process that counts; NULL: none is loaded */
} cm_batch;

/* Takes the sets with the batch's number from the plans, with room for their counts. */
cm_status cm_batch_begin(cm_batch *batch, cm_error *error);
void cm_batch_end(cm_batch *batch);

/* Makes PAPI's event sets, in the process that counts. */
cm_status cm_batch_open(cm_batch *batch, cm_error *error);
void cm_batch_close(cm_batch *batch);

/* Counts one run of one kernel. */
cm_status cm_batch_count(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_kernel_data *data,
                         cm_error *error);
/* Counts for as long as that kernel just ran, with nothing running: as the kernel that follows it. */
cm_status cm_batch_count_quiet(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_kernel_data *data,
                               cm_error *error);
/* Runs a kernel in the same way without counting, for `iterations`. */
cm_status cm_batch_warm_up(cm_batch *batch, const cm_kernel *kernel, uint64_t iterations, cm_kernel_data *data,
                           cm_error *error);

/* All repetitions of all kernels, as the work of a team's member, `data` being the batch: of a team of one, or of one
 * with chains. */
cm_status cm_batch_work_alone(cm_team_member *member, void *data, cm_error *error);
cm_status cm_batch_work_together(cm_team_member *member, void *data, cm_error *error);

/* The job of a team that counts the batch, without timeout and watch; a team of one is not bound. */
cm_team_job cm_batch_job(cm_batch *batch);

/* Whether it holds a single event. */
bool cm_batch_is_alone(const cm_batch *batch);

/* After a team was lost with the batch, or could not count it: puts it behind all that is planned, in two parts; what
 * is alone is to blame and is no longer countable, if the kernels run without it. Sets of several components are split
 * from each other first. */
cm_status cm_batch_bisect(cm_batch *batch, const cm_team_loss *loss, const cm_error *failure, cm_error *error);

/* Puts the counts into the journal. CM_UNSUPPORTED, and none of them, where one of them is none. */
cm_status cm_batch_write(cm_batch *batch, cm_error *error);

#endif
