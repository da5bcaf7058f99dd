/* A document of results in memory, catmint.metrics/1: discovery fills it, JSON is written from it and read into it, and
 * every other room reads it. *_fields.h have its fields. */
#ifndef CM_RESULT_RESULT_H
#define CM_RESULT_RESULT_H

#include <catmint/definitions.h>

#include "discovery/results.h"
#include "result/fields.h"

enum { CM_RANGE_TEXT = 512 };

/* The words of a fact, or of a pair of facts ("loads beside stores"), with L1, L2 and L3 for the levels of caches; the
 * name of a fact with long words, and any other expression over facts as it is. Returns `text`. */
char *cm_fact_text(const char *fact, char text[CM_RANGE_TEXT]);
/* "L1 Misses are 0.4 of 1000 loads here; the definition holds above 2". Returns `text`. */
char *cm_place_text(const char *metric, const cm_defined_range *range, double share, char text[CM_RANGE_TEXT]);
/* "within 10 % where it is above 2 of 1000 loads", and unless it is NaN the share of natural programs in which all of
 * the ranges hold. As many as `width` has room for, and at least one; *cut becomes true if some are left out, and may
 * be NULL. Free with free(). NULL if there are none, or without memory. */
char *cm_ranges_text(const cm_defined_range *ranges, size_t count, double programs, size_t width, bool *cut);
/* Likewise "at most 0.0055 for each l1d_load_hit, 0.0003 for each load_bytes and 2 more". */
char *cm_leaks_text(const cm_defined_leak *leaks, size_t count, size_t width, bool *cut);

enum { CM_RESULT_STATUSES = CM_EVENT_AVOIDED + 1 };

/* An event that is named by its code. */
typedef struct cm_named_code {
    const char *event, *names; /* "A, B" */
    size_t count;
    const char *const *list; /* the same one by one */
} cm_named_code;

/* A range of alpha with the same selected events. */
typedef struct cm_read_plateau {
    double low, high, from;
    size_t selected;
    bool taken;
} cm_read_plateau;

/* The evidence of the data for a threshold: the first four members for tau, the others for alpha. */
typedef struct cm_read_evidence {
    const double *gap; /* two numbers; NULL: refused */
    size_t quiet, needed, variability_count;
    const double *variabilities;
    double lowest, highest;
    size_t plateau_count;
    const cm_read_plateau *plateaus;
} cm_read_evidence;

typedef struct cm_read_threshold {
    double value;
    cm_threshold_source source;
    const char *reason;
    const cm_read_evidence *evidence; /* NULL: the data were not asked */
} cm_read_threshold;

/* A benchmark of the document. */
typedef struct cm_read_benchmark {
    cm_defined_benchmark listed;
    double quantum;
    cm_read_threshold tau, alpha;
    size_t dropped_count, selected_count, unavailable;
    const char *const *dropped; /* symbols of the basis that no measured kernel has */
    const char *const *selected;
    size_t status_counts[CM_RESULT_STATUSES];
    cm_defined_event *events;
    const char *cycles;  /* an event whose cycles are a sum of the symbols' costs; NULL: there is none */
    const double *costs; /* one a symbol */
    size_t metric_count;
    cm_defined_metric *metrics;
    size_t code_count;
    cm_named_code *codes;
    const cm_benchmark_result *result; /* the source of events if these are NULL */
    /* Figures for tables, which files do not have. */
    size_t max_events;  /* 0: no limit */
    size_t not_run;     /* kernels of the whole basis */
    size_t with_offset; /* unrepresentable events that also count a constant per iteration */
    size_t varying;     /* noisy events that no kernel can make quiet */
    size_t replaceable; /* by the paper's method: selected events that have equivalents */
    double unexplained; /* of the counts of `cycles` */
} cm_read_benchmark;

/* Events that were tried as one set. */
typedef struct cm_counted_set {
    cm_counted_together together;
    size_t count, refusing_count;
    const char *const *events;
    const char *const *refusing; /* those of them that refuse each other */
} cm_counted_set;

