/* A sweep on the disk: journal, tables and manifest, written, read, compared and resumed. */
#ifndef CM_SWEEP_RECORD_RECORD_H
#define CM_SWEEP_RECORD_RECORD_H

#include <catmint/analysis.h>

#include "core/json.h"
#include "sweep/plan/plan.h"
#include "tables/tables.h"

/* ---- identity.c ---- */

/* The identity of a sweep, from a manifest or from a running sweep, as an object that compatible.c compares. */

/* The members of a manifest that are compared, as an object of its own; NULL without memory. */
json_t *cm_sweep_identity(const json_t *manifest);
/* The part that the user asked for, without that of the machine and its software; NULL without memory. */
json_t *cm_sweep_request(const json_t *manifest);
/* The part that tables of several sweeps must share to be analysed together; NULL without memory. */
json_t *cm_sweep_ground(const json_t *manifest);
/* The identity of a running sweep, for its journal, with its shard, events and limits. NULL without memory. */
json_t *cm_sweep_describe_identity(const cm_sweep_state *state);

/* ---- incomplete.c: sweeps that end early, and their results ---- */

/* Makes the counts so far the result, if the options allow an early end. CM_INTERRUPTED if they do not, if nothing was
 * counted, or if the directory has a complete result, which stays. */
cm_status cm_sweep_end_early(cm_sweep_state *state, cm_error *error);

/* The benchmarks that lack events, each `{"benchmark", "counted", "of"}`. NULL without memory. */
json_t *cm_sweep_describe_incomplete(const cm_sweep_state *state);

/* ---- journal.c ---- */

/* The journal: the counts of a sweep, on the disk as soon as a set is done, so that nothing is lost if the sweep is
 * killed.
 *
 * A text file in the sweep's directory, locked while the sweep runs. The first line is the sweep's identity, then
 * follow blocks: for each event a line that names it, and its rows as they will be in the table; a line for each event
 * that failed, with the reason; a line for each set that could not be counted as a whole; and a line with a checksum,
 * which ends the block. Events are named component:::NAME. Text behind the last complete block was torn off, and is
 * dropped. */

typedef struct cm_journal cm_journal;

/* A line of a complete block, but for rows of tables; texts live until the next line is read. */
typedef struct cm_journal_line {
    const char *benchmark, *event;
    long offset;         /* of the event's rows in the file; 0: it failed, or refused others */
    const char *others;  /* events with which it cannot be counted, separated by tabs; NULL: none */
    const char *outcome; /* how it failed; `reason`: why */
    const char *reason;
} cm_journal_line;

typedef cm_status (*cm_journal_reader)(const cm_journal_line *line, void *data, cm_error *error);

/* Opens and locks `directory`'s journal. With `resume`, each line of an unfinished sweep is read, if there is one; it
 * must have been the same sweep, else CM_BAD_ARGUMENT names the difference. Without, an unfinished sweep is
 * CM_BAD_ARGUMENT, and so is a running one. */
cm_status cm_journal_open(const char *directory, const json_t *identity, bool resume, cm_journal_reader reader,
                          void *data, cm_journal **journal, cm_error *error);

/* The identity of an unfinished sweep in the directory, NULL if there is none that can be read. CM_NO_MEMORY. */
cm_status cm_journal_identity(const char *directory, json_t **identity, cm_error *error);

/* Each of these adds to the current block; if memory runs out, cm_journal_commit says so. An event is followed by its
 * rows; `offset` gets theirs in the file. */
void cm_journal_add_event(cm_journal *journal, const char *benchmark, const char *event, long *offset);
/* `label` names the event in tables. CM_BAD_ARGUMENT as cm_measurements_writer_add. */
cm_status cm_journal_add_row(cm_journal *journal, const char *label, size_t repetition, size_t thread, size_t kernels,
                             const double *counts, cm_error *error);
void cm_journal_add_failure(cm_journal *journal, const char *benchmark, const char *event, const char *outcome,
                            const char *reason);
void cm_journal_add_refusal(cm_journal *journal, const char *benchmark, size_t count, const char *const *events);
/* Ends the block and writes it to the disk. */
cm_status cm_journal_commit(cm_journal *journal, cm_error *error);

/* Copies the `count` rows from `offset` on to a table. */
cm_status cm_journal_copy_rows(cm_journal *journal, long offset, size_t count, cm_measurements_writer *writer,
                               cm_error *error);

/* `finished`: the sweep is complete, or nothing was counted, and the file is removed. NULL: no operation. */
void cm_journal_close(cm_journal *journal, bool finished);
bool cm_journal_is_empty(const cm_journal *journal);

