/* A batch: one event set of each component, counted side by side over all kernels and repetitions of a benchmark. */
#ifndef CM_SWEEP_RUN_BATCH_H
#define CM_SWEEP_RUN_BATCH_H

#include "cat-kernels/gpu/run.h"
#include "sweep/run/kernel_call.h"
#include "sweep/plan/state.h"
#include "core/team.h"

/* A set of one component in a batch. */
typedef struct cm_active_set {
    size_t component;
    size_t count;      /* events */
    size_t *events;    /* as planned when the batch began */
    cm_event_set *set; /* NULL unless open */
    long long *counts; /* [thread][repetition][kernel][event], shared with a team */
    size_t bytes;      /* size of `counts` */
} cm_active_set;

typedef struct cm_batch {
    cm_sweep_state *state;
    cm_sweep_benchmark *benchmark;
    size_t number; /* the index of its sets in their plans */
    size_t threads;
    size_t active_count;
    cm_active_set *active; /* in the order of components */
    size_t outside_losses; /* processes that were lost to the outside */
    size_t failures;       /* failures to count it, for reasons of its own */
    double ticks;          /* duration of the last kernel counted */
    cm_kernel_call *call;  /* the current call, while a process counts */
    cm_gpu_run *gpu_runs;  /* one a kernel, in the process that counts; NULL: none loaded */
} cm_batch;

/* Takes the sets with the batch's number from the plans, with space for their counts. */
cm_status cm_batch_begin(cm_batch *batch, cm_error *error);
void cm_batch_end(cm_batch *batch);

/* Makes PAPI's event sets; called in the process that counts. */
cm_status cm_batch_open(cm_batch *batch, cm_error *error);
void cm_batch_close(cm_batch *batch);

/* Counts one run of one kernel. */
cm_status cm_batch_count(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_kernel_data *data,
                         cm_error *error);
/* Counts while nothing runs, for the duration of the kernel before; the counts are those of the quiet kernel behind
 * it. */
cm_status cm_batch_count_quiet(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_kernel_data *data,
                               cm_error *error);
/* Runs a kernel in the same way for `iterations`, without counting. */
cm_status cm_batch_warm_up(cm_batch *batch, const cm_kernel *kernel, uint64_t iterations, cm_kernel_data *data,
                           cm_error *error);

/* Counts all repetitions of all kernels, as the work of a team's member; `data` is the batch. Alone: a team of one;
 * together: a team on chains. */
cm_status cm_batch_work_alone(cm_team_member *member, void *data, cm_error *error);
cm_status cm_batch_work_together(cm_team_member *member, void *data, cm_error *error);

/* The job of a team that counts the batch, without timeout and watch; a team of one is not bound. */
cm_team_job cm_batch_job(cm_batch *batch);

/* Whether the batch has a single event. */
bool cm_batch_is_alone(const cm_batch *batch);

/* After a team with the batch was lost, or could not count it: plans it again at the end, in two halves. A single event
 * is given up and no longer countable, if the kernels run without it. Sets of several components are separated
 * first. */
cm_status cm_batch_bisect(cm_batch *batch, const cm_team_loss *loss, const cm_error *failure, cm_error *error);

/* Writes the counts into the journal. CM_UNSUPPORTED, and nothing written, if one of them is no count. */
cm_status cm_batch_write(cm_batch *batch, cm_error *error);

#endif
