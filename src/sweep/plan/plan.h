/* The planner: packs events into sets as large as the counters allow, by trying. It knows no PAPI: the caller adds
 * events to sets. */
#ifndef CM_SWEEP_PLAN_PLAN_H
#define CM_SWEEP_PLAN_PLAN_H

#include <catmint/doctor.h>

#include "core/system.h"
#include "counting/raw/raw.h"
#include "sweep/plan/benchmark.h"

/* ---- conflicts.c ---- */

/* Remembers conflicts, so that they are not tried again: a set of events that refuses another event, or a group that
 * cannot be counted at the same time, does so with any further events, too. Every function but cm_conflicts_create
 * accepts NULL, and then remembers nothing. */

typedef struct cm_conflicts cm_conflicts;

/* For events with indices below `events`. */
cm_status cm_conflicts_create(size_t events, cm_conflicts **conflicts, cm_error *error);
void cm_conflicts_free(cm_conflicts *conflicts);

/* Remembers a group that cannot be counted together, though parts of it may; fewer than two events are ignored. Ends
 * the current set. */
cm_status cm_conflicts_remember(cm_conflicts *conflicts, size_t count, const size_t *events, cm_error *error);

/* The conflicts known at a time. */
typedef struct cm_conflicts_mark {
    size_t records, members, refused;
} cm_conflicts_mark;

cm_conflicts_mark cm_conflicts_now(const cm_conflicts *conflicts);
/* Forgets conflicts learned since `mark`. Ends the current set. */
void cm_conflicts_forget(cm_conflicts *conflicts, cm_conflicts_mark mark);

/* The current set: begins empty, takes an event, refuses an event. */
void cm_conflicts_begin(cm_conflicts *conflicts);
cm_status cm_conflicts_take(cm_conflicts *conflicts, size_t event, cm_error *error);
cm_status cm_conflicts_refuse(cm_conflicts *conflicts, size_t event, cm_error *error);
/* Whether the current set is known to refuse the event. */
bool cm_conflicts_known(const cm_conflicts *conflicts, size_t event);

/* ---- labels.c ---- */

/* Names of a sweep's events. An event is identified by its component and its name; tables have the bare name if only
 * one countable event of the whole selection has it, else `component:::NAME`. This is decided once, before shards are
 * split off and before anything is counted, so that every shard and every resumed sweep uses the same names. */

typedef struct cm_sweep_state cm_sweep_state;

typedef struct cm_event_label {
    const char *key; /* component:::NAME; NULL if the event is not selected */
    bool prefixed;   /* tables use the key */
    bool shadowed;   /* cannot be counted, and another event of this name can */
} cm_event_label;

/* Zero-initialised: empty. */
typedef struct cm_labels {
    size_t count;
    cm_event_label *items; /* one an event of the session */
    cm_text_store texts;
} cm_labels;

/* `selected`: one an event of the session; an event that its component lists twice is deselected the second time. Free
 * with cm_labels_clear, also after a failure. */
cm_status cm_labels_decide(const cm_counting *counting, bool *selected, cm_labels *labels, cm_error *error);
void cm_labels_clear(cm_labels *labels);

/* The name of a selected event in tables and events.csv: its own, or component:::NAME if another countable event has
 * the same name. */
const char *cm_sweep_label(const cm_sweep_state *state, size_t event);
/* The name for messages: as above, but an event that cannot be counted is distinguished from the one with its name in
 * the tables. */
const char *cm_sweep_spelling(const cm_sweep_state *state, size_t event);
/* component:::NAME, which is unique: the name in the journal. */
const char *cm_sweep_key(const cm_sweep_state *state, size_t event);
/* The keys of the whole selection that tables use, in the session's order; NULL without memory. */
json_t *cm_sweep_describe_prefixed(const cm_sweep_state *state);

/* ---- pace.c ---- */

/* Estimates the time left of a sweep, from repetitions done and planned of the current benchmark, and the expected
 * times of later ones. Pure: the caller passes the times. */

/* The current benchmark. */
typedef struct cm_pace {
    double expected; /* expected seconds a repetition; NaN: unknown */
    size_t first;    /* repetitions planned when it began */
    size_t done;     /* the most repetitions done so far, and the time of the last */
    double at;
    double spent; /* seconds on them, without interruptions: a stopped job, a worker that hung */
    double shown; /* the last estimate; NaN: none yet */
} cm_pace;

/* `shown`: the last estimate for the benchmark before; NaN: none. */
void cm_pace_begin(cm_pace *pace, double expected, size_t planned, double shown);

/* The benchmarks after the current one. */
typedef struct cm_pace_later {
    double seconds;     /* in all, of benchmarks with an expected time */
    double repetitions; /* of the others, assumed to take as long as those now */
} cm_pace_later;

