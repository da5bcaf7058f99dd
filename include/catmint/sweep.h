/* The sweep: runs every kernel of a benchmark while every native event is counted, as often as there are repetitions,
 * and keeps all of it in a sweep directory:
 *
 * <benchmark>.csv: the measurements, raw counts; repetitions are numbered from 1, threads from 0. Kernels with a chain
 *   (dcache) are run by a team of processes at the same time, each on a core and a buffer of its own; others by one.
 *   Events have their bare names where only one of the selected events that can be counted has it; where two
 *   components share a name, both have component:::NAME. That is decided before shards are taken and before anything is
 *   counted.
 * events.csv: `event,component,status,reason,hint,description`, every selected event, named as in the tables; status is
 *   `counted`, `unavailable`, or what became of it: `crashed (SIGSEGV)`, `timed out`, `refused (reason)`.
 * manifest.json: schema "catmint.sweep/1": machine, PMU, PAPI version, kernels, options, time, and as
 *   "prefixed_events" the events that tables name with their component; the other files with their sizes and checksums.
 *
 * journal: while the sweep runs, and after it was interrupted or killed, what it has counted so far.
 *
 * Otherwise a directory changes only when the sweep is complete: until then everything is written in a folder aside
 * within it. Then one rename, of that folder, makes its files the result; each takes its place. Tables that only the
 * manifest of the sweep before lists, of benchmarks that this one does not count, stay and are listed again, with
 * "earlier" in their benchmark's entry: the version, start and options of their sweep. Where that was interrupted, the
 * next one finishes it, and readers find the files of the result wherever they stand. Only files that the manifest
 * there lists, and that are as it says, are replaced or removed: CM_IO names any other in the way, before anything is
 * counted. */
#ifndef CATMINT_SWEEP_H
#define CATMINT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/counting.h>
#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_sweep_progress {
    const char *benchmark;
    size_t done; /* repetitions of all kernels of a benchmark with one set of each component, over all benchmarks */
    size_t total;
    size_t events;   /* events of this benchmark whose repetitions are complete */
    size_t failures; /* events given up so far */
    double seconds;  /* since the start */
    double left;     /* seconds that the rest will take, about; NaN: unknown yet */
} cm_sweep_progress;

/* Every event that the session lists, and no combination of qualifiers. */
#define CM_QUALIFIERS_AS_LISTED SIZE_MAX

typedef struct cm_sweep_options {
    const char *directory;         /* created if missing; its parent must exist */
    const char *const *benchmarks; /* names */
    size_t benchmark_count;
    const char *const *events; /* globs over event names or component:::NAME, `!GLOB` excludes anywhere; none: all */
    size_t events_count;
    /* A file of more of them, one a line; a number behind a name: it and its qualifiers, up to so many at a time, as
     * CAT writes it. NULL: none. */
    const char *events_file;
    const char *const *components; /* globs over names of components; none: all */
    size_t component_count;
    /* Events have up to so many; all combinations of two and more are tried, for the session does not list them. */
    size_t qualifiers;
    /* Codes to be swept instead of named events, `[device:]field=values,...`, values being numbers and ranges joined by
     * `|`: "event=0x00-0xff,umask=0x00-0xff"; fields are those of /sys/bus/event_source/devices/<device>/format. All
     * are counted once over short runs first; of those that count the same one is swept. NULL: none. */
    const char *raw;
    /* Events that count for a whole socket are swept, and no others. One core runs the kernels, and must be the only
     * busy one: after each run of a kernel it is counted for as long while the socket is quiet. */
    bool uncore;
    const char *root; /* the folder that holds sys with the formats of codes; NULL: "", this machine's own */
    /* A model of another architecture's processor counts the kernels of this one all the same; the manifest, and
     * results from it, say that they are not comparable. */
    bool anyway;
    size_t shard;       /* which part of the selected events, from 1; 0: all */
    size_t shards;      /* of how many: every so-many-th event is a shard's */
    size_t repetitions; /* 0: 5, of benchmarks whose kernels have chains 15 */
    /* Processes that count at the same time where a benchmark is private to a core, one a physical core, each its own
     * event sets; one that crashes or hangs costs the events that are to blame. 0: a process for every core that this
     * one may use. */
    size_t workers;
    /* Events whose names or codes look as if they counted what the benchmarks are about come first, for a sweep that
     * may be stopped: data/promising.csv. */
    bool promising_first;
    size_t threads; /* members of the team, one a core; 0: every core that shares the last-level cache with this one */
    size_t max_buffer;         /* bytes of one chain; 0: a quarter of the free memory, over the team */
    double max_kernel_seconds; /* that one run of a kernel with a chain is expected to take at most, more than 0 (10) */
    void (*progress)(const cm_sweep_progress *progress, void *data); /* may be NULL */
    void *progress_data;
    /* A line that a person should read: kernels that are left out, events that are given up, and why. NULL:
     * only the manifest says. */
    void (*message)(const char *text, void *data);
    void *message_data;
    /* Goes on with a sweep of the same kernels, options and events on the same machine that did not end in this
     * directory; what it counted is kept. Without one, all is counted. */
    bool resume;
    const volatile int
        *stop; /* non-zero ends the sweep with CM_INTERRUPTED, nothing half-written but the journal; may be NULL */
    /* Non-zero beside *stop: what was counted so far is the result, an incomplete one, whose manifest says what was
     * left out; the journal stays, and `resume` counts the rest. Where nothing was counted, or a result that is
     * complete would be lost, CM_INTERRUPTED as ever. NULL: never. */
    const volatile int *enough;
    /* Tables of an earlier sweep of other benchmarks in the directory are removed. Otherwise they stay; one that was
     * counted on another PMU or machine, by another PAPI or under other names of events cannot, and is
     * CM_BAD_ARGUMENT. */
    bool replace;
} cm_sweep_options;

