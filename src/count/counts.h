/* Counts of a program, by scope: the program, its threads, intervals or regions. */
#ifndef CM_COUNT_COUNTS_H
#define CM_COUNT_COUNTS_H

#include <catmint/count.h>

#include "core/base.h"

typedef enum cm_scope_kind { CM_SCOPE_PROGRAM, CM_SCOPE_THREAD, CM_SCOPE_REGION, CM_SCOPE_INTERVAL } cm_scope_kind;

/* A remark on a value: the reason why it is missing, or counts otherwise than its name says, or that the model decides
 * it. */
typedef enum cm_remark {
    CM_REMARK_NONE,
    CM_REMARK_NOT_MODELLED,
    CM_REMARK_NOT_COUNTED,
    CM_REMARK_NOT_KNOWN,
    CM_REMARK_NOT_DEFINED,
    CM_REMARK_NO_RESULTS,
    CM_REMARK_LACKS_EVENT,
    CM_REMARK_NOT_COMPOSABLE,
    CM_REMARK_IN_RANGE,
    CM_REMARK_OUTSIDE,
    CM_REMARK_RANGE_UNKNOWN,
    CM_REMARK_CUT_SHORT,
    CM_REMARK_MODELLED,
    CM_REMARKS,
} cm_remark;

/* A mark of a word or two for a table, and a sentence without full stop; both NULL if there is no remark, and no
 * sentence if the value has one. */
typedef struct cm_remark_words {
    const char *mark, *reason;
} cm_remark_words;

/* Whether the program lies in the range of a definition; none: the definition has no range, or is not usable. */
typedef enum cm_in_range { CM_IN_RANGE_NONE, CM_IN_RANGE_YES, CM_IN_RANGE_NO, CM_IN_RANGE_UNKNOWN } cm_in_range;

/* The possible error of a metric's value, and the reason why it is unknown or incomplete; "": none. */
typedef struct cm_value_error {
    double error; /* in the metric's unit, in either direction; NaN: unknown */
    const char *because;
    cm_in_range in_range;
    const char *place; /* why it does not lie in the range, or why that is not known; else "" */
} cm_value_error;

typedef struct cm_scope {
    cm_scope_kind kind;
    size_t number;          /* of a thread or interval, from 1; else 0 */
    const char *name;       /* of a thread or a region; else "" */
    double calls;           /* of a region, NaN: unknown */
    double *seconds;        /* of a region, summed over its calls and threads, one a repetition; NaN: unknown */
    double *counts;         /* one a repetition and event; NaN: not counted */
    double *facts;          /* one a fact, over all repetitions, under the emulated PMU; NaN: unknown. Else NULL */
    cm_value_error *errors; /* one a metric */
} cm_scope;

typedef struct cm_counted_event {
    const char *name;      /* in the definitions */
    const char *asked_as;  /* in the source */
    int code, component;   /* the source's; under the emulated PMU the model's event and 0 */
    size_t set;            /* the run of each repetition that counts it, from 1; 0: none */
    size_t plan;           /* the set of a plan, from 1, which no other set is counted with; 0: any run will do */
    bool asked;            /* by the user's name, not for a definition */
    bool optional;         /* only formulas or a plan need it, which go on without it */
    cm_remark lack;        /* why nothing here counts it; CM_REMARK_NONE: it is counted */
    unsigned modes;        /* whose work it counts under the emulated PMU, of CM_MODE_*; 0: the program's */
    bool modelled;         /* its count depends on the model's clock, predictor, caches or TLBs */
    const double *weights; /* it is a sum of facts, one weight each; NULL: an event or a fact */
} cm_counted_event;

struct cm_program_counts {
    cm_arena arena;
    const char *pmu, *reason;
    const char *note;    /* the part that was not counted; "" */
    const char *command; /* with its arguments; "" */
    long process;
    const char *processors; /* all that ran on them was counted, "": on all; NULL: the process or command alone */
    unsigned vector_bits;   /* of scalable vectors under the emulated PMU; 0: there are none */
    size_t line_bytes;      /* of the emulated PMU's caches; 0: hardware */
    bool multiplexed, interrupted;
    const char *separator; /* between the fields of CSV */
    size_t sets;           /* runs a repetition */
    size_t repetitions;
    double interval;
    size_t run_count;
    double *seconds; /* one a run */
    size_t event_count;
    cm_counted_event *events;
    size_t metric_count;
    const cm_defined_metric **metrics;
    const cm_definitions *definitions; /* of the metrics; NULL: none */
    size_t scope_count;
    cm_scope *scopes;
    int exit;
    int signal; /* that ended a run, the first if several, other than by the user's interrupt; 0: none */
    const char *exit_reason;
    const cm_evaluation *values; /* of formulas, for documents; NULL: none */
};

/* Allocate texts and arrays that live as long as the counts; NULL without memory. */
const char *cm_counts_text(cm_program_counts *counts, const char *text);

/* Finds the scope, or makes it; NULL without memory. */
cm_scope *cm_counts_scope(cm_program_counts *counts, cm_scope_kind kind, size_t number, const char *name);
/* Adds a count to that of the scope in this repetition. */
void cm_scope_add(const cm_program_counts *counts, cm_scope *scope, size_t repetition, size_t event, double count);
/* Adds seconds to those of a region in this repetition. */
void cm_scope_add_seconds(cm_scope *scope, size_t repetition, double seconds);
cm_status cm_counts_add_run(cm_program_counts *counts, double seconds, cm_error *error);

/* A value over the repetitions. */
typedef struct cm_summary {
    double median, lowest, highest; /* NaN: there is none */
    size_t count;
} cm_summary;

/* The remark on an event's or a metric's summary. */
cm_remark cm_event_remark(const cm_program_counts *counts, size_t event, const cm_summary *summary);
cm_remark cm_metric_remark(const cm_program_counts *counts, const cm_scope *scope, size_t metric,
                           const cm_summary *summary);
cm_remark_words cm_remark_words_of(cm_remark remark);
enum { CM_VALUE_REASON = 640 };
/* The sentence of the remark, in `text` if it is the value's; NULL: there is none. */
const char *cm_value_reason(cm_remark remark, const cm_value_error *value, char text[CM_VALUE_REASON]);
cm_summary cm_scope_event(const cm_program_counts *counts, const cm_scope *scope, size_t event);
cm_summary cm_scope_seconds(const cm_program_counts *counts, const cm_scope *scope);
cm_summary cm_scope_metric(const cm_program_counts *counts, const cm_scope *scope, size_t metric);
/* ---- rates.c ---- */

/* How often a value happens; NaN: unknown. */
typedef struct cm_rates {
    double per_second; /* of the program's time, which the emulated PMU does not have */
    double per_cycle;  /* of the core, if one event counts its cycles */
} cm_rates;

cm_rates cm_scope_rates(const cm_program_counts *counts, const cm_scope *scope, double value);

/* Half the range, relative to the median; NaN if there are fewer than two values. */
double cm_summary_spread(const cm_summary *summary);
/* Adds the program's facts in one repetition to those of the scope. */
cm_status cm_scope_add_facts(cm_program_counts *counts, cm_scope *scope, const uint64_t *facts,
                             bool (*is_known)(size_t fact), cm_error *error);
/* The relative error of the definition itself: the largest of backward error, misfit, and worst program. */
double cm_metric_error(const cm_defined_metric *metric);
/* The relative noise of an event, from the results; NaN: unknown. */
double cm_event_noise(const cm_definitions *definitions, const cm_defined_metric *defined, const char *event);

#endif