/* A metric, or an event, on one type of cores. */
typedef struct cm_on_core {
    const char *core, *event;
    bool composable;
    size_t term_count;
    const cm_defined_term *terms;
} cm_on_core;

/* The same on all types; an event's `name` lacks its PMU. */
typedef struct cm_by_core {
    const char *benchmark, *name;
    bool same;
    size_t core_count;
    const cm_on_core *cores;
} cm_by_core;

/* An obstacle or disturbance of counting, found by catmint doctor. */
typedef struct cm_read_finding {
    const char *finding, *severity, *text, *advice;
} cm_read_finding;

/* The events that a benchmark lacks because the sweep was ended early. */
typedef struct cm_lack {
    const char *benchmark, *core; /* "": there is but one type */
    size_t counted, of;           /* events */
} cm_lack;

typedef struct cm_unavailable {
    const char *event, *reason;
} cm_unavailable;

struct cm_definitions {
    cm_arena arena; /* of the members below, except `described` */
    const char *schema, *pmu;
    const char *pmu_reason; /* "": unknown */
    const char *machine, *identity;
    const char *architecture;   /* of the processor that was measured; NULL: unknown */
    const char *not_comparable; /* why the results cannot be compared; NULL: they can */
    const char *method;         /* "paper": found by the paper's method, without controls; NULL: by catmint's */
    json_t *described;          /* the machine, an object */
    size_t finding_count, lack_count;
    cm_read_finding *findings; /* disturbances of counting; NULL: unknown */
    cm_lack *incomplete;       /* NULL: complete */
    bool uncore;               /* events count for a whole socket */
    size_t cache_levels;       /* of the machine that was measured, 0: unknown */
    size_t line_size;          /* bytes of its cache lines, 0: unknown */
    size_t core_count;         /* types of cores, 0: all are alike */
    cm_core_type *cores;
    size_t by_core_count, different_count;
    cm_by_core *by_core, *different; /* metrics, and events that do not count the same on all types */
    size_t benchmark_count;
    cm_read_benchmark *benchmarks;
    size_t set_count;
    cm_counted_set *sets;
    size_t unavailable_count;
    cm_unavailable *unavailable;
    size_t program_count, program_seed, workload_count; /* that definitions were held against; files do not have them */
};

/* NULL: there was no such trial. */
static inline bool cm_is_refuted(const cm_defined_trial *trial)
{
    return trial != NULL && trial->refuted_by != NULL;
}

/* ---- rows.c ---- */

extern const cm_fields cm_result_document_fields; /* of cm_definitions */
extern const cm_fields cm_result_metric_fields;   /* of cm_defined_metric */
extern const cm_fields cm_result_alternative_fields;
extern const cm_fields cm_result_bare_term_fields; /* of cm_defined_term: a term with its coefficient alone */
extern const cm_fields cm_result_law_fields, cm_result_together_fields; /* members of cm_defined_metric */
extern const cm_fields cm_result_control_fields;                        /* of cm_defined_controls */
extern const cm_fields cm_result_equivalent_fields;                     /* of cm_defined_equivalent */
extern const cm_fields cm_result_trial_fields;                          /* of cm_defined_trial */

/* ---- document.c ---- */

/* Fills empty definitions from a file, comparable or not. */
cm_status cm_definitions_read_file(cm_definitions *definitions, const char *path, cm_error *error);
/* The same from results in memory, comparable or not. */
cm_status cm_definitions_take(cm_definitions *definitions, const cm_results *results, cm_error *error);

/* Whether it is the name of a PMU; CM_DEFINITIONS_PMU is the message if it is not. */
bool cm_definitions_knows_pmu(const char *pmu);
#define CM_DEFINITIONS_PMU "%sis '%.100s', expected \"hardware\" or \"software:<model>\""

#define CM_DEFINITIONS_NOT_COMPARABLE "results of an experiment, which are not comparable: %.300s"

/* Whether these events can be counted together, as far as known: fewer events than a set that was counted can; events
 * that include some that refuse each other cannot. */
