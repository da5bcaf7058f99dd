/* Definitions: of results in memory, or read back from what `catmint analyze --format json` has written. Look a metric
 * up by its name or preset, get its events and coefficients, and evaluate it on counts.
 * docs/catmint.metrics-1.schema.json says what the file has. */
#ifndef CATMINT_DEFINITIONS_H
#define CATMINT_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/analysis.h>
#include <catmint/error.h>
#include <catmint/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All of one file. What is got from it belongs to it. */
typedef struct cm_definitions cm_definitions;

/* Reads and validates the whole file. CM_BAD_INPUT with file, line and column where it is no JSON or does not follow
 * the schema, a list of numbers has not one a symbol, or a name appears twice, and where the results are not comparable
 * (cm_results_not_comparable); CM_IO where it cannot be read. */
CM_API cm_status cm_definitions_load(const char *path, cm_definitions **definitions, cm_error *error);
/* The same of results in memory, which may be freed afterwards: equal in every field to what cm_definitions_load makes
 * of the JSON of these results. CM_BAD_INPUT where their PMU has no such name, a benchmark is there twice, or they are
 * not comparable. */
CM_API cm_status cm_definitions_from_results_create(const cm_results *results, cm_definitions **definitions,
                                                    cm_error *error);
CM_API void cm_definitions_free(cm_definitions *definitions);

/* What counted, "hardware" or "software:<model>"; NULL where it is unknown. */
CM_API const char *cm_definitions_pmu(const cm_definitions *definitions);
/* The model name of the processor that was measured; "" where it is unknown. */
CM_API const char *cm_definitions_machine(const cm_definitions *definitions);
/* That processor as its vendor numbers it: vendor-family-model-stepping, the model in hexadecimal,
 * "GenuineIntel-6-8F-8";
 * "" where it is unknown. */
CM_API const char *cm_definitions_identity(const cm_definitions *definitions);

/* Names that a table has of an event that is named by its code: "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE" of
 * cpu:event=0xc7,umask=0x01. Several stand with ", " between them; "": none is known, or the event has a name. */
CM_API const char *cm_definitions_code_names(const cm_definitions *definitions, const char *event);

/* ---- metrics ---- */

/* An event that may stand in for another. */
typedef struct cm_defined_equivalent {
    const char *event;
    double factor;        /* it counts so many times what the other counts; not 0 */
    cm_together together; /* whether the definition can be counted as one event set with it instead */
} cm_defined_equivalent;

typedef struct cm_defined_term {
    const char *event;  /* as the table had it: its name, or component:::NAME where two components count one of that
                           name; cm_counting_find_event finds it */
    double coefficient; /* finite */
    size_t equivalent_count;
    const cm_defined_equivalent
        *equivalents; /* of a definition's term, the least noisy first; NULL where there are none */
} cm_defined_term;

/* Where a definition holds: in programs in which the metric, `fact`, is at least `share` of `per`. */
typedef struct cm_defined_range {
    const char *fact, *per; /* facts, sums of facts or lesser ones of two, in words */
    double share;
} cm_defined_range;

/* What kernels leave open: of the definition's value, at most so much an occurrence of the fact. */
typedef struct cm_defined_leak {
    const char *fact;
    double at_most;
    bool found; /* it is there, beside all others that were found; else one at a time may be */
} cm_defined_leak;

typedef struct cm_defined_metric {
    const char *benchmark;
    const char *metric;
    const char *preset;      /* the PAPI preset that it is; "" if there is none */
    const char *description; /* "" if there is none */
    size_t term_count;
    const cm_defined_term *terms; /* the definition: coefficients rounded, terms without a part gone, no event twice */
    size_t solved_count;
    const cm_defined_term *solved; /* every selected event, its coefficient as solved */
    double backward_error;         /* of the definition, as the next two; 0 or more, NaN where the metric is not
                                      measurable */
    double misfit;
    double amplification;
    size_t symbol_count;     /* of the benchmark */
    const double *signature; /* one a symbol */
    bool composable;         /* the definition measures the metric, wherever programs live */
    bool usable;             /* so it does at least where all of `ranges` hold */
    size_t range_count;      /* 0 where it is composable */
    const cm_defined_range *ranges;
    size_t leak_count;
    const cm_defined_leak *leaks;
    bool measurable;          /* false: none of its kernels was run, or none of a part that it cannot do without; there
                                 are no terms then */
    const char *lacks;        /* that part, in words ("half precision"); "" where there is none */
    size_t validation_count;  /* programs that nobody fitted in which the definition was looked at; 0: none */
    double validation_median; /* its deviation there, relative: the median and the worst; NaN where there is none */
    double validation_worst;
    cm_together together; /* whether its events can be counted as one event set */
    size_t refusing_count;
    const char *const *refusing; /* where they cannot: those that refuse each other */
    const char *core;            /* the type of cores that it holds on; "": cores are all alike, or unknown */
    /* One a control of the benchmark: what it is to read there, from low to high, and what a sum of events may be off
     * beside its chance. NULL: not known; NaN: not there. */
    const double *control_low, *control_high, *control_limits;
    /* What it means: an expression over facts (cm_fact_find); NULL: not known. */
    const char *meaning;
    double own;        /* relative: what each fact of its meaning may be miscounted by; NaN: the law did not judge */
    size_t open_count; /* leaks that matter less: half a percent or more in some natural program */
    const cm_defined_leak *open;
    double rest; /* what is neither a leak nor open comes to so much an instruction in natural programs; NaN as `own` */
} cm_defined_metric;

