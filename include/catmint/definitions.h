/* Definitions, of results in memory or read from the output of `catmint analyze --format json`. Look a metric up by its
 * name or preset, get its events and coefficients, and evaluate it on counts. docs/catmint.metrics-1.schema.json is the
 * schema of the file. */
#ifndef CATMINT_DEFINITIONS_H
#define CATMINT_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/analysis.h>
#include <catmint/error.h>
#include <catmint/results.h>
#include <catmint/validation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All definitions of one file. Pointers from its accessors belong to it. */
typedef struct cm_definitions cm_definitions;

/* Reads and validates the whole file, of a directory its results.json. CM_BAD_INPUT with file, line and column if it is
 * no JSON or does not follow the schema, the length of a list of numbers is not the number of symbols, a name appears
 * twice, or the results are not comparable (cm_results_not_comparable); CM_IO if it cannot be read. */
CM_API cm_status cm_definitions_load(const char *path, cm_definitions **definitions, cm_error *error);
/* Makes the same from results in memory, which may be freed afterwards: every field of the JSON of these results equals
 * that of cm_definitions_load. CM_BAD_INPUT if their PMU is neither of the names of cm_definitions_pmu, a benchmark is
 * there twice, or they are not comparable. */
CM_API cm_status cm_definitions_from_results_create(const cm_results *results, cm_definitions **definitions,
                                                    cm_error *error);
CM_API void cm_definitions_free(cm_definitions *definitions);

/* The PMU that counted, "hardware" or "software:<model>"; NULL if it is unknown. */
CM_API const char *cm_definitions_pmu(const cm_definitions *definitions);
/* The model name of the measured processor; "" if it is unknown. */
CM_API const char *cm_definitions_machine(const cm_definitions *definitions);
/* The measured processor as its vendor numbers it: vendor-family-model-stepping, the model in hexadecimal,
 * "GenuineIntel-6-8F-8"; "" if it is unknown. */
CM_API const char *cm_definitions_identity(const cm_definitions *definitions);

/* The names in a table for an event that is named by its code: "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE" for
 * cpu:event=0xc7,umask=0x01. Several are separated by ", "; "": none is known, or the event has a name. */
CM_API const char *cm_definitions_code_names(const cm_definitions *definitions, const char *event);

/* ---- metrics ---- */

/* An event that may replace another. */
typedef struct cm_defined_equivalent {
    const char *event;
    double factor; /* it counts `factor` times as much as the other; not 0 */
    cm_counted_together
        together;     /* whether the definition can be counted as one event set with it in the other's place */
    double max_rnmse; /* its noise; NaN: unknown */
} cm_defined_equivalent;

typedef struct cm_defined_term {
    const char *event;  /* as in the table: its name, or component:::NAME if two components count one of that name;
                         * cm_counting_find_event finds it */
    double coefficient; /* finite */
    size_t equivalent_count;
    const cm_defined_equivalent
        *equivalents;       /* of a definition's term, the least noisy first; NULL if there are none */
    bool selected;          /* of a term as solved: its event is */
    const double *interval; /* likewise: two numbers, between which the true coefficient is with a probability of 95 %;
                               NULL: unknown */
} cm_defined_term;

/* A condition of a definition: it holds in programs in which the metric, `fact`, is at least `share` of `per`. */
typedef struct cm_defined_range {
    const char *fact, *per; /* facts, sums of facts or the lesser of two facts, in words */
    double share;
} cm_defined_range;

/* A leak that the kernels leave open: the definition counts at most so much an occurrence of the fact. */
typedef struct cm_defined_leak {
    const char *fact;
    double at_most;
    bool found; /* it was found, and acts together with all others found; else at most one of these leaks acts at a time
                 */
} cm_defined_leak;

/* A definition on each kernel of its benchmark. */
typedef struct cm_defined_check {
    const double *expected; /* of the metric */
    const double *raw;      /* of the terms as solved */
    const double *rounded;  /* of the definition */
    double worst;           /* the largest difference of that and the metric, relative to the largest of the metric */
} cm_defined_check;

/* The range of each threshold, the other one unchanged, that gives the same definition: two numbers each, NaN: no
 * limit. */
typedef struct cm_defined_firmness {
    const double *alpha, *tau;
} cm_defined_firmness;

/* One program that judged a definition: the metric's value there, the largest error of that, and the definition's
 * value. */
typedef struct cm_defined_outcome {
    const char *program;
    double expected, range, measured;
} cm_defined_outcome;

/* The outcome of a definition in programs that were not used to find it. */
typedef struct cm_defined_trial {
    size_t programs, seed,
        failed; /* number of programs that judged it, seed, and number of those in which it was off by too much */
    double worst, median;    /* deviation, relative; NaN: unknown */
    const char *worst_class; /* the class of natural programs with the largest median; "": none */
    const char *refuted_by;  /* NULL: by none */
    const char *worst_program;
    size_t outcome_count;
    const cm_defined_outcome *outcomes;
} cm_defined_trial;

/* Control kernels to which a definition was held, and its deviation on the worst; NaN: unknown. */
typedef struct cm_defined_controls {
    size_t kernels;
    double worst;
} cm_defined_controls;