/* Seconds left when `done` of `planned` repetitions were done `seconds` after the start of the benchmark; NaN: unknown.
 * Plans may grow: they are expected to continue so, up to twice the length. The estimate falls, or jumps if it was far
 * too low; it does not creep upwards. */
double cm_pace_left(cm_pace *pace, size_t planned, size_t done, double seconds, cm_pace_later later);

/* ---- plan ---- */

/* Events counted at the same time. */
typedef struct cm_planned_set {
    size_t count, *events;
} cm_planned_set;

/* The sets of one component, in the order of their runs. Zero-initialised: empty. */
typedef struct cm_plan {
    size_t count, capacity;
    cm_planned_set *sets;
} cm_plan;

/* Tries sets. Functions return CM_OK, CM_UNSUPPORTED to refuse, or an error that ends the planning. */
typedef struct cm_plan_trial {
    void *data;
    cm_status (*begin)(void *data, cm_error *error);             /* an empty set */
    cm_status (*add)(void *data, size_t event, cm_error *error); /* CM_UNSUPPORTED: it does not fit */
    cm_status (*refused)(void *data, size_t event, const char *reason, cm_error *error); /* by an empty set */
    cm_conflicts *conflicts; /* known conflicts are not tried, and new ones are added; NULL: all is tried */
} cm_plan_trial;

/* After so many refusals in a row a set counts as full, so that planning stays linear in the number of events. */
enum { CM_PLAN_REFUSALS = 8 };

/* Appends sets for these events. Events keep their order, except those that a set refused while it took later ones. On
 * failure the plan is unchanged. */
cm_status cm_plan_pack(cm_plan *plan, size_t count, const size_t *events, const cm_plan_trial *trial, cm_error *error);

/* Appends one set; the events are copied. */
cm_status cm_plan_add(cm_plan *plan, size_t count, const size_t *events, cm_error *error);

void cm_plan_clear(cm_plan *plan);

/* ---- state.c: the state of a running sweep, shared by its parts ---- */

typedef struct cm_journal cm_journal; /* sweep/record/record.h */

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
void cm_sweep_write_message(const cm_sweep_state *state, const char *format, ...) CM_PRINTF(2, 3);

double cm_sweep_seconds(const cm_sweep_state *state);
bool cm_sweep_stopped(const cm_sweep_state *state);