cm_counted_together cm_definitions_find_together(const cm_definitions *definitions, const char *const *events,
                                                 size_t count);

/* Whether a metric of that name and preset ("": none) may be spelled so, as in cm_definitions_resolve. */
bool cm_metric_is_called(const char *metric, const char *preset, const char *name);

/* ---- agreement.c: agreement of the types of cores ---- */

/* Whether a metric has the same definition on two types of cores, but for the PMU; NULL: the type has it not. */
bool cm_core_defined_alike(const cm_core_type *core, const cm_defined_metric *metric, const cm_core_type *on,
                           const cm_defined_metric *other);

/* An event less its PMU's name, on the types of cores. */
typedef struct cm_core_row {
    const char *benchmark, *name;
    const cm_benchmark_result *results[CM_CORE_TYPES]; /* NULL: that type has it not */
    size_t at[CM_CORE_TYPES];                          /* its index there */
    bool same;                                         /* it counts the same on all */
} cm_core_row;

/* Events that several types have and that do not count the same there. The caller frees *rows. */
cm_status cm_core_events_list(const cm_results *results, cm_core_row **rows, size_t *count, cm_error *error);
/* The name less the PMU, or of a code the device, of that type of cores. */
const char *cm_core_bare(const cm_core_type *core, const char *event);

/* ---- The law applied to any sum of a benchmark's events, as the search for definitions applies it ---- */

typedef struct cm_defined_law cm_defined_law;

enum { CM_HELD_TEXT = 512 };

/* For a benchmark of the definitions, which must outlive it; *law stays NULL if they lack the counts of events on
 * kernels. `missing`: instruction sets (bits as in cm_kernel) whose kernels are left out. */
cm_status cm_defined_law_create(const cm_definitions *definitions, size_t benchmark, unsigned missing,
                                cm_defined_law **law, cm_error *error);
/* Frees the memory that only further questions need; answers stay. NULL: no operation. */
void cm_defined_law_settle(cm_defined_law *law);
void cm_defined_law_free(cm_defined_law *law);

/* The law's verdict on a sum of events. The arrays belong to the law. */
typedef struct cm_held {
    bool judged;             /* the law knows the metric and the counts of the events */
    bool right;              /* at least if all of `ranges` hold */
    bool by_symbols;         /* it is refused because of the symbols that it counts */
    char text[CM_HELD_TEXT]; /* the reason for the refusal */
    size_t range_count;
    const cm_defined_range *ranges;
    double range_share;
    size_t confounded_count; /* in words, the facts that kernels do not separate from the metric */
    const char *const *confounded;
    size_t also_count; /* likewise, facts on which vendors disagree and which it counts */
    const char *const *also;
} cm_held;

/* Judges the sum of coefficients times events, over the factor, as the metric; both of one benchmark. */
cm_status cm_defined_law_judge(cm_defined_law *law, const cm_defined_metric *metric,
                               const cm_defined_event *const *events, const double *coefficients, size_t count,
                               double factor, cm_held *held, cm_error *error);
/* The same as a metric that the results lack, by its meaning: weights of facts, cm_fact_count() of them, which must
 * outlive the law. It is not judged where the law only knows too little. */
cm_status cm_defined_law_judge_meaning(cm_defined_law *law, const double *meaning,
                                       const cm_defined_event *const *events, const double *coefficients, size_t count,
                                       double factor, cm_held *held, cm_error *error);
/* For results with neither controls nor a law: the sum is judged, and refused if several coefficients, divided by the
 * factor, are not simple numbers. */
cm_status cm_hold_uncontrolled(const double *coefficients, size_t count, double factor, cm_held *held, cm_error *error);

/* ---- A document filled from results in memory; it points into these and into an arena ---- */

/* If memory runs out for a part, `short_of_memory` is set and the part stays NULL. */
typedef struct cm_filler {
    cm_arena *arena;
    bool short_of_memory;
} cm_filler;

