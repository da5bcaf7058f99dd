/* The sweep: runs every kernel of a benchmark while every native event is counted, in several repetitions, and keeps
 * all counts in a sweep directory:
 *
 *   <benchmark>.csv: the measurements, raw counts; repetitions are numbered from 1, threads from 0. Kernels with a
 *                    chain (dcache) are run by a team of processes at the same time, each with its own core and buffer;
 *                    others by one. Events have their bare names; if several components have countable selected events
 *                    of one name, all have component:::NAME. The names are chosen before shards are taken and
 *                    before anything is counted.
 *   events.csv:      `event,component,status,reason,hint,description`, every selected event, named as in the tables;
 *                    status is `counted`, `unavailable`, `crashed (SIGSEGV)`, `timed out`, `refused (reason)`.
 *   manifest.json:   schema "catmint.sweep/1": machine, PMU, PAPI version, kernels, options, time, and as
 *                    "prefixed_events" the events that tables name with their component; the other files with their
 *                    sizes and checksums.
 *   journal:         the counts so far, while the sweep runs, and after it was interrupted or killed.
 *
 * Otherwise a directory changes only when the sweep is complete: until then everything is written in a separate
 * directory within it. One rename of that directory makes its files the result; each is then moved to its place. If
 * that is interrupted, the next sweep finishes it, and readers find the files of the result in either place. Tables of
 * benchmarks that this sweep does not count, listed by the manifest of the sweep before, stay and are listed again,
 * with "earlier" in their benchmark's entry: the version, start and options of their sweep. Only files that the
 * manifest lists, and that are unchanged since, are replaced or removed: CM_IO names any other obstacle before anything
 * is counted. */
#ifndef CATMINT_SWEEP_H
#define CATMINT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <catmint/counting.h>
#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_sweep_progress {
    const char *benchmark;
    size_t done; /* one step: one repetition of all kernels of a benchmark with one set of each component; over all
                  * benchmarks */
    size_t total;
    size_t events;   /* events of this benchmark whose repetitions are complete */
    size_t failures; /* events given up so far */
    double seconds;  /* since the start */
    double left;     /* expected seconds for the rest; NaN: unknown yet */
} cm_sweep_progress;

/* Selects every event that the session lists, and no combination of qualifiers. */
#define CM_QUALIFIERS_AS_LISTED SIZE_MAX

