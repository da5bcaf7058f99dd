/* What the parts of a sweep share while it runs. */
#ifndef CM_SWEEP_PLAN_STATE_H
#define CM_SWEEP_PLAN_STATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include <catmint/kernels.h>
#include <catmint/sweep.h>
#include <catmint/tables.h>

#include "core/team.h"
#include "sweep/plan/cores.h"
#include "sweep/plan/labels.h"
#include "sweep/plan/pace.h"
#include "sweep/plan/placement.h"
#include "sweep/plan/plan.h"

typedef struct cm_journal cm_journal; /* sweep/record/journal.h */

/* A kernel that is not run. */
typedef struct cm_left_out {
    const cm_kernel *kernel;
    char reason[256]; /* "" for lack of an instruction set */
} cm_left_out;

/* A benchmark's kernels, split into those that run here and those that cannot. */
typedef struct cm_sweep_benchmark {
    const char *name;
    size_t kernel_count;
    const cm_kernel **kernels;
    double *iterations;       /* one a kernel that runs, under the PMU that counts */
    cm_placement *placements; /* likewise, of its chain if it has one */
    size_t threads;           /* processes that run the kernels at the same time; 0: each by itself */
    size_t left_out_count;
    cm_left_out *left_out;
    cm_measurements_writer *writer;
    long *kept; /* one an event of the session: where the journal holds its counts, 0: not counted yet */
    cm_kernel_data data;
} cm_sweep_benchmark;

typedef struct cm_sweep_state {
    cm_counting *counting;
    const cm_sweep_options *options;
    size_t event_count;       /* the session's */
    bool *selected;           /* one an event of the session */
    cm_labels labels;         /* of the whole selection, also where this is a shard of it */
    size_t unknown;           /* lines of the file of events that fit none */
    size_t components_failed; /* of those selected, that were left out */
    cm_cores cores;           /* once chains are placed */
    size_t max_buffer;        /* bytes, likewise; before that what an unfinished sweep had, 0: none */
    size_t plan_count;
    cm_plan *plans;          /* one a component */
    cm_conflicts *conflicts; /* what refused together */
    size_t benchmark_count;
    cm_sweep_benchmark *benchmarks;
    cm_journal *journal; /* NULL: none is kept */
    bool resumed;        /* something was counted before */
    const long *counted; /* indices of the benchmark for which plans are made, NULL: plans are for all */
    cm_sweep_progress progress;
    cm_pace pace;          /* of the benchmark under way */
    double pace_began;     /* seconds after the start */
    size_t whole_plan;     /* sets of all events, whatever of them was counted before */
    time_t started;        /* for the record */
    struct timespec clock; /* monotonic, at the start */
} cm_sweep_state;

/* Finds the kernels of a benchmark; CM_BAD_ARGUMENT if it has none at all, CM_UNSUPPORTED if none runs here. Free with
 * cm_sweep_benchmark_clear, also after a failure. */
cm_status cm_sweep_benchmark_find(const char *name, bool software, cm_sweep_benchmark *benchmark, cm_error *error);
void cm_sweep_benchmark_clear(cm_sweep_benchmark *benchmark);

/* Gives the benchmark's chains, if it has any, their placements on the machine or model that counts, and leaves out
 * those that find none, with a message. CM_UNSUPPORTED where no kernel is left. */