CM_API void cm_sweep_options_default(cm_sweep_options *options);

typedef struct cm_sweep_summary {
    size_t counted;     /* events with complete repetitions */
    size_t unavailable; /* selected events that could not be counted, given up ones included; events.csv says why */
    size_t unknown;     /* lines of the file of events that fit none */
    size_t given_up;    /* of them, those that crashed, hung or failed: part of the sweep failed */
    size_t kernels_left_out;  /* for lack of an instruction set; manifest.json names them */
    size_t kernels_unplaced;  /* whose chain finds no room on this machine; manifest.json says why */
    size_t components_failed; /* that crashed or hung when they were initialised: part of the sweep failed */
    bool ended_early;         /* by *enough: the result is incomplete */
    bool resumable;           /* it failed, and what was counted so far is kept in the directory; all else is 0 then */
} cm_sweep_summary;

/* Whether the result may be written into options->directory: CM_IO names what is in the way. cm_sweep asks, too. */
CM_API cm_status cm_sweep_check(const cm_sweep_options *options, cm_error *error);

/* CM_BAD_ARGUMENT for an unknown benchmark, no repetition, a glob that fits no event, or more threads than cores;
 * CM_UNSUPPORTED where none of the selected events or of the kernels can be had here, where no process can be started,
 * or where processes are ended from outside again and again; CM_NO_MEMORY; CM_IO; CM_INTERRUPTED. An event that stops
 * being countable meanwhile, for reasons of its own, costs only itself, and is no longer countable in the session
 * either. `summary` is filled after a failure, too; it may be NULL. */
CM_API cm_status cm_sweep(cm_counting *counting, const cm_sweep_options *options, cm_sweep_summary *summary,
                          cm_error *error);

/* ---- what a sweep would do ---- */

typedef struct cm_sweep_forecast_part {
    const char *name; /* a component's, which belongs to the session, or a benchmark's, which belongs to the options */
    size_t events;    /* countable ones of the component; those of all components for a benchmark */
    size_t sets;      /* event sets of the component; for a benchmark those that are counted one after the other */
    size_t largest;   /* events in a set of the component */
    size_t kernels;   /* of the benchmark, that run here */
    size_t repetitions; /* of its kernels */
    size_t runs;        /* of its kernels, over sets and repetitions */
    double seconds;     /* that they are expected to take, NaN if unknown */
} cm_sweep_forecast_part;

typedef struct cm_sweep_forecast {
    size_t selected; /* events */
    size_t countable;
    size_t sets; /* that are counted one after the other, those of several components side by side */
    size_t runs;
    double seconds; /* NaN if unknown */
    size_t component_count;
    cm_sweep_forecast_part *components; /* those that have a set */
    size_t benchmark_count;
    cm_sweep_forecast_part *benchmarks;
} cm_sweep_forecast;

/* Selects and plans as cm_sweep does, counts nothing and writes nothing: options->directory is not used. Each kernel is
 * run once to know how long it takes. Errors as for cm_sweep. */
CM_API cm_status cm_sweep_forecast_create(cm_counting *counting, const cm_sweep_options *options,
                                          cm_sweep_forecast **forecast, cm_error *error);
CM_API void cm_sweep_forecast_free(cm_sweep_forecast *forecast);

/* Which benchmarks of a forecast fit into `seconds`: `order`, with room for all of them, gets their indices, those
 * first that have most metrics for their time, then the others in the same order. Returns how many fit: one that does
 * not is passed over, and a shorter one after it may fit. One whose time is unknown fits nothing. `metrics`: one a
 * benchmark.
 */
CM_API size_t cm_sweep_fit(const cm_sweep_forecast *forecast, const size_t *metrics, double seconds, size_t *order);

/* Where time is left once the first `fit` of `order` are counted: the next of the others that `seconds` suffice for a
 * set of events of is moved behind them, to be begun. false where there is none. */
CM_API bool cm_sweep_fit_part(const cm_sweep_forecast *forecast, double seconds, size_t fit, size_t *order);

/* Whether the journal of an unfinished sweep is in the directory, perhaps beside an earlier result, which alone is
 * read. */
CM_API bool cm_is_unfinished_sweep(const char *directory);
/* Whether the result in the directory is that of a sweep that was ended early. */
CM_API bool cm_is_incomplete_sweep(const char *directory);

/* ---- hybrid processors ---- */

/* A hybrid processor's sweep is a directory with cores.json and, for each type of cores, a folder of its name, which is
 * the directory of a sweep on these cores. */
CM_API bool cm_sweep_has_cores(const char *directory);
/* The types that are listed there; *count is 0 where there is no such list. CM_BAD_INPUT where it is none. */
CM_API cm_status cm_sweep_cores_read(const char *directory, cm_core_type types[CM_CORE_TYPES], size_t *count,
                                     cm_error *error);
/* Lists them in the directory, which must be there. CM_IO, CM_NO_MEMORY. */
CM_API cm_status cm_sweep_cores_write(const char *directory, const cm_core_type *types, size_t count, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