/* Whether an event is selected and has not failed so far. */
bool cm_sweep_is_countable(const cm_sweep_state *state, size_t event);
/* Whether an event was counted without failure so far; after an early end, on at least one benchmark. */
bool cm_sweep_is_counted(const cm_sweep_state *state, size_t event);
/* Whether the event was counted on a benchmark so far. */
bool cm_sweep_is_kept(const cm_sweep_benchmark *benchmark, size_t event);
/* The number of events counted on a benchmark so far. */
size_t cm_sweep_count_kept(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
cm_sweep_summary cm_sweep_summarise(const cm_sweep_state *state);

/* The repetitions of a benchmark's kernels; NULL: those without chains. */
size_t cm_sweep_repetitions(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
/* The number of sets that are counted one after the other; those of several components are counted side by side. */
size_t cm_sweep_longest_plan(const cm_sweep_state *state);

/* ---- progress.c: the time left of a running sweep ---- */

/* Updates the time left when so many repetitions of the benchmark are done. */
void cm_sweep_note_pace(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, size_t done);
/* Passes the progress, with its time, to the caller's function. */
void cm_sweep_show_progress(cm_sweep_state *state);

/* ---- combine.c: combinations of an event's qualifiers, which PAPI knows but does not list ---- */

enum { CM_MOST_COMBINATIONS = 1000000 };

/* Reports progress, and may stop the search. */
typedef struct cm_combining {
    void (*say)(const char *text, void *data); /* may be NULL */
    bool (*stopped)(void *data);               /* NULL: never */
    void *data;
} cm_combining;

/* Adds to the session every combination of at least two qualifiers that the selection takes and PAPI knows: event by
 * event, each combination before those that extend it. They are counted first, and their number and expected time are
 * reported once a few have been tried. CM_BAD_ARGUMENT if there are more than CM_MOST_COMBINATIONS; CM_INTERRUPTED. */
cm_status cm_combine_qualifiers(cm_counting *counting, const cm_selection *selection, const cm_combining *combining,
                                cm_error *error);

/* ---- expand.c: events that PAPI knows but does not list: combinations of qualifiers, and exact names ---- */

/* Adds to the session, and tries, every event that the selection names and the session lacks: exact names, and all
 * combinations of up to the number of qualifiers asked for. The selection notes them. Errors as for
 * cm_combine_qualifiers. */
cm_status cm_expand_events(cm_counting *counting, cm_selection *selection, const cm_combining *combining,
                           cm_error *error);

/* ---- foreign.c: checks that the kernels are of the architecture that the PMU models ---- */

/* CM_UNSUPPORTED if they are not, unless the options allow it. Programs of a validation follow their sweep. */
cm_status cm_sweep_check_architecture(const cm_sweep_state *state, cm_error *error);
/* The reason why the counts are comparable with no others, a text to be released; NULL: they are comparable, or memory
 * is short. */
json_t *cm_sweep_describe_foreign(const cm_sweep_state *state);

/* ---- gpu.c ---- */

/* Checks that a benchmark's kernels run on the device whose events are counted: the GPU or the processor. */

/* Leaves out kernels whose instructions the session's GPU lacks. CM_UNSUPPORTED if the kernels are a GPU's and the
 * session has no GPU, if its PMU counts a GPU and the kernels are the processor's, or if no kernel is left. */
cm_status cm_sweep_check_gpu(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

/* ---- huge.c: checks that kernels which need huge pages can have them ---- */

/* Tries the pages of the chain for all members of the team and keeps none. CM_UNSUPPORTED with the reason if the system
 * gives no huge pages, the modelled machine has others, or the PMU cannot distinguish them from small ones. */
cm_status cm_sweep_try_huge(cm_sweep_state *state, const cm_geometry *geometry, const cm_placement *placement,
                            cm_error *error);

/* ---- make_plans.c: makes the plans of all components, by trying ---- */

/* Receives the findings about events. */
typedef struct cm_plan_findings {
    /* A process was lost, or failed, because of this event: it is no longer countable afterwards. */
    cm_status (*blame)(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                       cm_error *error);
    /* A set cannot be counted, though its parts may be: it is among the state's conflicts afterwards. */
    cm_status (*remember)(cm_sweep_state *state, size_t count, const size_t *events, cm_error *error);
} cm_plan_findings;

/* Plans all components: fills state->plans. Events that an empty set refuses are no longer countable. */
cm_status cm_sweep_make_plans(cm_sweep_state *state, const cm_plan_findings *findings, cm_error *error);

/* ---- place_chains.c: places the chains of a benchmark's kernels in the caches of the machine or model ---- */

/* Places the benchmark's chains, if it has any, in the caches of the machine or model, and leaves out, with a message,
 * kernels whose chain does not fit. CM_UNSUPPORTED if no kernel is left. */
cm_status cm_sweep_place_chains(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

/* The longest time of a repetition, by the length of its chains, in seconds; 0: no chains. */
double cm_sweep_chain_seconds(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);
/* Likewise of the kernel that takes longest. */
double cm_sweep_longest_chain_seconds(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark);

/* The number of times a chain is followed before counting. */
unsigned cm_warm_up_passes(const cm_kernel *kernel);

/* The kernel that follows it then: the first of its chain, which does nothing else. */
const cm_kernel *cm_warm_up_kernel(const cm_kernel *kernel);

/* ---- promise.c ---- */

/* Under a budget, sorts first the events whose names or codes suggest that they count the metrics. */

/* Moves these events before the others, by data/promising.csv; both groups keep their order. */
cm_status cm_promising_first(const cm_sweep_state *state, size_t *events, size_t count, cm_error *error);

/* ---- quiet.c ---- */

/* Quiet kernels: for events of a whole socket, each kernel is followed by an idle one of the same duration. It counts
 * the load of the rest of the machine, which is subtracted. */

/* Adds one behind each kernel of the benchmark. CM_BAD_ARGUMENT if no kernel of it misses the caches. */
cm_status cm_quiet_kernels_add(cm_sweep_benchmark *benchmark, cm_error *error);
void cm_quiet_kernels_clear(cm_sweep_benchmark *benchmark);

/* The body of each: a loop that touches no memory. */
CM_SHARED void cm_quiet_body(uint64_t turns, cm_kernel_data *data);

/* ---- select_events.c: selects the session's events that are swept ---- */

/* Fills event_count, selected, labels and unknown. CM_BAD_ARGUMENT if a pattern fits nothing or the options leave no
 * event, CM_UNSUPPORTED if none of the events can be counted. */
cm_status cm_sweep_select(cm_sweep_state *state, cm_error *error);

/* ---- classes.c: groups codes that count the same into classes, by checksums of their counts ---- */

typedef struct cm_code_class {
    uint64_t sums[2];
    size_t count, capacity;
    cm_raw_code *codes; /* the simplest first, the others in order of arrival */
} cm_code_class;

/* Zero-initialised: empty. */
typedef struct cm_code_classes {
    size_t count, capacity;
    cm_code_class *classes; /* in the order of their first codes */
    size_t slot_count;
    size_t *slots; /* by their checksums: 1 + the class, 0: free */
} cm_code_classes;

/* Adds a code to the class with these checksums, which is made if necessary. */
cm_status cm_code_classes_add(cm_code_classes *classes, const uint64_t sums[2], const cm_raw_code *code,
                              cm_error *error);
void cm_code_classes_clear(cm_code_classes *classes);

#endif
