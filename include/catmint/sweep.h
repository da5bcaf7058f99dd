/* The sweep: runs every kernel of a benchmark while every native event is counted, as often as there are repetitions,
 * and keeps all of it in a sweep directory: <benchmark>.csv, events.csv, manifest.json. */
#ifndef CATMINT_SWEEP_H
#define CATMINT_SWEEP_H

#include <stddef.h>

#include <catmint/counting.h>
#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_sweep_progress {
    const char *benchmark;
    size_t done; /* runs of all kernels of a benchmark with one group of event sets, over all benchmarks */
    size_t total;
    size_t events;   /* events counted so far */
    size_t failures; /* events given up so far */
    double seconds;  /* since the start */
} cm_sweep_progress;

typedef struct cm_sweep_options {
    const char *directory;         /* created if missing; its parent must exist */
    const char *const *benchmarks; /* names */
    size_t benchmark_count;
    const char *const *events; /* globs over event names, `!GLOB` excludes; none: all */
    size_t events_count;
    size_t repetitions;                                              /* 5 */
    void (*progress)(const cm_sweep_progress *progress, void *data); /* may be NULL */
    void *progress_data;
    const volatile int *stop; /* non-zero ends the sweep with CM_INTERRUPTED and nothing half-written; may be NULL */
} cm_sweep_options;

CM_EXPORT void cm_sweep_options_default(cm_sweep_options *options);

typedef struct cm_sweep_summary {
    size_t counted;          /* events with complete repetitions */
    size_t unavailable;      /* events that could not be counted; events.csv says why */
    size_t kernels_left_out; /* for want of an instruction set; manifest.json names them */
} cm_sweep_summary;

CM_EXPORT cm_status cm_sweep(cm_counting *counting, const cm_sweep_options *options, cm_sweep_summary *summary,
                             cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