/* Why a metric has no definition that holds. */
typedef enum cm_obstacle {
    CM_OBSTACLE_NONE,          /* it has one, or the reason is not known, as of a file */
    CM_OBSTACLE_OTHER_COUNTS,  /* the events count other things, too, or not all of it */
    CM_OBSTACLE_NO_COUNTS,     /* no event counts any of it */
    CM_OBSTACLE_NOISE,         /* the events are too noisy */
    CM_OBSTACLE_AMPLIFICATION, /* noise of the events would grow too much */
    CM_OBSTACLE_PROGRAMS,      /* programs refuted it, or the one before it, and none has judged it yet */
    CM_OBSTACLE_NO_LEVEL,      /* the machine has no such level of cache */
    CM_OBSTACLE_NO_KERNEL,     /* none of its kernels was run */
    CM_OBSTACLE_CONFOUNDED,    /* the kernels that were run do not separate it from other metrics */
} cm_obstacle;

/* The verdict of programs and workloads on a metric's definition. */
typedef enum cm_metric_verdict {
    CM_METRIC_NOT_DEFINED,
    CM_METRIC_NOT_VALIDATED, /* none judged it */
    CM_METRIC_HELD,
    CM_METRIC_REFUTED,
} cm_metric_verdict;

typedef struct cm_defined_metric {
    const char *benchmark;
    const char *metric;
    const char *preset;      /* the PAPI preset that it is; "" if there is none */
    const char *description; /* "" if there is none */
    size_t term_count;
    const cm_defined_term *terms; /* the definition: coefficients rounded, terms that round to zero dropped, no event
                                   * twice */
    size_t solved_count;
    const cm_defined_term *solved; /* every selected event with its coefficient as solved */
    double backward_error;         /* this and the next two are the definition's; 0 or more, NaN if the metric is not
                                    * measurable */
    double misfit;
    double amplification;
    size_t symbol_count;     /* of the benchmark */
    const double *signature; /* one a symbol */
    bool composable;         /* the definition measures the metric in all natural programs */
    bool usable;             /* the definition measures it at least if all of `ranges` hold */
    size_t range_count;      /* 0 if it is composable */
    const cm_defined_range *ranges;
    double range_share; /* of the natural programs that do the metric, those in which all of `ranges` hold; NaN: there
                         * are none, or unknown */
    size_t leak_count;
    const cm_defined_leak *leaks;
    bool measurable;          /* false: none of its kernels was run, or none of a part that it needs; there are no terms
                               * then */
    const char *lacks;        /* that part, in words ("half precision"); "" if there is none */
    size_t validation_count;  /* programs not used for fitting on which the definition was checked; 0: none */
    double validation_median; /* median of its relative deviations there; NaN, as the worst, without programs */
    double validation_worst;
    cm_counted_together together; /* whether its events can be counted as one event set */
    size_t refusing_count;
    const char *const *refusing; /* if not: the events that refuse each other */
    const char *core;            /* the type of cores on which it holds; "": cores are all alike, or unknown */
    /* One a control of the benchmark: the lowest and the highest value that it may read there, and the largest error of
     * a sum of events beyond chance. NULL: not known; NaN: not there. */
    const double *control_low, *control_high, *control_limits;
    /* Its meaning, an expression over facts (cm_fact_find); NULL: not known. */
    const char *meaning;
    double own;        /* largest relative miscount of each fact of its meaning; NaN: the law did not judge */
    size_t open_count; /* open leaks that matter less: half a percent or more in some natural program */
    const cm_defined_leak *open;
    double rest; /* sum of all other possible leaks, an instruction of natural programs; NaN as for `own` */
    double solved_backward_error; /* of the terms as solved, as the next two; NaN if the metric is not measurable */
    double solved_misfit;
    double solved_amplification;
    const cm_defined_check *check; /* NULL: the metric is not measurable */
    double constant;               /* to be added to the definition per iteration */
    size_t alternative_count;      /* composable definitions from other events: terms, figures and the law's findings */
    const struct cm_defined_metric *alternatives;
    const struct cm_defined_metric *limited; /* likewise the best with few events; NULL: not asked for, or not needed */
    const cm_defined_firmness *firmness;     /* NULL: unknown */
    const cm_defined_controls *controls;     /* NULL: there are none */
    double resolution; /* the smallest overcount of a symbol that would have been noticed; NaN: unknown */
    size_t confounded_count, also_count;
    const char *const *confounded;   /* facts that no kernel separates from it, in words */
    const char *const *also_counts;  /* facts on which vendors disagree and which it counts, in words */
    const double *symbol_deviations; /* one a symbol: of the definition less the signature; NULL: unknown */
    const char *refused;             /* why no definition holds; NULL: one holds, or the reason is unknown */
    const cm_defined_trial *programs, *workloads; /* NULL: there was no such trial */
    size_t confounded_more;                       /* so many more facts or pairs are like the confounded ones */
    cm_obstacle obstacle;
    cm_metric_verdict verdict;
} cm_defined_metric;

