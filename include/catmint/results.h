/* Results: what the analysis of measurements yields, and its two forms: a table for people, JSON for programs. */
#ifndef CATMINT_RESULTS_H
#define CATMINT_RESULTS_H

#include <stdbool.h>
#include <stdio.h>

#include <catmint/analysis.h>
#include <catmint/error.h>
#include <catmint/style.h>
#include <catmint/tables.h>
#include <catmint/validation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one benchmark, analysed; the owner of everything it points to ---- */

typedef struct cm_benchmark_result cm_benchmark_result;

/* Where a threshold comes from. */
typedef enum cm_threshold_source {
    CM_THRESHOLD_DEFAULT, /* the benchmark's */
    CM_THRESHOLD_GIVEN,   /* the caller's */
    CM_THRESHOLD_AUTO,    /* chosen from the data */
    CM_THRESHOLD_REFUSED, /* to be chosen from the data, which gave no reason to: the benchmark's */
} cm_threshold_source;

/* What a kernel is for the definitions of a benchmark. */
typedef enum cm_kernel_part {
    CM_PART_FITTED,
    CM_PART_CONTROL,
    CM_PART_FREE,       /* for facts that vendors disagree about */
    CM_PART_DIFFERENCE, /* no kernel: the first of two others less the second */
} cm_kernel_part;
#define CM_PART_COUNT ((int)CM_PART_DIFFERENCE + 1)

/* Which events the JSON lists. */
typedef enum cm_events_detail {
    CM_EVENTS_ALL,
    CM_EVENTS_KEPT,     /* selected and dependent ones */
    CM_EVENTS_SELECTED, /* selected ones */
} cm_events_detail;

/* Of which component an event of a table is. */
typedef struct cm_event_components {
    /* PAPI's name of it; NULL where it is unknown. */
    const char *(*find)(const char *event, void *data);
    void *data;
} cm_event_components;

/* How definitions are found and judged. */
typedef enum cm_method {
    CM_METHOD_CATMINT, /* the second edition: every definition is held against kernels that it was not fitted on */
    CM_METHOD_PAPER,   /* the first edition: the paper's rules */
} cm_method;

/* The measurements of another benchmark of the same sweep, whose kernels control definitions. */
typedef struct cm_control_table {
    const char *benchmark;
    const char *path;
    size_t stream_from; /* as in cm_analyze_options */
} cm_control_table;

/* Which events were tried as one event set, and what became of it. */
typedef struct cm_tried_sets cm_tried_sets;

/* General-purpose counters that every x86-64 processor of the last fifteen years has for a thread: so many events a
 * group of definitions may have, where nobody says otherwise. */
enum { CM_GROUP_COUNTERS = 4 };

/* What is asked of an analysis. */
typedef struct cm_request {
    cm_method method;
    const cm_control_table *controls; /* not looked at by the paper's method */
    size_t control_count;
    cm_thresholds thresholds;
    cm_threshold_source tau_source; /* CM_THRESHOLD_AUTO: choose it, `thresholds` has what it falls back to */
    cm_threshold_source alpha_source;
    /* Names of events to leave out, NAME or component:::NAME; one that was not measured is CM_BAD_INPUT, and so is one
     * that means two. */
    const char *const *avoid;
    size_t avoid_count;
    const char *const *only; /* patterns (fnmatch) of events to use, likewise with or without component; none: all */
    size_t only_count;
    const cm_event_components *components; /* of the table's events; NULL: unknown, any will do */
    cm_events_detail events_detail;
    bool with_offset_events;  /* events with a constant offset may be selected */
    size_t max_events;        /* look for definitions with at most so many events where there are more; 0: no limit */
    const char *architecture; /* whose kernels were counted, "aarch64", as manifests say; NULL: this one's */
    cm_tried_sets *tried;     /* which events can be counted together; must outlive the result. NULL: unknown */
    const volatile int *stop; /* as in cm_analysis_set_stop */
} cm_request;

/* Brings a measurement table, a basis and signatures together: counts per iteration, medians over threads, events,
 * selection, and a fit for each metric. `unavailable`: events that could not be counted, for the record. The tables may
 * be freed afterwards. CM_BAD_INPUT names the file of the table that is wrong: the measurement's where it has a kernel
 * that the basis does not know or too few repetitions, the basis' where its columns are dependent. */
CM_API cm_status cm_benchmark_result_create(const char *benchmark, const cm_measurements *measurements,
                                            const cm_basis *basis, const cm_signatures *signatures,
                                            const cm_thresholds *thresholds, size_t unavailable,
                                            cm_benchmark_result **result, cm_error *error);