cm_status cm_sweep_place_chains(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

/* Seconds that a repetition of the benchmark may take by the length of its chains; 0: it has none. */
double cm_sweep_chain_seconds(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);

/* How often a chain is followed before anything is counted. */
unsigned cm_warm_up_passes(const cm_kernel *kernel);

/* Who follows it then: the kernel that does nothing else, the first of its level. */
const cm_kernel *cm_warm_up_kernel(const cm_kernel *kernel);

/* The placement of a kernel's chain. */
cm_status cm_place_kernel(const cm_geometry *geometry, const cm_kernel *kernel, size_t max_buffer,
                          cm_placement *placement, cm_error *error);

/* Passes a line on to who asked for messages. */
void cm_sweep_say(const cm_sweep_state *state, const char *format, ...) CM_PRINTF(2, 3);

double cm_sweep_seconds(const cm_sweep_state *state);
bool cm_sweep_stopped(const cm_sweep_state *state);

/* Whether an event was swept, with success so far. */
bool cm_sweep_is_counted(const cm_sweep_state *state, size_t event);
cm_sweep_summary cm_sweep_summarise(const cm_sweep_state *state);

/* Sets that are counted one after the other, those of several components side by side. */
size_t cm_sweep_longest_plan(const cm_sweep_state *state);
/* A benchmark begins of which a repetition is expected to take so many seconds. */
void cm_sweep_begin_pace(cm_sweep_state *state, double seconds);
/* Notes in the progress how much time is left once so many repetitions of that benchmark are done. */
void cm_sweep_note_pace(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, size_t done);
/* Passes the progress on, with its time, to who asked for it. */
void cm_sweep_show_progress(cm_sweep_state *state);

/* What tables and events.csv call a selected event: its name, or component:::NAME where it shares the name with
 * another event that can be counted. */
const char *cm_sweep_label(const cm_sweep_state *state, size_t event);
/* The same for messages, where an event that cannot be counted is distinguished from the one that has its name in the
 * tables. */
const char *cm_sweep_spelling(const cm_sweep_state *state, size_t event);
/* component:::NAME, which is the event's alone: what the journal calls it. */
const char *cm_sweep_key(const cm_sweep_state *state, size_t event);
/* The keys of the whole selection that tables carry, in the session's order; NULL without memory. */
json_t *cm_sweep_describe_prefixed(const cm_sweep_state *state);

/* Selects events: fills event_count, selected, labels and unknown. */
cm_status cm_sweep_select(cm_sweep_state *state, cm_error *error);

/* All that comes before the first count: benchmarks, events, plans. Release the state also after a failure. */
cm_status cm_sweep_prepare(cm_sweep_state *state, cm_error *error);
void cm_sweep_release(cm_sweep_state *state);

/* Plans all components: fills state->plans. Events that even an empty set refuses are no longer countable. */
cm_status cm_sweep_make_plans(cm_sweep_state *state, cm_error *error);

/* Runs all planned sets over the kernels of one benchmark and writes their counts. */
cm_status cm_sweep_run_benchmark(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

/* Notes what became of an event to which a lost process, or the failure of one, comes down: says it, and records it. */
cm_status cm_sweep_blame(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                         cm_error *error);

/* Remembers, for the journal too, that a set could not be counted though its parts may be. */
cm_status cm_sweep_remember(cm_sweep_state *state, size_t count, const size_t *events, cm_error *error);

/* Takes over from the journal of an unfinished sweep what was chosen then by what the machine offered, its free memory:
 * it offers something else each time. To be called before chains are placed. */
cm_status cm_sweep_take_over_limits(cm_sweep_state *state, cm_error *error);
/* Opens the journal in the options' directory, and takes up what it holds of an unfinished sweep. */
cm_status cm_sweep_open_journal(cm_sweep_state *state, cm_error *error);
/* Records that an event failed; it was noted in the session before. */
cm_status cm_sweep_record_failure(cm_sweep_state *state, size_t event, cm_error *error);
/* Writes what the journal holds of a benchmark into its table, in the session's order of events. */
cm_status cm_sweep_write_table(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

cm_status cm_sweep_write_events(const cm_sweep_state *state, const char *path, cm_error *error);
/* The manifest, without its list of files; NULL without memory. */
json_t *cm_sweep_describe(const cm_sweep_state *state);
/* What makes a sweep this one, for its journal; NULL without memory. */
json_t *cm_sweep_describe_identity(const cm_sweep_state *state);

#endif
