/* The runs of a sweep: kernels counted in batches by processes, and failures of events recorded. */
#ifndef CM_SWEEP_RUN_RUN_H
#define CM_SWEEP_RUN_RUN_H

#include "cat-kernels/gpu/run.h"
#include "sweep/plan/plan.h"
#include "sweep/record/record.h"

/* ---- chase.c: the memory of a chain, of pointers or of code ---- */

/* Steps over huge pages of zeros: their start, the distance, and the extent after which it begins again. */
typedef struct cm_steps {
    const char *start;
    uint64_t stride, extent;
} cm_steps;

/* Memory for chains: in pages of the system's choice, or in small pages alone. */
typedef struct cm_chase_area {
    char *buffer;
    size_t size;   /* bytes of the buffer, whole pages */
    char *mapping; /* the mapping that holds it */
    size_t mapped; /* bytes of the mapping */
} cm_chase_area;

typedef struct cm_chase {
    void *chain;     /* the last one built, for cm_kernel_data */
    void *scratch;   /* a page, aligned as the buffers are, for a run's accesses beside the chain */
    uint32_t *order; /* memory for building chains */
    cm_chase_area lines, pages;
    cm_huge_pages huge, zeros;
    cm_software_pmu *pmu; /* learns which pages are huge; NULL: none */
} cm_chase;

/* Allocates memory for any of `count` chains (those without a stride are none). Its pages are mapped when this returns:
 * CM_UNSUPPORTED if some should be huge and are not. `pmu` must live as long; NULL: none. Free with cm_chase_close,
 * also after a failure. */
cm_status cm_chase_open(cm_chase *chase, const cm_placement *placements, size_t count, cm_software_pmu *pmu,
                        cm_error *error);
void cm_chase_close(cm_chase *chase);

/* Builds a chain; code may be executed afterwards: CM_UNSUPPORTED if the system forbids that. */
cm_status cm_chase_build(cm_chase *chase, const cm_placement *placement, uint64_t seed, cm_error *error);

/* ---- screen_chunk.c: counts a chunk of codes over short runs of all kernels, in a forked process ---- */

/* Codes a chunk: with a file for each, no more than most systems allow a process; models need no files. */
enum { CM_SCREEN_CHUNK = 512, CM_SCREEN_CHUNK_OF_MODELS = 8192 };

typedef enum cm_screen_outcome {
    CM_SCREEN_UNKNOWN, /* not yet counted */
    CM_SCREEN_EXCLUDED,
    CM_SCREEN_REFUSED,
    CM_SCREEN_CRASHED, /* or hung */
    CM_SCREEN_SILENT,  /* counted nothing */
    CM_SCREEN_COUNTED,
} cm_screen_outcome;

typedef struct cm_screened {
    cm_raw_code code;
    cm_screen_outcome outcome;
    uint64_t sums[2]; /* two checksums of its counts on all kernels */
} cm_screened;

typedef struct cm_screen_chunk {
    cm_sweep_state *state;
    size_t count;
    cm_screened *codes; /* in memory shared with the process */
} cm_screen_chunk;

/* Fills all outcomes that are unknown. Codes that end the process are found by halves. */
cm_status cm_screen_chunk_count(cm_screen_chunk *chunk, cm_error *error);

/* ---- screen_file.c ---- */

/* The outcomes of a screening, on the disk as soon as a chunk is done: a resumed sweep continues behind it and finds
 * the same classes, which hardware counts need not give twice.
 *
 * The file `screening` in the sweep's directory, locked while it is open: a line that identifies the screening, then
 * records. Text behind the last complete record was torn off, and is dropped. */

typedef struct cm_screen_file cm_screen_file;

/* Opens the file in the sweep's directory. It is emptied unless the sweep is resumed with the same screening. CM_IO if
 * another file of that name exists. */
