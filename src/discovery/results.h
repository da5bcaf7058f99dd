/* The inside of results, for their readers and writers. */
#ifndef CM_DISCOVERY_RESULTS_H
#define CM_DISCOVERY_RESULTS_H

#include <catmint/results.h>

#include "law/evidence.h"
#include "sweep/record/record.h"

/* ---- one benchmark ---- */

enum { CM_LISTED_BESIDE = 3, CM_LISTED_BEYOND = 64 };

/* A fact of a definition, and others that no kernel has beside it: an overcount when they meet would not show. */
typedef struct cm_beside {
    size_t fact, count, others[CM_LISTED_BESIDE]; /* the first of them */
} cm_beside;

/* Open questions: facts about a definition that its evidence does not show. */
typedef struct cm_open_questions {
    size_t metric;
    size_t controls;                               /* kernels that it was held to and that nothing was fitted to */
    bool held;                                     /* in programs */
    const cm_law_verdict *law;                     /* the evidence's; NULL: not judged */
    size_t beyond_count, beyond[CM_LISTED_BEYOND]; /* facts of the metric's kind that no kernel has */
    size_t beside_count, beside_more;              /* listed, and those behind them */
    cm_beside beside[CM_LAW_NAMED];
} cm_open_questions;

/* Whether a definition holds only if its metric is frequent. */
bool cm_is_ranged(const cm_open_questions *questions);

/* The same of a metric's definition. */
bool cm_fit_is_ranged(const cm_benchmark_result *result, size_t metric);

/* The support of a verdict on a metric. */
typedef struct cm_metric_proof {
    cm_verdict verdict;
    double resolution; /* the smallest overcount of one of its symbols that would have been noticed; NaN: unknown */
    cm_open_questions *open_questions;
    struct cm_term_equivalents *equivalents; /* one a term of the fit */
} cm_metric_proof;

struct cm_benchmark_result {
    char *benchmark;
    char core[CM_CORE_TEXT]; /* the type of cores that it was counted on; "": they are alike, or unknown */
    cm_analysis_method method;
    cm_tried_sets *tried;     /* sets that can be counted together; NULL: unknown */
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
    cm_fit **fits;  /* one a metric, NULL if nothing of it is left, or if it lacks a part */
    struct cm_metric_alternatives {
        cm_definition *list;
        size_t count;
        cm_definition *limited;              /* NULL: not asked for, or not needed */
    } * alternatives;                        /* one a metric */
    struct cm_term_equivalents *equivalents; /* one a selected event; NULL if each definition has its own */
    cm_events_detail events_detail;
    size_t max_events;                  /* 0: no limit */
    cm_definition_stability *stability; /* one a metric; nothing in it if there is no fit */
    cm_validation *validations;         /* one a metric; NULL: held against no programs */
    cm_validation *workloads;           /* likewise */
    char **dropped_symbols;             /* of the whole basis: those that no measured kernel has */
    size_t dropped_symbol_count;
    size_t dropped_kernel_count; /* kernels of the whole basis that were not measured */
    size_t unavailable;
    size_t with_offset;                         /* unrepresentable events that also count a constant per iteration */
    size_t varying;                             /* noisy events that no kernel can make quiet */
    size_t status_counts[CM_EVENT_AVOIDED + 1]; /* by cm_event_status */
    json_t *code_names; /* an object: arrays of names of events that are named by their codes; NULL: none is known */
};

/* Whether documents tell the event one by one, as events_detail asks. */
bool cm_benchmark_result_lists(const cm_benchmark_result *result, size_t event);

/* The event whose representation gives the cycles of each symbol; SIZE_MAX: there is none. */
size_t cm_costs_event(const cm_benchmark_result *result);

/* Equivalents of a term of a metric's fit: documents list so many, the least noisy ones. */
enum { CM_LISTED_EQUIVALENTS = 20 };
/* How much of a symbol an event counts: 0 for one that counts nothing on the fitted kernels. */
double cm_symbol_part(const cm_analysis *analysis, size_t event, size_t symbol);