/* In the order of the file: all benchmarks, one after the other. */
CM_API size_t cm_definitions_count(const cm_definitions *definitions);
CM_API const cm_defined_metric *cm_definitions_get(const cm_definitions *definitions, size_t index);
/* The metric of that name or, if there is none, the first of that preset; letter case matters. NULL: there is none. */
CM_API const cm_defined_metric *cm_definitions_find(const cm_definitions *definitions, const char *name_or_preset);

/* Finds the metric by a name as other programs must spell it: letter case does not matter, "_", ".", "-" and blank are
 * the same separator, and a preset goes without PAPI_: DP_OPS is "DP Ops.". The exact name wins. *metric is NULL if
 * there is none. CM_BAD_INPUT, without file and line, if it may be several, which the text lists. */
CM_API cm_status cm_definitions_resolve(const cm_definitions *definitions, const char *name,
                                        const cm_defined_metric **metric, cm_error *error);

/* As cm_definitions_find, among the metrics that hold on cores of that type. */
CM_API const cm_defined_metric *cm_definitions_find_on(const cm_definitions *definitions, const char *name_or_preset,
                                                       const char *core);
/* The types of cores of the definitions; 0 if cores are all alike. `core` counts from 0. */
CM_API size_t cm_definitions_core_count(const cm_definitions *definitions);
CM_API const cm_core_type *cm_definitions_core(const cm_definitions *definitions, size_t core);

/* The definition's value for the given counts, one a term, in their order. */
CM_API double cm_defined_metric_evaluate(const cm_defined_metric *metric, const double *counts);
/* The same for counts of named events, which may be more than the definition's, spelled in any way of
 * <catmint/names.h>. CM_BAD_INPUT, without file and line, if an event of the definition is missing or ambiguous, or two
 * of them are one event among the counts. */
CM_API cm_status cm_defined_metric_evaluate_named(const cm_defined_metric *metric, const char *const *events,
                                                  const double *counts, size_t count, double *value, cm_error *error);

/* Whether the results were found by the paper's method, without control kernels. */
CM_API bool cm_definitions_by_paper(const cm_definitions *definitions);

/* ---- benchmarks and their events ---- */

/* A kernel of the sweep, of any benchmark, whose counts the law uses. */
typedef struct cm_defined_kernel {
    const char *benchmark, *kernel;
    double iterations; /* of a run; infinity: unknown */
    cm_kernel_part part;
    size_t
        difference_of[2]; /* of a difference of two kernels: their places among these kernels, both before this one */
} cm_defined_kernel;

typedef struct cm_defined_benchmark {
    const char *benchmark;
    double tau; /* infinity: no limit */
    double alpha;
    double residual;
    size_t kernel_count; /* the kernels that were measured */
    const char *const *kernels;
    size_t symbol_count;
    const char *const *symbols;
    size_t measured_count; /* 0: unknown */
    size_t event_count;    /* events that the file lists: all, or fewer with --events-detail */
    const char *core;      /* as in cm_defined_metric */
    size_t control_count;  /* kernels of its table that nothing is fitted to, and the differences of two of them */
    const char *const *controls;      /* NULL: not known, as in results of older versions */
    const double *control_iterations; /* of a run; infinity: unknown */
    size_t held_count;    /* kernels that definitions were held to and that nothing was fitted to, of all benchmarks */
    double amplification; /* largest amplification of noise that a definition may have if the law does not judge; NaN:
                           * unknown */
    size_t law_count;     /* kernels whose counts the law uses; 0: not known, as in results of older versions */
    const cm_defined_kernel *law_kernels;
    double interference; /* largest share of hits that a neighbour moved one level down */
} cm_defined_benchmark;

typedef struct cm_defined_event {
    const char *event;
    cm_event_status status;
    double max_rnmse;             /* NaN: unknown */
    double residual;              /* NaN: unknown */
    const double *representation; /* one a symbol; NULL if it was not computed */
    const double *counts;         /* per iteration, one a kernel, of an unrepresentable event; NULL for others: their
                                   * representation gives the counts */
    const char *equivalent_to;    /* NULL: none */
    /* One a control of the benchmark, per iteration: its count there, and the standard error. NULL: not known. */
    const double *control_counts, *control_errors;
    double control_strays; /* stray counts that a run may add */
    /* Per iteration of those kernels of the law on which it is not zero: their places in rising order, means (NaN: not
     * counted there) and standard errors. NULL: not known of any kernel. */
    size_t law_count;
    const size_t *law_places;
    const double *law_means, *law_errors;
    double offset; /* a constant count per iteration beside the representation; NaN: unknown */
    /* The counts of each repetition on these kernels, as many of each, if repetitions differ; 0: not kept. */
    size_t law_run_count;
    const double *law_runs;
} cm_defined_event;

CM_API size_t cm_definitions_benchmark_count(const cm_definitions *definitions);
CM_API const cm_defined_benchmark *cm_definitions_benchmark(const cm_definitions *definitions, size_t benchmark);
CM_API const cm_defined_event *cm_definitions_event(const cm_definitions *definitions, size_t benchmark, size_t event);

#ifdef __cplusplus
}
#endif
#endif
