/* The state of a running sweep, shared by its parts. */
#ifndef CM_SWEEP_PLAN_STATE_H
#define CM_SWEEP_PLAN_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include <jansson.h>

#include <catmint/doctor.h>
#include <catmint/sweep.h>

#include "counting/device_cores.h"
#include "sweep/plan/benchmark.h"
#include "sweep/plan/conflicts.h"
#include "sweep/plan/cores.h"
#include "sweep/plan/extension.h"
#include "sweep/plan/labels.h"
#include "sweep/plan/pace.h"
#include "sweep/plan/plan.h"

typedef struct cm_journal cm_journal; /* sweep/record/journal.h */

typedef struct cm_sweep_state {
    cm_counting *counting;
    const cm_sweep_options *options;
    const cm_sweep_extension *extension; /* NULL: the registry's kernels alone */
    size_t event_count;                  /* of the session */
    bool *selected;                      /* one an event of the session */
    cm_labels labels;                    /* of the whole selection, also in a shard of it */
    size_t unknown;                      /* lines of the file of events without any event */
    size_t components_failed;            /* selected components that failed and are left out */
    cm_cores cores;                      /* valid once chains are placed */
    size_t line;                         /* bytes of a cache line; 0 before chains are placed */
    size_t cache_levels;                 /* likewise */
    size_t max_buffer;                   /* bytes; before chains are placed, that of the unfinished sweep, 0: none */
    size_t huge_given;                   /* bytes of huge pages that the system gave in a trial */
    size_t plan_count;
    cm_plan *plans;          /* one a component */
    cm_conflicts *conflicts; /* sets and groups known to be refused */
    size_t benchmark_count;
    cm_sweep_benchmark *benchmarks;
    cm_journal *journal; /* NULL: none is kept */
    bool resumed;        /* some events were counted before */
    json_t *kept;        /* benchmarks of an earlier manifest whose tables stay in the directory; NULL: none */
    bool ended_early;    /* the result has only the counts so far */
    const long *counted; /* `kept` of the benchmark that is planned, NULL: plans are for all */
    cm_sweep_progress progress;
    cm_pace pace;                 /* of the current benchmark */
    double pace_began;            /* seconds after the start */
    size_t whole_plan;            /* sets of all events, including those counted before */
    time_t started;               /* for the manifest */
    cm_device_cores device_cores; /* for codes */
    json_t *screening;            /* of codes, for the manifest; NULL: there was none */
    bool keeps_screening;         /* in the sweep's directory, to be resumed */
    bool *screened;               /* one for each of the session's first events: the screening kept it */
    size_t screened_count;        /* length of `screened` */
    cm_doctor *doctor;            /* disturbances when counting began, NULL if unknown */
    struct timespec clock;        /* monotonic, at the start */
} cm_sweep_state;

/* Passes a line to the caller's message function. */
void cm_sweep_say(const cm_sweep_state *state, const char *format, ...) CM_PRINTF(2, 3);

double cm_sweep_seconds(const cm_sweep_state *state);
bool cm_sweep_stopped(const cm_sweep_state *state);

/* Whether an event is selected and has not failed so far. */
bool cm_sweep_is_countable(const cm_sweep_state *state, size_t event);
/* Whether an event was counted without failure so far; after an early end, on at least one benchmark. */
bool cm_sweep_is_counted(const cm_sweep_state *state, size_t event);
/* The number of events counted on a benchmark so far. */
size_t cm_sweep_count_kept(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
cm_sweep_summary cm_sweep_summarise(const cm_sweep_state *state);

/* The repetitions of a benchmark's kernels; NULL: those without chains. */
size_t cm_sweep_repetitions(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
/* The number of sets that are counted one after the other; those of several components are counted side by side. */
size_t cm_sweep_longest_plan(const cm_sweep_state *state);
/* Begins a benchmark with an expected number of seconds a repetition. */
void cm_sweep_begin_pace(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, double seconds);
/* Updates the time left when so many repetitions of the benchmark are done. */
void cm_sweep_note_pace(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, size_t done);
/* Passes the progress, with its time, to the caller's function. */
void cm_sweep_show_progress(cm_sweep_state *state);

#endif