const struct cm_term_equivalents *cm_equivalents_of(const cm_benchmark_result *result, size_t metric, size_t term);

/* Solves one metric again by the present evidence and the usable events (NULL: all). *found: the solution holds, and is
 * the metric's definition with alternatives of its own; else all is as it was. */
cm_status cm_solve_again(cm_benchmark_result *result, size_t metric, const bool *usable, bool *found, cm_error *error);

/* ---- together.c: definitions as groups of events that are tried as one event set ---- */

/* A metric's definition, which may be NULL, and any other of its benchmark. */
cm_event_group cm_fit_group(const cm_benchmark_result *result, const cm_fit *fit);
cm_event_group cm_definition_group(const cm_benchmark_result *result, const cm_definition *definition);

/* ---- all benchmarks of a sweep ---- */

/* An event that was not counted, as the sweep's events.csv says. */
typedef struct cm_unavailable_event {
    char *event;
    char *component; /* "": unknown */
    char *reason;
} cm_unavailable_event;

struct cm_results {
    cm_sweep_origin origin; /* of a sweep directory; `machine` is empty and `pmu_reason` "" if it is unknown */
    cm_unavailable_event *unavailable;
    size_t unavailable_count;
    char *events_file;             /* events.csv of the sweep; NULL: there is none */
    cm_component_list *components; /* as it says; NULL: nobody asked */
    cm_tried_sets *tried;          /* of a sweep directory; NULL: unknown */
    cm_fact_table *facts;          /* of its kernels; NULL: not read yet */
    size_t benchmark_count;
    cm_benchmark_result **benchmarks;
    size_t program_count; /* that they were validated on; 0: none */
    uint64_t program_seed;
    size_t workload_count; /* likewise of workloads */
    size_t part_count;     /* of a hybrid processor: its types of cores, and the results of each */
    cm_core_type cores[CM_CORE_TYPES];
    cm_results *parts[CM_CORE_TYPES]; /* `benchmarks` are theirs then */
    cm_results *whole;                /* NULL: it is no part */
};

/* ---- event_match.c: events of a table by the names that people give: as the table has them; component:::NAME, if the
 * table has the bare name because no other component counts an event of it; or the bare name if the table has the
 * component too ---- */

/* As the list says, which may be NULL: nothing is known then. */
cm_event_components cm_component_list_events(cm_component_list *list);

/* Whether `wanted` means the event that the table calls `event`. Any component of a bare name is believed if none is
 * known. */
typedef enum cm_event_match {
    CM_EVENT_OTHER,
    CM_EVENT_BY_BARE_NAME, /* another component's event may be meant as well */
    CM_EVENT_MEANT,
} cm_event_match;

cm_event_match cm_event_match_name(const char *event, const char *wanted, const cm_event_components *components);

/* Whether a pattern (fnmatch) fits one of the event's spellings. */
bool cm_event_fits(const char *event, const char *pattern, const cm_event_components *components);

/* *index is SIZE_MAX if the analysis has no such event; CM_BAD_INPUT if two are meant, which the text lists. */
cm_status cm_event_find(const cm_analysis *analysis, const char *wanted, const cm_event_components *components,
                        size_t *index, cm_error *error);

/* ---- Shared by the parts of an analysis ---- */

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

cm_benchmark_request cm_analyze_request(const cm_analyze_job *job, cm_results *results,
                                        const cm_event_components *components);
/* CM_BAD_ARGUMENT if a benchmark is unknown, or tables of the caller's own are for several. */
cm_status cm_analyze_check_names(const cm_analyze_options *options, const cm_benchmarks *benchmarks, cm_error *error);
/* A pattern that fits no event of the results is CM_BAD_INPUT. */
cm_status cm_analyze_check_only(const cm_analyze_options *options, const cm_results *results, const char *path,
                                cm_error *error);

/* ---- raw_counts.c ---- */

/* Adds a note if counts of most events look like those of whole runs, and nothing says how many iterations they had.
 * `measurements` may be NULL. */
