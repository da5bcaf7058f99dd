/* What the parts of a sweep share while it runs. */
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
    size_t event_count;                  /* the session's */
    bool *selected;                      /* one an event of the session */
    cm_labels labels;                    /* of the whole selection, also where this is a shard of it */
    size_t unknown;                      /* lines of the file of events that fit none */
    size_t components_failed;            /* of those selected, that were left out */
    cm_cores cores;                      /* once chains are placed */
    size_t line;                         /* bytes of a cache line, likewise; before that 0 */
    size_t cache_levels;                 /* likewise */
    size_t max_buffer;                   /* bytes, likewise; before that what an unfinished sweep had, 0: none */
    size_t huge_given;                   /* bytes in huge pages that the system has given for trial */
    size_t plan_count;
    cm_plan *plans;          /* one a component */
    cm_conflicts *conflicts; /* what refused together */
    size_t benchmark_count;
    cm_sweep_benchmark *benchmarks;
    cm_journal *journal; /* NULL: none is kept */
    bool resumed;        /* something was counted before */
    json_t *kept;        /* benchmarks of an earlier manifest whose tables stay in the directory; NULL: none does */
    bool ended_early;    /* what was counted so far is all */
    const long *counted; /* indices of the benchmark for which plans are made, NULL: plans are for all */
    cm_sweep_progress progress;
    cm_pace pace;                 /* of the benchmark under way */
    double pace_began;            /* seconds after the start */
    size_t whole_plan;            /* sets of all events, whatever of them was counted before */
    time_t started;               /* for the record */
    cm_device_cores device_cores; /* where codes are counted */
    json_t *screening;            /* of codes, for the manifest; NULL: none was asked for */
    bool keeps_screening;         /* in the sweep's directory, so that it can be resumed */
    bool *screened;               /* of each of the session's first events: the screening kept it */
    size_t screened_count;        /* of those */
    cm_doctor *doctor;            /* what disturbed counting when it began, NULL where that cannot be told */
    struct timespec clock;        /* monotonic, at the start */
} cm_sweep_state;

/* Passes a line on to who asked for messages. */
void cm_sweep_say(const cm_sweep_state *state, const char *format, ...) CM_PRINTF(2, 3);

double cm_sweep_seconds(const cm_sweep_state *state);
bool cm_sweep_stopped(const cm_sweep_state *state);

/* Whether an event is to be swept, and did not fail so far. */
bool cm_sweep_is_countable(const cm_sweep_state *state, size_t event);
/* Whether an event was swept, with success so far; on some benchmark at least where the sweep was ended early. */
bool cm_sweep_is_counted(const cm_sweep_state *state, size_t event);
/* How many events were counted on a benchmark so far. */
size_t cm_sweep_count_kept(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
cm_sweep_summary cm_sweep_summarise(const cm_sweep_state *state);

/* How often a benchmark's kernels are counted; NULL: those without chains. */
size_t cm_sweep_repetitions(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
/* Sets that are counted one after the other, those of several components side by side. */
size_t cm_sweep_longest_plan(const cm_sweep_state *state);
/* A benchmark begins of which a repetition is expected to take so many seconds. */
void cm_sweep_begin_pace(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, double seconds);
/* Notes in the progress how much time is left once so many repetitions of that benchmark are done. */
void cm_sweep_note_pace(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, size_t done);
/* Passes the progress on, with its time, to who asked for it. */
void cm_sweep_show_progress(cm_sweep_state *state);

#endif
