/* What the parts of an analysis of files share. */
#ifndef CM_DISCOVERY_ANALYZE_H
#define CM_DISCOVERY_ANALYZE_H

#include "discovery/benchmark_result.h"
#include "discovery/results.h"

/* One measurement table to analyse. */
typedef struct cm_analyze_job {
    const char *benchmark;    /* as results name it */
    const char *measurements; /* path */
    const cm_benchmark *defaults;
    const cm_analyze_options *options;
    const cm_event_components *components;
    cm_tried_sets *tried;             /* NULL: unknown */
    size_t line;                      /* bytes of a cache line, 0: unknown */
    size_t cache_levels;              /* of the machine, 0: unknown */
    const char *architecture;         /* whose kernels were counted, NULL: unknown */
    bool deterministic;               /* nothing disturbed the counts */
    const cm_control_table *controls; /* of the same sweep */
    size_t control_count;
} cm_analyze_job;

/* ---- options.c ---- */

cm_benchmark_request cm_analyze_request(const cm_analyze_job *job);
/* CM_BAD_ARGUMENT if a benchmark is unknown, or tables of the caller's own are for several. */
cm_status cm_analyze_check_names(const cm_analyze_options *options, const cm_benchmarks *benchmarks, cm_error *error);
/* A pattern that fits no event of the results is CM_BAD_INPUT. */
cm_status cm_analyze_check_only(const cm_analyze_options *options, const cm_results *results, const char *path,
                                cm_error *error);

/* ---- defaults.c ---- */

/* Thresholds for a basis of the caller's own: of the benchmark whose kernels it has. CM_BAD_ARGUMENT if there is
 * none and the options do not say them all. Names in `defaults` belong to the benchmarks. */
cm_status cm_analyze_find_defaults(const cm_analyze_options *options, const cm_benchmarks *benchmarks,
                                   cm_benchmark *defaults, cm_error *error);

/* ---- raw_counts.c ---- */

/* Notes where counts of most events look like those of whole runs, and nothing says how many iterations they had.
 * `measurements` may be NULL. */
void cm_analyze_point_out_raw(const cm_analyze_job *job, const cm_measurements *measurements);

/* ---- analyze.c ---- */

/* Analyses one table and appends it to the results. */
cm_status cm_analyze_table(const cm_analyze_job *job, cm_results *results, cm_error *error);

/* ---- directory.c ---- */

cm_status cm_analyze_directory(const char *directory, const cm_benchmarks *benchmarks,
                               const cm_analyze_options *options, cm_results *results, cm_error *error);

/* ---- cores.c ---- */

/* Analyses the sweep of each type of cores that the directory lists, into `whole`, which is empty and has all of them
 * then. */
cm_status cm_analyze_cores(const char *directory, const cm_analyze_options *options, cm_results *whole,
                           cm_error *error);

#endif