void cm_analyze_point_out_raw(const cm_analyze_job *job, const cm_measurements *measurements);

/* ---- analyze_table.c ---- */

/* Analyses one table and appends it to the results. */
cm_status cm_analyze_table(const cm_analyze_job *job, cm_results *results, cm_error *error);

/* ---- directory.c ---- */

cm_status cm_analyze_directory(const char *directory, const cm_benchmarks *benchmarks,
                               const cm_analyze_options *options, cm_results *results, cm_error *error);

/* ---- cores.c ---- */

/* The part, of one type of cores, belongs to `whole` from here on; its benchmarks stay its own. */
cm_status cm_results_add_part(cm_results *whole, const cm_core_type *core, cm_results *part, cm_error *error);
/* Takes the events that no type of cores counts out of the first part, into `whole`. */
void cm_results_share_unavailable(cm_results *whole);

/* ---- vendor_presets.c ---- */

/* Gives each preset to the metric that it means on the results' processor; those of unknown processors stay. */
cm_status cm_vendor_presets_apply(cm_results *results, cm_error *error);

/* ---- together.c ---- */

/* Tries all definitions of a benchmark that were not tried before, each by itself and several as groups. */
cm_status cm_try_definitions(const cm_benchmark_result *result, cm_error *error);

/* ---- benchmark_result.c ---- */

/* From a table in memory, or from a stream, whose head `measurements` is then; *result stays NULL if the table cannot
 * be read as a stream. */
cm_status cm_benchmark_result_create_from(const cm_benchmark_request *request, const char *benchmark,
                                          const cm_measurements *measurements, const cm_stream *stream,
                                          const cm_basis *basis, const cm_signatures *signatures, size_t unavailable,
                                          cm_benchmark_result **result, cm_error *error);

/* ---- streamed.c ---- */

/* Adds all events, and sets the source's tags, which are freed with free(). Its `good` is false, and nothing was added,
 * if the table cannot be read so, as with a value that is no count. */
cm_status cm_add_streamed(cm_analysis *analysis, cm_event_source *source, cm_error *error);

/* ---- solve_metrics.c, solve_by_evidence.c: from selected events to metrics ---- */

/* Definitions of all metrics, how stable they are, and other definitions and terms in their stead. On failure
 * cm_benchmark_result_free() frees those that there are. */
cm_status cm_solve_metrics(cm_benchmark_result *result, cm_error *error);

/* The same by all that was counted: each definition is held against the result's evidence. */
cm_status cm_solve_by_evidence(cm_benchmark_result *result, cm_error *error);
void cm_proofs_free(cm_benchmark_result *result);

/* ---- solve_countable.c: definitions whose events can be counted together ---- */

/* The definition of a metric by the events that are `usable` (one a place; NULL: all), with at most `most` terms (0:
 * any number). If it holds and its events refuse each other, another one that holds and can be counted, if there is
 * such a one. */
cm_status cm_solve_countable(const cm_benchmark_result *result, size_t metric, const bool *usable, size_t most,
                             cm_solution *solution, cm_error *error);

/* Puts those equivalents of a term first with which the definition can be counted. */
cm_status cm_order_stand_ins(const cm_benchmark_result *result, const cm_fit *fit, size_t term,
                             struct cm_term_equivalents *found, cm_error *error);

/* ---- open_questions.c ---- */

/* Fills the open questions of the solution, by the law. The caller frees *questions. */
cm_status cm_find_open_questions(const cm_evidence *evidence, size_t metric, const cm_solution *solution,
                                 cm_open_questions **questions, cm_error *error);
/* The smallest overcount of a symbol that the evidence would show; NaN: unknown. */
double cm_resolution_of(const cm_evidence *evidence, size_t metric, const cm_solution *solution);

/* ---- apart.c ---- */

/* Whether two names differ in one word: l3_load_hit and l3_store_hit. */
bool cm_are_kin(const char *one, const char *other);
/* Fills the facts that no kernel has side by side. */
cm_status cm_find_beside(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                         cm_open_questions *questions, cm_error *error);

#endif