cm_status cm_screen_file_open(const cm_sweep_state *state, cm_screen_file **file, cm_error *error);
/* Whether the next record is of this chunk, whose first code has number `first`; then fills its outcomes. */
bool cm_screen_file_take(cm_screen_file *file, uint64_t first, cm_screen_chunk *chunk);
cm_status cm_screen_file_add(cm_screen_file *file, uint64_t first, const cm_screen_chunk *chunk, cm_error *error);
/* NULL: no operation. */
void cm_screen_file_close(cm_screen_file *file);

/* Whether the directory has such a file. */
bool cm_screen_file_is_there(const char *directory);
/* Removes the file of a complete sweep. */
void cm_screen_file_remove(const char *directory);

/* ---- kernel_call.c: a kernel with its arguments, as code that the PMU runs ---- */

typedef struct cm_kernel_call {
    void (*body)(uint64_t iterations, cm_kernel_data *data); /* the kernel's */
    uint64_t iterations;
    cm_kernel_data *data;
} cm_kernel_call;

/* Runs the kernel; `call` is a cm_kernel_call. The few instructions of this function are counted with the kernel. */
void cm_kernel_call_run(void *call);

/* ---- batch.c ---- */

/* A batch: one event set of each component, counted side by side over all kernels and repetitions of a benchmark. */

/* A set of one component in a batch. */
typedef struct cm_active_set {
    size_t component;
    size_t count;      /* events */
    size_t *events;    /* as planned when the batch began */
    cm_event_set *set; /* NULL unless open */
    long long *counts; /* [thread][repetition][kernel][event], shared with a team */
    size_t bytes;      /* size of `counts` */
} cm_active_set;

typedef struct cm_replay cm_replay;

