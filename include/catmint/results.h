/* Results of the analysis of measurements, and their two forms: a table for people, JSON for programs. */
#ifndef CATMINT_RESULTS_H
#define CATMINT_RESULTS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <catmint/analysis.h>
#include <catmint/error.h>
#include <catmint/request.h>
#include <catmint/style.h>
#include <catmint/counting.h>
#include <catmint/sweep.h>
#include <catmint/tables.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one benchmark, analysed; the owner of everything it points to ---- */

typedef struct cm_benchmark_result cm_benchmark_result;

/* As in validation.h. */
typedef struct cm_validation cm_validation;

/* General-purpose counters a thread that every x86-64 processor of the last fifteen years has: the default limit of
 * events in a group of definitions. */
enum { CM_GROUP_COUNTERS = 4 };

/* Analyses a measurement table with a basis and signatures: counts per iteration, medians over threads, events,
 * selection, and a fit for each metric. `unavailable`: number of events that could not be counted, for the record. The
 * tables may be freed afterwards. CM_BAD_INPUT names the file of the faulty table: the measurements' if it has a kernel
 * that is not in the basis or too few repetitions, the basis' if its columns are dependent. */
CM_API cm_status cm_benchmark_result_create(const char *benchmark, const cm_measurements *measurements,
                                            const cm_basis *basis, const cm_signatures *signatures,
                                            const cm_thresholds *thresholds, size_t unavailable,
                                            cm_benchmark_result **result, cm_error *error);
/* The same with all options. */
CM_API cm_status cm_benchmark_result_create_for(const cm_benchmark_request *request, const char *benchmark,
                                                const cm_measurements *measurements, const cm_basis *basis,
                                                const cm_signatures *signatures, size_t unavailable,
                                                cm_benchmark_result **result, cm_error *error);
CM_API void cm_benchmark_result_free(cm_benchmark_result *result);
/* The choices of the thresholds; NULL if the thresholds were given. */
CM_API const cm_tau_choice *cm_benchmark_result_tau_choice(const cm_benchmark_result *result);
CM_API const cm_alpha_choice *cm_benchmark_result_alpha_choice(const cm_benchmark_result *result);
CM_API const char *cm_benchmark_result_name(const cm_benchmark_result *result);
/* The analysis itself, for statuses, representations and selection. */
CM_API const cm_analysis *cm_benchmark_result_analysis(const cm_benchmark_result *result);
/* The basis in use: rows of the measured kernels, symbols that some of them have. */
CM_API const cm_basis *cm_benchmark_result_basis(const cm_benchmark_result *result);
CM_API size_t cm_benchmark_result_metric_count(const cm_benchmark_result *result);
CM_API const char *cm_benchmark_result_metric_name(const cm_benchmark_result *result, size_t metric);
/* NULL if nothing of the metric is left on this machine. */
CM_API const cm_fit *cm_benchmark_result_fit(const cm_benchmark_result *result, size_t metric);
/* Composable definitions from other events; NULL and 0 if there are none. */
CM_API const cm_definition *cm_benchmark_result_alternatives(const cm_benchmark_result *result, size_t metric,
                                                             size_t *count);
/* The best definition with at most max_events; NULL if there is no limit or the definition is within it. */
CM_API const cm_definition *cm_benchmark_result_limited(const cm_benchmark_result *result, size_t metric);
/* The stability of the definition; NULL if there is no fit. */
CM_API const cm_definition_stability *cm_benchmark_result_stability(const cm_benchmark_result *result, size_t metric);

/* The outcome of the definition in programs that were not used for fitting; NULL if there were none. */
CM_API const cm_validation *cm_benchmark_result_validation(const cm_benchmark_result *result, size_t metric);
/* The same for workloads. */
CM_API const cm_validation *cm_benchmark_result_workloads(const cm_benchmark_result *result, size_t metric);
/* Whether programs refuted the definition before this one, and none has judged this one yet. */
CM_API bool cm_benchmark_result_pending(const cm_benchmark_result *result, size_t metric);

/* ---- results: the machine, its PMU, and one result a benchmark ---- */

typedef struct cm_results cm_results;

CM_API cm_status cm_results_create(cm_results **results, cm_error *error);
CM_API void cm_results_free(cm_results *results);
/* The PMU that counted, "hardware" or "software:<model>", and the reason for it, a sentence (may be ""). */
CM_API cm_status cm_results_set_pmu(cm_results *results, const char *pmu, const char *reason, cm_error *error);
/* NULL if it is unknown, as for a lone measurement table. */
CM_API const char *cm_results_pmu(const cm_results *results);
/* The reason why other results and formulas cannot be compared with these: a model of another architecture's processor
 * counted this one's kernels. NULL: they are comparable. */
CM_API const char *cm_results_not_comparable(const cm_results *results);
/* Appends one benchmark, which belongs to `results` from then on; on failure it remains the caller's. */
CM_API cm_status cm_results_add(cm_results *results, cm_benchmark_result *benchmark, cm_error *error);
CM_API size_t cm_results_benchmark_count(const cm_results *results);
CM_API const cm_benchmark_result *cm_results_benchmark(const cm_results *results, size_t index);

/* ---- hybrid processors ---- */