/* In the order of the file: of all benchmarks, one after the other. */
CM_API size_t cm_definitions_count(const cm_definitions *definitions);
CM_API const cm_defined_metric *cm_definitions_get(const cm_definitions *definitions, size_t index);
/* The metric of that name or, where there is none, the first of that preset; letter case matters. NULL: there is none.
 */
CM_API const cm_defined_metric *cm_definitions_find(const cm_definitions *definitions, const char *name_or_preset);

/* The same for a name as other programs must spell it: letter case does not matter, nor which of "_", ".", "-" and
 * blank separate, and a preset goes without PAPI_: DP_OPS is "DP Ops.". The exact name wins. *metric is NULL where
 * there is none. CM_BAD_INPUT, without file and line, where it may be several, which the text lists. */
CM_API cm_status cm_definitions_resolve(const cm_definitions *definitions, const char *name,
                                        const cm_defined_metric **metric, cm_error *error);

/* As cm_definitions_find, of those that hold on cores of that type. */
CM_API const cm_defined_metric *cm_definitions_find_on(const cm_definitions *definitions, const char *name_or_preset,
                                                       const char *core);
/* The types of cores that the definitions hold on: 0 where cores are all alike. `core` from 0. */
CM_API size_t cm_definitions_core_count(const cm_definitions *definitions);
CM_API const cm_core_type *cm_definitions_core(const cm_definitions *definitions, size_t core);

/* The definition's value for counts, one a term, in their order. */
CM_API double cm_defined_metric_evaluate(const cm_defined_metric *metric, const double *counts);
/* The same for counts of named events, more than the definition's if need be, spelled in any way of
 * <catmint/names.h>. CM_BAD_INPUT, without file and line, where an event of the definition is missing or ambiguous, or
 * two of them are one event among the counts. */
CM_API cm_status cm_defined_metric_evaluate_named(const cm_defined_metric *metric, const char *const *events,
                                                  const double *counts, size_t count, double *value, cm_error *error);

/* Whether the results were found by the paper's method, without control kernels. */
CM_API bool cm_definitions_by_paper(const cm_definitions *definitions);

/* ---- benchmarks and their events ---- */

/* A kernel of the sweep that the law looks at, of whatever benchmark. */
typedef struct cm_defined_kernel {
    const char *benchmark, *kernel;
    double iterations; /* of a run; infinity: unknown */
    cm_kernel_part part;
    size_t twins[2]; /* of a difference: places of the two among these kernels, both before it */
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
    size_t measured_count;       /* events that were measured; 0: unknown */
    size_t event_count;          /* events that the file lists: all, or fewer with --events-detail */
    const char *core;            /* as of its metrics */
    size_t control_count;        /* kernels of its table that nothing is fitted to, and the difference of two of them */
    const char *const *controls; /* NULL: not known, as of results of older versions */
    const double *control_iterations; /* of a run; infinity: unknown */
    size_t held_count; /* kernels that definitions were held to and that nothing was fitted to, whatever benchmark's */
    double amplification; /* what definitions may amplify noise by, where the law does not judge; NaN: unknown */
    size_t law_count;     /* kernels that the law looks at; 0: not known, as of results of older versions */
    const cm_defined_kernel *law_kernels;
    double interference; /* of hits, a neighbour moved so many one level down at most */
} cm_defined_benchmark;

typedef struct cm_defined_event {
    const char *event;
    cm_event_status status;
    double max_rnmse;             /* NaN: unknown */
    double residual;              /* NaN: unknown */
    const double *representation; /* one a symbol; NULL where it was not computed */
    const double *counts;         /* per iteration, one a kernel; NULL unless the event is unrepresentable: else the
                                     representation says it */
    const char *equivalent_to;    /* NULL: to none */
    /* One a control of the benchmark, per iteration: what it counts there, and the standard error of that. NULL: not
     * known. */
    const double *control_counts, *control_errors;
    double control_strays; /* what a run may count beside that */
    /* Per iteration of the kernels that the law looks at, those where it is not zero: places among them in rising
     * order, means (NaN: not counted there) and their standard errors. NULL: not known of any kernel. */
    size_t law_count;
    const size_t *law_places;
    const double *law_means, *law_errors;
} cm_defined_event;

CM_API size_t cm_definitions_benchmark_count(const cm_definitions *definitions);
CM_API const cm_defined_benchmark *cm_definitions_benchmark(const cm_definitions *definitions, size_t benchmark);
CM_API const cm_defined_event *cm_definitions_event(const cm_definitions *definitions, size_t benchmark, size_t event);

#ifdef __cplusplus
}
#endif
#endif