/* ---- journal_file.c: opens a journal's file: only one of catmint's, and for one sweep at a time ---- */

/* `flags` are open's. -1 with errno: ELOOP for a link, which is not followed, EINVAL if it is no regular file. */
int cm_journal_file_open(const char *path, int flags);

/* Opens the file, which is made if it is missing, and locks it. CM_IO; CM_BAD_ARGUMENT if another sweep holds it. */
cm_status cm_journal_file_lock(const char *path, FILE **stream, cm_error *error);

/* ---- read.c: reads a sweep's description back: manifest.json and events.csv ---- */

/* The manifest's member with the bytes of a cache line. */
#define CM_LINE_KEY "line_size"
/* The manifest's member with the number of levels of data caches. */
#define CM_LEVELS_KEY "cache_levels"

/* The manifest's member with the reason why counts are not comparable. */
#define CM_NOT_COMPARABLE_KEY "not_comparable"

/* The manifest's member that says whether nothing disturbed the counts. */
#define CM_DETERMINISTIC_KEY "deterministic"

/* Separates the names of a code in the manifest. */
#define CM_CODE_NAMES_BETWEEN ", "

/* The PMU and the machine that counted; all NULL for an import, which does not know them. */
typedef struct cm_sweep_origin {
    char *pmu, *pmu_reason;
    json_t *machine;        /* an object */
    json_t *findings;       /* disturbances of counting, an array; NULL if the manifest has none of this */
    json_t *incomplete;     /* benchmarks that lack events after an early end, an array; NULL: none */
    size_t line;            /* bytes of a cache line, 0 if the manifest does not have it */
    bool uncore;            /* events count for a whole socket */
    size_t cache_levels;    /* of data, 0 if the manifest does not have it */
    json_t *not_comparable; /* the reason why counts are not comparable, a text; NULL: they are */
    json_t *code_names;     /* names, in a table, of events named by their codes: arrays; NULL: none */
    bool deterministic;     /* nothing disturbed the counts */
} cm_sweep_origin;

/* The identity of the sweep in `directory`: its manifest's checksum, JSON's null if there is none. */
cm_status cm_sweep_checksum(const char *directory, json_t **checksum, cm_error *error);
/* CM_BAD_ARGUMENT if the session counts on another PMU than the sweep's. */
cm_status cm_sweep_check_pmu(const cm_counting *counting, const char *directory, cm_error *error);

/* Reads the manifest at `path`. */
cm_status cm_sweep_origin_read(const char *path, cm_sweep_origin *origin, cm_error *error);
void cm_sweep_origin_clear(cm_sweep_origin *origin);

/* Called for each event that was not counted; `component` is "" if the file does not have it. */
typedef cm_status (*cm_sweep_take_unavailable)(const char *event, const char *component, const char *reason, void *data,
                                               cm_error *error);
/* Reads the events.csv at `path`. */
cm_status cm_sweep_unavailable_read(const char *path, cm_sweep_take_unavailable take, void *data, cm_error *error);

/* ---- resume.c: saves a sweep in the journal, and restores it for the sweep that resumes it ---- */

/* Restores limits that the unfinished sweep chose by the free memory of the machine, which changes all the time. Call
 * before chains are placed. */
cm_status cm_sweep_take_over_limits(cm_sweep_state *state, cm_error *error);
/* Opens the journal in the options' directory, and restores an unfinished sweep. */
cm_status cm_sweep_open_journal(cm_sweep_state *state, cm_error *error);

/* Remembers, also in the journal, that a set could not be counted though its parts may be. */
cm_status cm_sweep_remember(cm_sweep_state *state, size_t count, const size_t *events, cm_error *error);
/* Records that an event failed, which the session has noted before. */
void cm_sweep_record_failure(cm_sweep_state *state, size_t event);

/* Writes a benchmark's table from the journal, in the session's order of events. */
cm_status cm_sweep_write_table(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, cm_error *error);

/* ---- write: writes a sweep's description: events.csv and manifest.json. record/read.h reads them back ---- */

cm_status cm_sweep_write_events(const cm_sweep_state *state, cm_directory *opened, cm_error *error);
/* The manifest, without its list of files; NULL without memory. */
json_t *cm_sweep_describe(const cm_sweep_state *state);
/* Size of the checksum that distinguishes versions of a model: "fnv1a64:" and 16 digits. */
enum { CM_MODEL_CHECKSUM_SIZE = 32 };
void cm_sweep_model_checksum(const cm_pmu_model *model, char text[CM_MODEL_CHECKSUM_SIZE]);
/* The same of a sweep of the facts of its machine. */
void cm_sweep_machine_checksum(const cm_pmu_model *model, char text[CM_MODEL_CHECKSUM_SIZE]);