/* The same with more to ask for. */
CM_API cm_status cm_benchmark_result_create_for(const cm_request *request, const char *benchmark,
                                                const cm_measurements *measurements, const cm_basis *basis,
                                                const cm_signatures *signatures, size_t unavailable,
                                                cm_benchmark_result **result, cm_error *error);
CM_API void cm_benchmark_result_free(cm_benchmark_result *result);
/* How the thresholds were chosen; NULL where they were not to be. */
CM_API const cm_tau_choice *cm_benchmark_result_tau_choice(const cm_benchmark_result *result);
CM_API const cm_alpha_choice *cm_benchmark_result_alpha_choice(const cm_benchmark_result *result);
CM_API const char *cm_benchmark_result_name(const cm_benchmark_result *result);
/* The analysis behind it, for statuses, representations and selection. */
CM_API const cm_analysis *cm_benchmark_result_analysis(const cm_benchmark_result *result);
/* The basis that was used: rows of the kernels that were measured, symbols that some of them have. */
CM_API const cm_basis *cm_benchmark_result_basis(const cm_benchmark_result *result);
CM_API size_t cm_benchmark_result_metric_count(const cm_benchmark_result *result);
CM_API const char *cm_benchmark_result_metric_name(const cm_benchmark_result *result, size_t metric);
/* NULL where nothing of the metric is left on this machine. */
CM_API const cm_fit *cm_benchmark_result_fit(const cm_benchmark_result *result, size_t metric);
/* Composable definitions from other events; NULL and 0 where there are none. */
CM_API const cm_definition *cm_benchmark_result_alternatives(const cm_benchmark_result *result, size_t metric,
                                                             size_t *count);
/* The best definition with at most max_events; NULL where that was not asked for or the definition has no more. */
CM_API const cm_definition *cm_benchmark_result_limited(const cm_benchmark_result *result, size_t metric);
/* How stable the definition is; NULL where there is no fit. */
CM_API const cm_stability *cm_benchmark_result_stability(const cm_benchmark_result *result, size_t metric);

/* What became of the definition in programs that nobody fitted; NULL where it was not held against any. */
CM_API const cm_validation *cm_benchmark_result_validation(const cm_benchmark_result *result, size_t metric);
/* Likewise in workloads. */
CM_API const cm_validation *cm_benchmark_result_workloads(const cm_benchmark_result *result, size_t metric);
/* Whether programs refuted the definition before this one, which was held against none yet. */
CM_API bool cm_benchmark_result_pending(const cm_benchmark_result *result, size_t metric);

/* ---- results: the machine, its PMU, and one result a benchmark ---- */

typedef struct cm_results cm_results;

CM_API cm_status cm_results_create(cm_results **results, cm_error *error);
CM_API void cm_results_free(cm_results *results);
/* Which PMU counted, "hardware" or "software:<model>", and why this one, a sentence (may be ""). */
CM_API cm_status cm_results_set_pmu(cm_results *results, const char *pmu, const char *reason, cm_error *error);
/* NULL where it is unknown, as for a lone measurement table. */
CM_API const char *cm_results_pmu(const cm_results *results);
/* Why no other results compare with these, and no formula can be held against them: a model of another architecture's
 * processor counted this one's kernels. NULL: they are comparable. */
CM_API const char *cm_results_not_comparable(const cm_results *results);
/* Appends one benchmark, which belongs to `results` from then on; on failure it is the caller's still. */
CM_API cm_status cm_results_add(cm_results *results, cm_benchmark_result *benchmark, cm_error *error);
CM_API size_t cm_results_benchmark_count(const cm_results *results);
CM_API const cm_benchmark_result *cm_results_benchmark(const cm_results *results, size_t index);

/* ---- hybrid processors ---- */

/* Types of cores that the results are of, each with its own benchmarks among all: 0 where cores are all alike. */
CM_API size_t cm_results_core_count(const cm_results *results);
CM_API const cm_core_type *cm_results_core(const cm_results *results, size_t core);
/* The results of that type alone, which belong to all of them. */
CM_API cm_results *cm_results_of_core(cm_results *results, size_t core);
/* The type that the benchmark was counted on; "" where cores are all alike. */
CM_API const char *cm_benchmark_result_core(const cm_benchmark_result *result);

/* ---- from files ---- */