/* Zeroed memory. */
void *cm_filler_allocate(cm_filler *filler, size_t count, size_t size);
const char *cm_filler_print(cm_filler *filler, const char *format, ...) CM_PRINTF(2, 3);
/* Copies `words` and frees them. */
const char *cm_filler_take(cm_filler *filler, char *words);

/* ---- fill.c ---- */

extern const cm_field_stream cm_event_stream;

/* Fills a benchmark without its events. */
void cm_fill_benchmark(const cm_benchmark_result *result, cm_filler *filler, cm_read_benchmark *filled);

/* ---- fill_document.c ---- */

/* Fills everything except events, which a stream makes. */
cm_status cm_fill_document(const cm_results *results, cm_arena *arena, cm_definitions *definitions, cm_error *error);

/* ---- fill_metric.c ---- */

void cm_fill_metric(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled);
/* The least noisy ones of a list. */
const cm_defined_equivalent *cm_fill_equivalents(const cm_benchmark_result *result, const cm_equivalent_event *list,
                                                 size_t *count, cm_filler *filler);
/* Fills the events that may replace a term of the metric's fit. */
void cm_fill_term_equivalents(const cm_benchmark_result *result, size_t metric, size_t term, cm_filler *filler,
                              cm_defined_term *filled);

/* ---- fill_law.c ---- */

/* Fills the verdict of the law on a definition, and the facts that it does not separate from the metric. `usable`:
 * nothing refuted the definition. */
void cm_fill_law(const cm_benchmark_result *result, const cm_open_questions *questions, bool usable, size_t more,
                 cm_filler *filler, cm_defined_metric *filled);
/* Fills the alternatives that the kernels do not separate from the metric: facts first, then combinations of two facts,
 * then near-proportional ones. Reserves space for `more`. */
void cm_fill_confounded(const cm_counted_law *law, const cm_open_questions *questions, size_t more, cm_filler *filler,
                        cm_defined_metric *filled);
/* Fills the facts on which vendors disagree and which the definition counts. */
void cm_fill_also(const cm_counted_law *law, const cm_law_verdict *verdict, cm_filler *filler,
                  cm_defined_metric *filled);
/* Fills the ranges in which the definition holds: shares that the metric must have of other facts, all of them. */
void cm_fill_ranges(const cm_counted_law *law, const cm_open_questions *questions, cm_filler *filler,
                    cm_defined_metric *filled);

/* ---- the law of a benchmark of results: what those share who make it and who ask it ---- */

struct cm_defined_law {
    const cm_read_benchmark *benchmark;
    cm_arena arena;
    cm_fact_table *facts;
    cm_problem problem; /* rows are the kernels of the law, those without fit behind them; events are the results' */
    size_t *rows;
    cm_law_kernel *kernels;
    double *metrics; /* weights of facts, cm_fact_count() a metric, with room for one more */
    bool *meant;
    bool *last;         /* likewise: the one more alone */
    cm_target *targets; /* one a metric; its arrays are made on demand */
    double *nothing;    /* zeros: the symbols of an event without representation */
    cm_counted_law *law;
    cm_sum_noise *noise;
    struct cm_asked_law {
        const double *meaning; /* of a metric that the results lack, the one asked for last; NULL: none */
        cm_counted_law *law;   /* of all metrics and that one, which is the last */
    } asked[2];                /* ... and the same if its own facts may be miscounted as kernels leave open */
    cm_problem loose;          /* for that: the problem, and nothing of the metric is too far off */
};

/* Zeroed memory of the law's. */
void *cm_defined_law_allocate(cm_defined_law *law, size_t count, size_t size);

/* Fills the counts of an event on every row from those that are not zero; NaN if the kernel was not counted. */
cm_status cm_defined_law_take_counts(cm_defined_law *law, size_t index, cm_error *error);

/* Makes the law of the first metrics, which judges those that are meant, over a problem that is the law's own. */
cm_status cm_defined_law_count(const cm_defined_law *law, const cm_problem *problem, size_t metrics, const bool *meant,
                               cm_counted_law **made, cm_error *error);

#endif
