/* What the parts of an analysis share. */
#ifndef CM_DISCOVERY_ANALYZE_H
#define CM_DISCOVERY_ANALYZE_H

#include "discovery/results.h"

/* One measurement table to analyse. */
typedef struct cm_analyze_job {
    const char *benchmark;    /* as results name it */
    const char *measurements; /* path */
    const cm_benchmark *defaults;
    const cm_analyze_options *options;
    const cm_control_table *controls; /* of the same sweep */
    size_t control_count;
} cm_analyze_job;

/* ---- options.c ---- */

cm_benchmark_request cm_analyze_request(const cm_analyze_job *job, const cm_results *results,
                                        const cm_event_components *components);
/* CM_BAD_ARGUMENT where a benchmark is unknown, or tables of the caller's own are for several. */
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

/* ---- vendor_presets.c ---- */

/* Gives each preset to the metric that it means where the results are from; those of unknown processors stay. */
cm_status cm_vendor_presets_apply(cm_results *results, cm_error *error);

/* ---- together.c ---- */

/* Tries all definitions of a benchmark that were not tried before, each by itself and several as groups. */
cm_status cm_try_definitions(const cm_benchmark_result *result, cm_error *error);

/* ---- benchmark_result.c ---- */

/* From a stream; *result stays NULL where the table turns out not to be one that can be read so. */
cm_status cm_benchmark_result_create_streamed(const cm_benchmark_request *request, const char *benchmark,
                                              const cm_stream *stream, const cm_basis *basis,
                                              const cm_signatures *signatures, size_t unavailable,
                                              cm_benchmark_result **result, cm_error *error);

/* ---- streamed.c ---- */

/* Adds all events, and sets the source's tags, which are freed with free(). Its `good` is false, and nothing was added,
 * where the table cannot be read so, as with a value that is no count. */
cm_status cm_add_streamed(cm_analysis *analysis, cm_event_source *source, cm_error *error);

/* ---- solve_metrics.c, solve_by_evidence.c: from selected events to metrics ---- */

/* Definitions of all metrics, how stable they are, and what may stand in for them or for their terms. On failure
 * cm_benchmark_result_free() frees what there is. */
cm_status cm_solve_metrics(cm_benchmark_result *result, cm_error *error);

/* The same by all that was counted: each definition is held against the result's evidence. */
cm_status cm_solve_by_evidence(cm_benchmark_result *result, cm_error *error);
void cm_proofs_free(cm_benchmark_result *result);

/* ---- solve_countable.c: definitions whose events can be counted together ---- */

/* The definition of a metric by the events that are `usable` (one a place; NULL: all), with at most `most` terms (0:
 * any number). Where it holds and its events refuse each other, another one that holds and can be counted, if there is
 * such a one. */
cm_status cm_solve_countable(const cm_benchmark_result *result, size_t metric, const bool *usable, size_t most,
                             cm_solution *solution, cm_error *error);

/* Of what may stand in for a term, what leaves the definition countable comes first. */
cm_status cm_order_stand_ins(const cm_benchmark_result *result, const cm_fit *fit, size_t term,
                             struct cm_term_equivalents *found, cm_error *error);

/* ---- doubts.c ---- */

/* What the law says of the solution. The caller frees *doubts. */
cm_status cm_find_doubts(const cm_evidence *evidence, size_t metric, const cm_solution *solution,
                         cm_open_questions **doubts, cm_error *error);
/* The smallest overcount of a symbol that the evidence would show; NaN: unknown. */
double cm_resolution_of(const cm_evidence *evidence, size_t metric, const cm_solution *solution);

/* ---- apart.c ---- */

/* Fills what no kernel has side by side. */
cm_status cm_find_beside(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                         cm_open_questions *doubts, cm_error *error);

#endif