/* The types of cores in the results, each with its own benchmarks; 0 if cores are all alike. */
CM_API size_t cm_results_core_count(const cm_results *results);
CM_API const cm_core_type *cm_results_core(const cm_results *results, size_t core);
/* The results of that type alone; they belong to `results`. */
CM_API cm_results *cm_results_of_core(cm_results *results, size_t core);
/* The type of cores on which the benchmark was counted; "" if cores are all alike. */
CM_API const char *cm_benchmark_result_core(const cm_benchmark_result *result);

/* ---- from files ---- */

typedef struct cm_analyze_options {
    size_t size;                   /* of this structure */
    const char *const *benchmarks; /* names; for a sweep directory a selection, none: all that are there */
    size_t benchmark_count;
    const char *basis;      /* path; NULL: the benchmark's own */
    const char *signatures; /* path; NULL: the benchmark's own */
    const char *controls;   /* path of kernels that are not fitted, as a basis; NULL: the benchmark's own alone */
    double tau;             /* NaN: the benchmark's own; so for the next two */
    double alpha;
    double residual;
    bool tau_auto; /* choose it from the data; `tau` is not used then */
    bool alpha_auto;
    const char *const *avoid; /* as in cm_benchmark_request */
    size_t avoid_count;
    const char *const *only; /* as in cm_benchmark_request; CM_BAD_INPUT if one fits no event of any benchmark */
    size_t only_count;
    size_t max_events;
    bool with_offset_events;
    cm_analysis_method method;
    cm_events_detail events_detail;
    size_t stream_from; /* plain tables of so many bytes and more are streamed, not held in memory (32 MiB; of controls
                           1 MiB) */
    const volatile int *stop; /* non-zero ends the analysis with CM_INTERRUPTED; may be NULL */
    /* For a sweep directory: the session in which definitions are tried as one event set, on the PMU of the sweep; the
     * outcome is noted in the directory. It must live as long as the results. NULL: only noted outcomes are known. */
    cm_counting *counting;
    /* Called with a line for the user: a file of a sweep directory that is not read, and the reason. May be NULL. */
    void (*note)(const char *text, void *data);
    void *note_data;
} cm_analyze_options;

static inline void cm_analyze_options_default(cm_analyze_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->tau = options->alpha = options->residual = NAN;
    options->stream_from = (size_t)32 << 20;
}

/* Analyses a sweep directory (every <benchmark>.csv of benchmarks.csv in it, with its events.csv and manifest.json if
 * they are there) or one measurement table. Of a hybrid processor's sweep (cm_sweep_has_cores) it analyses the
 * directory of each type of cores; names to avoid must be events of all types, patterns of events to use must fit
 * events of each. A table needs either the name of exactly one benchmark, or both basis and signatures. With these the
 * result has the name of the basis' file and the thresholds of the benchmark with the same kernels; if there is none,
 * all of `tau`, `alpha` and `residual` are needed. `basis` and `signatures` are for one benchmark. CM_BAD_ARGUMENT if
 * these rules are broken, CM_BAD_INPUT and CM_IO with the file if one is wrong, or differs from manifest.json. */
CM_API cm_status cm_results_analyze_create(const char *path, const cm_analyze_options *options, cm_results **results,
                                           cm_error *error);

/* ---- validation ---- */

/* Reports the outcome of cm_results_validate, as a table or as JSON with the schema catmint.validation/1. CM_IO if the
 * stream fails, with errno's words. */
CM_API cm_status cm_results_write_validation(const cm_results *results, const cm_output_style *style, FILE *stream,
                                             cm_error *error);
CM_API cm_status cm_results_save_validation(const cm_results *results, const cm_output_style *style, const char *path,
                                            cm_error *error);

/* ---- writing ---- */

/* A table, or JSON that follows docs/catmint.metrics-1.schema.json; numbers read back as the same doubles. CM_IO if the
 * stream fails, with errno's words. */
CM_API cm_status cm_results_write(const cm_results *results, const cm_output_style *style, FILE *stream,
                                  cm_error *error);
/* Writes the same into a file, which is whole, or as it was before. */
CM_API cm_status cm_results_save(const cm_results *results, const cm_output_style *style, const char *path,
                                 cm_error *error);

/* A summary of about twenty lines: the PMU that counted, the number of defined metrics of each benchmark, the metrics
 * without a definition, and the reasons. A table; CM_BAD_ARGUMENT for another format, CM_IO if the stream fails, with
 * errno's words. */
CM_API cm_status cm_results_write_summary(const cm_results *results, const cm_output_style *style, FILE *stream,
                                          cm_error *error);

/* ---- explaining ---- */

/* Events or metrics by their names. */
typedef struct cm_explain_question {
    const char *name; /* for a metric also its preset */
    bool metric;      /* a metric; else an event, or a preset, which begins with PAPI_ */
    size_t more_count;
    const char *const *more; /* further names of the same kind; may be NULL if there are none */
    bool whole;              /* text lists all symbols, facts and events, not only the first few */
} cm_explain_question;

/* Explains these names, in every benchmark that has them: text, or JSON with the schema catmint.explain/1. CM_BAD_INPUT
 * if nothing has one of these names; the text offers a near one. */
CM_API cm_status cm_results_explain(const cm_results *results, const cm_explain_question *question,
                                    const cm_output_style *style, FILE *stream, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