/* In kept facts: the member of the manifest that lists all facts which were counted, zero or not. */
#define CM_FACTS_KEY "facts"
/* How the reason for the PMU begins if all counts are from kept facts. */
#define CM_FROM_FACTS "from facts "
/* Why an event of a model is not counted. */
#define CM_NOT_MODELLED "not modelled"

/* ---- compatible.c: checks by their manifests that sweeps are compatible ---- */

typedef enum cm_difference_kind {
    CM_DIFFERENT_OPTION, /* `subject` is the option, as in "--repetitions" */
    CM_DIFFERENT_FACT,   /* `subject` is a noun, as in "the version of PAPI" */
    CM_DIFFERENT_EVENT,  /* `subject` is an event that only one of them has selected */
    CM_DIFFERENT_PREFIX, /* `subject` is an event that has the component before its name in the tables of one alone */
} cm_difference_kind;

/* The first difference of two sweeps. */
typedef struct cm_sweep_difference {
    cm_difference_kind kind;
    char subject[256];
    char first[160], second[160]; /* the values, "": none; for an event "x" if the sweep has it */
} cm_sweep_difference;

/* Whether two identities (identity.c) differ. */
bool cm_sweeps_differ(const json_t *first, const json_t *second, cm_sweep_difference *difference);

/* CM_BAD_ARGUMENT, with the difference, if the sweep that is to resume the one in `directory` is another one. */
cm_status cm_sweep_resumes(const json_t *before, const json_t *now, const char *directory, cm_error *error);

/* The same for manifests, if the sweep in `directory` is complete: compares only the request, because everything is
 * counted again. */
cm_status cm_sweep_repeats(const json_t *before, const json_t *now, const char *directory, cm_error *error);

/* The same for manifests, if the sweep keeps a table of the one in `directory`: both must be of one PMU and name events
 * alike. */
cm_status cm_sweep_joins(const json_t *before, const json_t *now, const char *directory, const char *table,
                         cm_error *error);

/* CM_BAD_INPUT, with the difference, if the second manifest differs from the first in format, version, PMU, kind of
 * machine, options, names of events, benchmarks, kernels, iterations or threads. */
cm_status cm_sweeps_compatible(const json_t *first, const char *first_path, const json_t *second,
                               const char *second_path, cm_error *error);

/* ---- keep.c ---- */

/* Keeps tables that an earlier sweep wrote into the directory, for benchmarks that this sweep does not count, unless
 * they are to be removed (cm_sweep_options.replace). */

/* Member of a kept benchmark in the manifest: version, start and options of the sweep that counted it. */
#define CM_EARLIER_KEY "earlier"

/* Whether tables of the manifest are kept: such a table need not have all events. */
bool cm_sweep_keeps_any(const json_t *manifest);
/* Copies the CM_EARLIER_KEY of benchmarks that only `other` marks as kept. NULL, with `manifest` freed, without
 * memory. */
json_t *cm_sweep_join_kept(json_t *manifest, const json_t *other);

/* Before counting: fills state->kept and reports the tables that stay. CM_BAD_ARGUMENT if one was counted in another
 * way, so that it cannot be beside this sweep's. */
cm_status cm_sweep_find_kept(cm_sweep_state *state, cm_error *error);
/* Writes the rows of the earlier events.csv whose events this sweep has not selected. */
cm_status cm_sweep_keep_events(const cm_sweep_state *state, cm_output *output, cm_error *error);
/* Keeps the tables in the directory and in the manifest. */
cm_status cm_sweep_keep_tables(const cm_sweep_state *state, cm_directory *opened, json_t *manifest, cm_error *error);

/* ---- merge_table.c: joins measurement tables with the same kernels ---- */

typedef struct cm_merged_event {
    char *name;    /* in the tables */
    char *key;     /* component:::NAME */
    size_t source; /* the source whose table has it, if it was counted */
    bool counted;  /* every table has all its rows, unless it is mixed */
    bool mixed;    /* the tables of its directory are of several sweeps, and some of these may not have counted it */
    size_t tables; /* tables with its rows so far */
} cm_merged_event;

/* The rows that tables must have: all repetitions and threads of each event, or none of an uncounted one. */
typedef struct cm_merged_rows {
    size_t event_count;
    cm_merged_event *events;
    long long repetitions, threads; /* from the manifests */
} cm_merged_rows;

/* After all tables: CM_BAD_INPUT if a counted event has no rows in any of them. */
cm_status cm_merged_events_found(const cm_merged_event *events, size_t count, cm_error *error);