typedef struct cm_sweep_options {
    size_t size;                   /* of this structure */
    const char *directory;         /* created if missing; its parent must exist */
    const char *const *benchmarks; /* names */
    size_t benchmark_count;
    const char *const *events; /* globs over event names or component:::NAME, `!GLOB` excludes anywhere; none: all */
    size_t events_count;
    /* A file of more globs, one a line; a number behind a name selects it and its qualifiers, up to so many at a time,
     * as CAT does. NULL: none. */
    const char *events_file;
    const char *const *components; /* globs over names of components; none: all */
    size_t component_count;
    /* Largest number of qualifiers of an event; all combinations of two and more are tried, since the session does not
     * list them. */
    size_t qualifiers;
    /* Codes to sweep instead of named events, `[device:]field=values,...`, with numbers and ranges joined by `|` as
     * values: "event=0x00-0xff,umask=0x00-0xff"; fields are those of /sys/bus/event_source/devices/<device>/format. All
     * are first counted once over short runs; of those that count the same one is swept. NULL: none. */
    const char *raw;
    /* Sweeps only events that count for a whole socket. One core runs the kernels, and must be the only busy one: after
     * each run of a kernel the events are counted for the same time while the socket is quiet. */
    bool uncore;
    const char *root; /* the directory that holds sys with the formats of codes; NULL: "", this machine's own */
    /* Allows a model of another architecture's processor to count the kernels of this one; the manifest, and results
     * from it, say that they are not comparable. */
    bool anyway;
    size_t shard;       /* number of the shard, a part of the selected events, from 1; 0: all */
    size_t shards;      /* number of shards: a shard has every so-many-th event */
    size_t repetitions; /* 0: 5; 15 for benchmarks that begin with chains */
    /* Processes that count at the same time if a benchmark begins without a chain, one a physical core, each with its
     * own event sets; one that crashes or hangs costs only the events that cause it. One where hardware counts kernels
     * on chains. 0: a process for every core that this one may use. */
    size_t workers;
    /* Counts first the events whose names or codes resemble those that the benchmarks are about, for a sweep that may
     * be stopped: data/promising.csv. */
    bool promising_first;
    size_t threads; /* members of the team, one a core; 0: every core that shares the last-level cache with this one */
    size_t max_buffer;         /* bytes of one chain; 0: a quarter of the free memory, over the team */
    double max_kernel_seconds; /* longest expected time of one run of a kernel with a chain, more than 0 (10) */
    void (*progress)(const cm_sweep_progress *progress, void *data); /* may be NULL */
    void *progress_data;
    /* Called with a line for the user: kernels that are left out, events that are given up, and the reasons. NULL: only
     * the manifest has them. */
    void (*message)(const char *text, void *data);
    void *message_data;
    bool brief; /* no message about kernels that are left out of a benchmark that is not */
    /* Resumes an unfinished sweep of the same kernels, options and events on the same machine in this directory; its
     * counts are kept. If there is none, all is counted. */
    bool resume;
    const volatile int
        *stop; /* non-zero ends the sweep with CM_INTERRUPTED, nothing half-written but the journal; may be NULL */
    /* Non-zero beside *stop: the counts so far are the result, an incomplete one, whose manifest lists the missing
     * events; the journal stays, and `resume` counts the rest. CM_INTERRUPTED if nothing was counted, or a complete
     * result would be lost. NULL: never. */
    const volatile int *enough;
    /* Removes tables of an earlier sweep of other benchmarks from the directory. Otherwise they stay; CM_BAD_ARGUMENT
     * if one was counted on another PMU or machine, by another PAPI or under other names of events. */
    bool replace;
} cm_sweep_options;

static inline void cm_sweep_options_default(cm_sweep_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->qualifiers = CM_QUALIFIERS_AS_LISTED;
    options->max_kernel_seconds = 10.0;
}

typedef struct cm_sweep_summary {
    size_t counted;           /* events with complete repetitions */
    size_t unavailable;       /* selected events that could not be counted, including those given up; events.csv has the
                               * reasons */
    size_t unknown;           /* lines of the file of events that fit no event */
    size_t given_up;          /* unavailable events that crashed, hung or failed: part of the sweep failed */
    size_t kernels_left_out;  /* for lack of an instruction set; manifest.json names them */
    size_t kernels_unplaced;  /* whose chain does not fit on this machine; manifest.json has the reasons */
    size_t components_failed; /* that crashed or hung when they were initialised: part of the sweep failed */
    bool ended_early;         /* by *enough: the result is incomplete */
    bool resumable;           /* it failed, and the counts so far are kept in the directory; all other members are 0
                               * then */
} cm_sweep_summary;

/* Whether the result may be written into options->directory: CM_IO names the obstacle. cm_sweep checks it, too. */
CM_API cm_status cm_sweep_check(const cm_sweep_options *options, cm_error *error);

/* Runs the sweep. CM_BAD_ARGUMENT for an unknown benchmark, no repetition, a glob that fits no event, or more threads
 * than cores; CM_UNSUPPORTED if none of the selected events or of the kernels is available here, no process can be
 * started, or processes are killed from outside again and again; CM_NO_MEMORY; CM_IO; CM_INTERRUPTED. An event that
 * stops being countable meanwhile, for reasons of its own, costs only itself, and is no longer countable in the session
 * either. `summary` is filled after a failure, too; it may be NULL. */
CM_API cm_status cm_sweep(cm_counting *counting, const cm_sweep_options *options, cm_sweep_summary *summary,
                          cm_error *error);

/* ---- forecast of a sweep ---- */

