/* The inside of a benchmark's result, for the writers. */
#ifndef CM_DISCOVERY_BENCHMARK_RESULT_H
#define CM_DISCOVERY_BENCHMARK_RESULT_H

#include <jansson.h>

#include <catmint/results.h>

#include "discovery/evidence.h"
#include "tables/stream.h"

enum { CM_LISTED_BESIDE = 3, CM_LISTED_BEYOND = 64 };

/* A fact of a definition, and others that no kernel has beside it: an overcount where they meet would not show. */
typedef struct cm_beside {
    size_t fact, count, others[CM_LISTED_BESIDE]; /* the first of them */
} cm_beside;

/* What the evidence for a definition does not tell. */
typedef struct cm_open_questions {
    size_t metric;
    size_t controls;                               /* kernels that it was held to and that nothing was fitted to */
    bool held;                                     /* in programs */
    const cm_law_verdict *law;                     /* the evidence's; NULL: not judged */
    size_t beyond_count, beyond[CM_LISTED_BEYOND]; /* facts of the metric's kind that no kernel has */
    size_t beside_count;
    cm_beside beside[CM_LAW_NAMED];
} cm_open_questions;

/* Whether a definition holds only where its metric is frequent. */
bool cm_is_ranged(const cm_open_questions *doubts);

/* The same of a metric's definition. */
bool cm_fit_is_ranged(const cm_benchmark_result *result, size_t metric);

/* What the verdict on a metric rests on. */
typedef struct cm_metric_proof {
    cm_verdict verdict;
    double resolution; /* the smallest overcount of what it is made of that would have been noticed; NaN: unknown */
    cm_open_questions *doubts;
    struct cm_term_equivalents {
        cm_equivalent_event *list;
        size_t count;
    } * equivalents; /* one a term of the fit */
} cm_metric_proof;

struct cm_benchmark_result {
    char *benchmark;
    char core[CM_CORE_TEXT]; /* the type of cores that it was counted on; "": they are alike, or unknown */
    cm_analysis_method method;
    cm_tried_sets *tried;     /* what can be counted together; NULL: unknown */
    cm_evidence *evidence;    /* NULL by the paper's method */
    cm_metric_proof *proofs;  /* one a metric; NULL by the paper's method */
    cm_thresholds thresholds; /* as used */
    cm_threshold_source tau_source, alpha_source;
    cm_tau_choice *tau_choice;     /* NULL: not asked for */
    cm_alpha_choice *alpha_choice; /* NULL: not asked for */
    cm_basis *basis;               /* of the kernels that were measured */
    cm_signatures *signatures;     /* over the symbols of that basis */
    cm_analysis *analysis;
    char **lacking; /* one a metric: parts of which no symbol is left, though it cannot do without them; NULL: none */
    cm_fit **fits;  /* one a metric, NULL if nothing of it is left, or where it lacks a part */
    struct cm_metric_alternatives {
        cm_definition *list;
        size_t count;
        cm_definition *limited;              /* NULL: not asked for, or not needed */
    } * alternatives;                        /* one a metric */
    struct cm_term_equivalents *equivalents; /* one a selected event; NULL if each definition has its own */
    cm_events_detail events_detail;
    size_t max_events;                  /* 0: no limit */
    cm_definition_stability *stability; /* one a metric; nothing in it where there is no fit */
    cm_validation *validations;         /* one a metric; NULL: held against no programs */
    cm_validation *workloads;           /* likewise */
    char **dropped_symbols;             /* of the whole basis: those that no measured kernel has */
    size_t dropped_symbol_count;
    size_t dropped_kernel_count; /* kernels of the whole basis that were not measured */
    size_t unavailable;
    size_t with_offset; /* unrepresentable events that count a constant per iteration beside what they measure */
    size_t status_counts[CM_EVENT_AVOIDED + 1]; /* by cm_event_status */
    json_t *code_names; /* an object: arrays of names of events that are named by their codes; NULL: none is known */
};

/* Whether documents tell the event one by one, as events_detail asks. */
bool cm_benchmark_result_lists(const cm_benchmark_result *result, size_t event);

/* What may stand in for a term of a metric's fit; documents list the first so many, the least noisy ones. */
enum { CM_LISTED_EQUIVALENTS = 20 };
/* How much of a symbol an event counts: 0 for one that counts nothing on what is fitted. */
double cm_symbol_part(const cm_analysis *analysis, size_t event, size_t symbol);

const struct cm_term_equivalents *cm_equivalents_of(const cm_benchmark_result *result, size_t metric, size_t term);

/* What the law says of the solution. The caller frees *doubts. */
cm_status cm_find_doubts(const cm_evidence *evidence, size_t metric, const cm_solution *solution,
                         cm_open_questions **doubts, cm_error *error);
/* ---- apart.c ---- */

/* Fills what no kernel has side by side. */
cm_status cm_find_beside(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                         cm_open_questions *doubts, cm_error *error);

/* The smallest overcount of a symbol that the evidence would show; NaN: unknown. */
double cm_resolution_of(const cm_evidence *evidence, size_t metric, const cm_solution *solution);
/* ---- stand_ins.c ---- */

/* Whether no kernel that was measured, of whatever benchmark, tells the events apart: `other` counts `factor` times
 * what `one` does on each, but for noise. Both by the analysis' indices; false for an event that no definition may use.
 */
bool cm_counts_the_same(const cm_evidence *evidence, size_t one, size_t other, double factor);

/* Whether on no kernel `other` counts more or less than `factor` times what `one` does, as what stands in for it has
 * to; true if nobody knows. */
bool cm_counts_alike(const cm_benchmark_result *result, size_t one, size_t other, double factor);

/* From a stream; *result stays NULL if the table turns out not to be one that can be read so. */
cm_status cm_benchmark_result_create_streamed(const cm_benchmark_request *request, const char *benchmark,
                                              const cm_stream *stream, const cm_basis *basis,
                                              const cm_signatures *signatures, size_t unavailable,
                                              cm_benchmark_result **result, cm_error *error);

#endif
