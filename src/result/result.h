/* A document of results in memory, catmint.metrics/1: discovery fills it, JSON is written from it and read into it, and
 * every other room reads it. document_rows.c has its fields. */
#ifndef CM_RESULT_RESULT_H
#define CM_RESULT_RESULT_H

#include <stdio.h>

#include <jansson.h>

#include <catmint/definitions.h>

#include "result/fields.h"

/* Writes the condition under which all ranges hold: "l1d_load_miss is above 0.0002 of loads, and ... (31 % of natural
 * programs)". */
void cm_ranges_write(const cm_defined_range *ranges, size_t count, double programs, FILE *stream);

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
    const cm_benchmark_result *result; /* the source of events and metrics if these are NULL */
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
    const char *schema;
    const char *pmu;
    const char *pmu_reason; /* "": unknown */
    const char *machine;
    const char *identity;
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
    const cm_results *results; /* the source of benchmarks if these are NULL */
};

/* ---- document_rows.c ---- */

extern const cm_fields cm_result_fields;        /* of cm_definitions */
extern const cm_fields cm_result_metric_fields; /* of cm_defined_metric */
extern const cm_fields cm_result_alternative_fields;
extern const cm_fields cm_result_law_fields, cm_result_together_fields; /* members of cm_defined_metric */
extern const cm_fields cm_result_control_fields;                        /* of cm_defined_controls */
extern const cm_fields cm_result_equivalent_fields;                     /* of cm_defined_equivalent */
extern const cm_fields cm_result_trial_fields;                          /* of cm_defined_trial */

/* ---- document.c ---- */

/* Fills empty definitions from a document; messages need its file and its text. */
cm_status cm_definitions_read(cm_definitions *definitions, const json_t *document, const char *file, const char *text,
                              cm_error *error);
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

#endif