typedef struct cm_sweep_forecast_part {
    const char *name; /* a component's, which belongs to the session, or a benchmark's, which belongs to the options */
    size_t events;    /* of a component: its countable ones; of a benchmark: those of all components */
    size_t sets;      /* event sets of a component; of a benchmark: those that are counted one after the other */
    size_t largest;   /* events in the largest set of a component */
    size_t kernels;   /* of a benchmark: those that run here */
    size_t repetitions; /* of its kernels */
    size_t runs;        /* of its kernels, over sets and repetitions */
    bool once;          /* of a benchmark: the software PMU steps each run once for all sets */
    double seconds;     /* expected, NaN if unknown */
} cm_sweep_forecast_part;

typedef struct cm_sweep_forecast {
    size_t selected; /* events */
    size_t countable;
    size_t sets; /* counted one after the other; sets of several components are counted side by side */
    size_t runs;
    double seconds; /* NaN if unknown */
    size_t component_count;
    cm_sweep_forecast_part *components; /* those that have a set */
    size_t benchmark_count;
    cm_sweep_forecast_part *benchmarks;
} cm_sweep_forecast;

/* Selects and plans as cm_sweep does, but counts nothing and writes nothing: options->directory is not used. Runs each
 * kernel once to measure its time. Errors as for cm_sweep. */
CM_API cm_status cm_sweep_forecast_create(cm_counting *counting, const cm_sweep_options *options,
                                          cm_sweep_forecast **forecast, cm_error *error);
CM_API void cm_sweep_forecast_free(cm_sweep_forecast *forecast);

/* Selects the benchmarks of a forecast that fit into `seconds`. `order`, an array of benchmark_count, gets their
 * indices: first those that fit, those with the most metrics for their time first, then the others in the same order.
 * Returns the number of those that fit: one that does not fit is passed over, and a shorter one after it may fit. One
 * of unknown time never fits. `metrics`: one a benchmark. */
CM_API size_t cm_sweep_fit(const cm_sweep_forecast *forecast, const size_t *metrics, double seconds, size_t *order);

/* Uses time that is left after the first `fit` of `order`: moves the next of the others that can count at least one set
 * of events within `seconds` behind them, to be begun. false if there is none. */
CM_API bool cm_sweep_fit_part(const cm_sweep_forecast *forecast, double seconds, size_t fit, size_t *order);

/* Whether the directory has the journal of an unfinished sweep. An earlier result may lie beside it; only that is read.
 */
CM_API bool cm_is_unfinished_sweep(const char *directory);
/* Whether the result in the directory is that of a sweep that ended early. */
CM_API bool cm_is_incomplete_sweep(const char *directory);

/* ---- hybrid processors ---- */

/* Whether the directory is the sweep of a hybrid processor: it has cores.json and, for each type of cores, a directory
 * of its name with a sweep on these cores. */
CM_API bool cm_sweep_has_cores(const char *directory);
/* The types of cores listed there; *count is 0 if there is no such list. CM_BAD_INPUT if the file is no list. */
CM_API cm_status cm_sweep_cores_read(const char *directory, cm_core_type types[CM_CORE_TYPES], size_t *count,
                                     cm_error *error);
/* Writes the list of types into the directory, which must exist. CM_IO, CM_NO_MEMORY. */
CM_API cm_status cm_sweep_cores_write(const char *directory, const cm_core_type *types, size_t count, cm_error *error);

/* The conditions of a sweep, from its manifest. */
typedef struct cm_sweep_conditions {
    char *pmu; /* "hardware" or "software:<model>" */
    size_t repetitions;
    char *model; /* the model's checksum; "" if there is none */
    char *core;  /* the type of cores of a hybrid processor; "" if it has none */
    size_t event_count;
    char **events; /* the patterns of events of its options */
} cm_sweep_conditions;

/* CM_BAD_INPUT if the directory holds no complete sweep, but only tables or an import. Clear after success. */
CM_API cm_status cm_sweep_conditions_read(const char *directory, cm_sweep_conditions *conditions, cm_error *error);
CM_API void cm_sweep_conditions_clear(cm_sweep_conditions *conditions);

#ifdef __cplusplus
}
#endif
#endif