typedef struct cm_batch {
    cm_sweep_state *state;
    cm_sweep_benchmark *benchmark;
    size_t number; /* the index of its sets in their plans */
    size_t threads, active_count;
    cm_active_set *active; /* in the order of components */
    size_t outside_losses; /* processes that were lost to the outside */
    size_t failures;       /* failures to count it, for reasons of its own */
    double ticks;          /* duration of the last kernel counted */
    cm_kernel_call *call;  /* the current call, while a process counts */
    cm_replay *replay;     /* keeps the facts of its runs, or has them; NULL: neither */
    cm_gpu_run *gpu_runs;  /* one a kernel, in the process that counts; NULL: none loaded */
    cm_chase chase;        /* of a worker that counts kernels on chains; opened by the first */
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
/* Counts a run whose facts another batch has kept. */
cm_status cm_batch_replay(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_error *error);
/* Counts while nothing runs, as long as the kernel before; the counts are those of the quiet kernel behind it. */
cm_status cm_batch_count_quiet(cm_batch *batch, size_t thread, size_t repetition, size_t kernel, cm_kernel_data *data,
                               cm_error *error);
/* Runs a kernel in the same way for `iterations`, without counting. */
cm_status cm_batch_warm_up(cm_batch *batch, const cm_kernel *kernel, uint64_t iterations, cm_kernel_data *data,
                           cm_error *error);

/* Counts all repetitions of all kernels, as the work of the only member of a team; `data` is the batch. */
cm_status cm_batch_work_alone(cm_team_member *member, void *data, cm_error *error);

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

/* ---- open_codes.c: prepares the session for codes ---- */

/* If the options ask for codes, or name events by code: opens the session's component of codes, and binds this process
 * to the cores that their device counts. CM_BAD_ARGUMENT if they are of several devices, since no core counts for two;
 * CM_UNSUPPORTED if none can be counted here. */
cm_status cm_sweep_open_codes(cm_sweep_state *state, cm_error *error);

/* ---- open_uncore.c: prepares the session for events that count for a whole socket ---- */

/* If the options ask for such events: opens the session's component of them, with those that the options name by code.
 * CM_UNSUPPORTED with the reason if none can be counted here, CM_BAD_ARGUMENT if the options ask for codes or threads,
 * too. */
cm_status cm_sweep_open_uncore(cm_sweep_state *state, cm_error *error);

/* ---- quiet_time.c: idles for a given time, to count the load of the rest of a socket ---- */

/* Runs the body of `call`, that of a quiet kernel, until so many ticks of cm_counting_ticks have passed; *took: the
 * actual ticks. */
CM_SHARED cm_status cm_quiet_time(cm_counting *counting, cm_kernel_call *call, double ticks, double *took,
                                  cm_error *error);

/* Whether the time was as long as intended, or this attempt (from 1) is the last: an interrupted one is repeated. */
CM_SHARED bool cm_quiet_was_enough(double ticks, double took, size_t attempt);

/* ---- repair.c: records failures with the event that causes them; the sweep continues without it ---- */

/* Records, with a message, that an event failed: a process was lost, or failed, because of it. */
cm_status cm_sweep_blame(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                         cm_error *error);

/* Plans all components; failing events are recorded in the same way. */
cm_status cm_sweep_plan(cm_sweep_state *state, cm_error *error);

/* ---- replay.c: runs that the software PMU steps once for all batches ---- */

/* false: every batch steps its kernels, because hardware counts, for one. */
bool cm_replay_is_possible(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
/* NULL: it is not possible, or without memory. */
cm_replay *cm_replay_create(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
/* NULL: no operation. */
void cm_replay_free(cm_replay *replay);

/* Whether another batch keeps the facts just now that this one can count. */
bool cm_replay_waits(const cm_replay *replay, const cm_batch *batch);
/* Before a team counts the batch, and behind it: `counted` says whether it counted all runs. */
void cm_replay_begin(cm_replay *replay, cm_batch *batch);
void cm_replay_end(cm_replay *replay, const cm_batch *batch, bool counted);

/* Whether the batch counts facts that another has kept. */
bool cm_replay_is_complete(const cm_batch *batch);
/* Keeps the facts of a run that was just stepped. */
void cm_replay_keep(const cm_batch *batch, size_t run);
/* Counts the facts of a run as if it were stepped. */
void cm_replay_run(const cm_batch *batch, size_t run);

/* ---- screen.c ---- */

/* Screens codes before they are swept: each is counted once over short runs of all kernels; of codes with the same
 * counts on all of them only one is swept, the simplest. */

/* If the options ask for codes, whose component is open: screens them all, adds and tries an event for each class of
 * codes that counts anything, and describes the result in state->screening. The state's benchmarks are placed. Of codes
 * that are refused or count nothing only the number is kept. CM_BAD_ARGUMENT for wrong codes, CM_UNSUPPORTED if none
 * can be counted here. */
cm_status cm_sweep_screen(cm_sweep_state *state, cm_error *error);

/* ---- sweep.c: begins and ends a sweep's state ---- */

/* Sweeps with kernels outside the registry; `extension` may be NULL. */
cm_status cm_sweep_extended(cm_counting *counting, const cm_sweep_options *options, const cm_sweep_extension *extension,
                            cm_sweep_summary *summary, cm_error *error);

/* Does everything before the first count: benchmarks, events, plans. Release the state also after a failure. */
cm_status cm_sweep_prepare(cm_sweep_state *state, cm_error *error);
void cm_sweep_release(cm_sweep_state *state);

/* ---- time_pass.c: times the kernels of a benchmark without counting ---- */

/* Seconds of one pass over all kernels, and of the longest time in it without a sign of life; measured in separate
 * processes, which do not change the caller's models. `longest_gap` may be NULL. */
cm_status cm_time_pass(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, double *pass, double *longest_gap,
                       cm_error *error);

/* ---- worker_pool.c ---- */

/* Counts a benchmark in forked processes: by workers, several batches at the same time, or by a team, batch after
 * batch. */

/* Runs all planned sets over the kernels of one benchmark and writes their counts. An event that kills a process, makes
 * it hang, or is refused is no longer countable; the others of its set are counted without it. */
cm_status cm_worker_pool_run(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