/* Writes the rows of all tables to `path`, in the order of the events as far as each table follows it. It holds only
 * one row of each table, and a bit for each row. CM_BAD_INPUT if kernels or iterations differ, or if a row is missing,
 * appears twice, or belongs to no event. */
cm_status cm_merge_tables(const char *const *paths, size_t count, const cm_merged_rows *rows, const char *path,
                          cm_error *error);

/* ---- event_components.c: the components of the events of a sweep, as its events.csv has them ---- */

/* It is read only if a component is asked for: sweeps of many events are analysed without keeping their names. */
typedef struct cm_component_list cm_component_list;

/* Loads the components of the events that were counted; a file without a column "component" tells none. */
cm_status cm_component_list_load(const char *path, cm_component_list **list, cm_error *error);
void cm_component_list_free(cm_component_list *list);
/* Lives as long as the list; NULL: nothing is known of the event. */
const char *cm_component_list_find(const cm_component_list *list, const char *event);

/* ---- together.c: events that were tried as one event set, and the outcome ---- */

typedef struct cm_tried_sets cm_tried_sets;

/* A set that was tried. */
typedef struct cm_tried_set {
    cm_counted_together together;
    size_t count;
    char **events;  /* names, as tables have them */
    bool *refusing; /* one an event: of those that refuse each other */
} cm_tried_set;

struct cm_tried_sets {
    size_t count, capacity;
    cm_tried_set *sets;
    char *directory;       /* of the sweep */
    cm_counting *counting; /* that tries the rest; NULL: nothing is tried */
    bool grown;            /* since it was read */
};

/* The outcomes of trials for the sweep in `directory`; none if there were none, or it was for another sweep. `counting`
 * (may be NULL) is used if it counts the events of the sweep. */
cm_status cm_tried_sets_create(const char *directory, cm_counting *counting, cm_tried_sets **tried, cm_error *error);
void cm_tried_sets_free(cm_tried_sets *tried);

/* Events of an analysis; those whose coefficient is 0 are none. */
typedef struct cm_event_group {
    const cm_analysis *analysis;
    size_t count;
    const size_t *events;
    const double *coefficients; /* NULL: all are */
    bool replaces;              /* the event at `place` by another one */
    size_t place, by;
} cm_event_group;

/* The event at a place of the group; NULL: it is none of it. */
const char *cm_event_group_name(const cm_event_group *group, size_t place);

/* The outcome of the group. If events were counted together, fewer of them can be; if some refuse each other, no others
 * help. `refusing` (may be NULL, else room for one an event) says which. */
cm_counted_together cm_tried_sets_find(const cm_tried_sets *tried, const cm_event_group *group, bool *refusing);
/* The same, tried now if it is not known. */
cm_status cm_tried_sets_ask(cm_tried_sets *tried, const cm_event_group *group, cm_counted_together *together,
                            bool *refusing, cm_error *error);

/* ---- together_file.c ---- */

/* "yes", "no", "unknown". */
const char *cm_together_text(cm_counted_together together);
/* Whether it can be written there. CM_IO names the obstacle. */
cm_status cm_tried_sets_check(const char *directory, cm_error *error);
/* Reads the outcomes of trials for the sweep in the directory. */
cm_status cm_tried_sets_read(cm_tried_sets *tried, cm_error *error);
/* Writes it if it has grown. */
cm_status cm_tried_sets_save(cm_tried_sets *tried, cm_error *error);
/* Writes it, and tries no more: the session may be closed. */
cm_status cm_tried_sets_finish(cm_tried_sets *tried, cm_error *error);

/* ---- fact_table ---- */

/* A table of facts on kernels: as a sweep under MODEL-facts writes it, or as it is kept, less all zeros, and with
 * one row, of repetition 0, for a fact that is the same in all repetitions. */

typedef struct cm_fact_counts {
    size_t kernel_count, repetitions;
    char **kernels;
    double *iterations; /* one a kernel */
    uint64_t *counts;   /* [repetition][kernel][fact] */
} cm_fact_counts;

/* `repetitions`: as many as the manifest says. `known` is set for each fact that the table has. Free with
 * cm_fact_counts_clear, also after a failure. */
cm_status cm_fact_counts_load(const char *path, size_t repetitions, bool *known, cm_fact_counts *table,
                              cm_error *error);
/* Drops the kernels of which `keep`, one a kernel, is false. */
void cm_fact_counts_drop(cm_fact_counts *table, const bool *keep);
void cm_fact_counts_clear(cm_fact_counts *table);

/* The facts of a kernel in a repetition, from 0. */
const uint64_t *cm_fact_counts_of(const cm_fact_counts *table, size_t repetition, size_t kernel);

#endif