typedef struct cm_analyze_options {
    const char *const *benchmarks; /* names; of a sweep directory: which ones, none: all that are there */
    size_t benchmark_count;
    const char *basis;      /* path; NULL: that of the benchmark */
    const char *signatures; /* path; NULL: those of the benchmark */
    double tau;             /* NaN: the benchmark's own, as for the next two */
    double alpha;
    double residual;
    bool tau_auto; /* choose it from the data; `tau` is then not looked at */
    bool alpha_auto;
    const char *const *avoid; /* as in cm_request */
    size_t avoid_count;
    const char *const *only; /* likewise; CM_BAD_INPUT where one fits no event of any benchmark */
    size_t only_count;
    size_t max_events;
    bool with_offset_events;
    cm_method method;
    cm_events_detail events_detail;
    size_t stream_from; /* tables of so many bytes and more are streamed where they are plain, not held (32 MiB) */
    const volatile int *stop; /* non-zero ends the analysis with CM_INTERRUPTED; may be NULL */
    /* Of a sweep directory: tries definitions as one event set, on the PMU that the sweep was counted on, and notes
     * what becomes of it in the directory. It must live as long as the results. NULL: only what is noted there is
     * known.
     */
    cm_counting *counting;
    /* A line that a person should read: what in a sweep directory is not read, and why. May be NULL. */
    void (*note)(const char *text, void *data);
    void *note_data;
} cm_analyze_options;

CM_API void cm_analyze_options_default(cm_analyze_options *options);

/* Of a hybrid processor's sweep (cm_sweep_has_cores) each type's directory is analysed; names to avoid must be events
 * of all types, patterns of events to use fit events of each. Analyses a sweep directory (every <benchmark>.csv of
 * benchmarks.csv in it, with its events.csv and manifest.json where they are there) or one measurement table. A table
 * needs exactly one benchmark named, or basis and signatures both, which then take the name of the basis' file and the
 * thresholds of the benchmark whose kernels are those of the basis; where there is none, all of `tau`, `alpha` and
 * `residual` are needed. `basis` and `signatures` are for one benchmark. CM_BAD_ARGUMENT where that is not so,
 * CM_BAD_INPUT and CM_IO with the file where one is wrong, or is not the one that manifest.json lists. */
CM_API cm_status cm_results_analyze_create(const char *path, const cm_analyze_options *options, cm_results **results,
                                           cm_error *error);

/* ---- validation ---- */

/* What a stage counts: the events of all composable definitions, and of alternatives to them; of controls all events
 * that definitions may use, in benchmarks of which the programs before refute one; of fresh programs those of
 * definitions that were solved with controls. Later stages need what cm_results_validate made of the earlier ones. Each
 * event once; the names belong to `results`, the list is freed with free(). */
CM_API cm_status cm_results_events_to_validate(const cm_results *results, cm_validation_stage stage,
                                               const char ***events, size_t *count, cm_error *error);
/* All events that were measured, whatever they turned out to be. */
CM_API cm_status cm_results_measured_events(const cm_results *results, const char ***events, size_t *count,
                                            cm_error *error);
/* Holds every composable definition against the programs and workloads. One that is refuted is composable no longer; an
 * alternative that is refuted is gone. Where there are controls, metrics of refuted definitions are solved again with
 * the programs that refuted them, and held against fresh ones. Once for results. */
CM_API cm_status cm_results_validate(cm_results *results, const cm_program_tables *tables, cm_error *error);

/* Reports what cm_results_validate found, as a table or as JSON with the schema catmint.validation/1. CM_IO where the
 * stream fails, with errno's words. */
CM_API cm_status cm_results_write_validation(const cm_results *results, const cm_style *style, FILE *stream,
                                             cm_error *error);
CM_API cm_status cm_results_save_validation(const cm_results *results, const cm_style *style, const char *path,
                                            cm_error *error);

/* ---- writing ---- */

/* A table, or JSON that follows docs/catmint.metrics-1.schema.json; numbers read back as the same doubles. CM_IO where
 * the stream fails, with errno's words. */
CM_API cm_status cm_results_write(const cm_results *results, const cm_style *style, FILE *stream, cm_error *error);
/* The same into a file, which is whole or as it was before. */
CM_API cm_status cm_results_save(const cm_results *results, const cm_style *style, const char *path, cm_error *error);

/* For people, in about twenty lines: which PMU counted, how many metrics of each benchmark are defined, which are not,
 * and why. A table; CM_BAD_ARGUMENT for another format, CM_IO where the stream fails, with errno's words. */
CM_API cm_status cm_results_write_summary(const cm_results *results, const cm_style *style, FILE *stream,
                                          cm_error *error);

/* ---- explaining ---- */

/* Events or metrics by their names. */
typedef struct cm_question {
    const char *name; /* of a metric also its preset */
    bool metric;      /* else an event, or a preset, which begins with PAPI_ */
    size_t more_count;
    const char *const *more; /* further names of the same kind; may be NULL where there are none */
} cm_question;

/* What is known of it, in every benchmark that has it: text, or JSON with the schema catmint.explain/1. CM_BAD_INPUT
 * where nothing has one of these names; the text offers a near one. */
CM_API cm_status cm_results_explain(const cm_results *results, const cm_question *question, const cm_style *style,
                                    FILE *stream, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
