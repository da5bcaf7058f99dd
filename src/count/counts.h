/* What was counted, by what it was counted of. */
#ifndef CM_COUNT_COUNTS_H
#define CM_COUNT_COUNTS_H

#include <stdarg.h>
#include <stdint.h>

#include <catmint/count.h>

#include "core/arena.h"

typedef enum cm_scope_kind { CM_SCOPE_PROGRAM, CM_SCOPE_THREAD, CM_SCOPE_REGION, CM_SCOPE_INTERVAL } cm_scope_kind;

/* What is to be said of a value: why there is none, or why it is not what its name says. */
typedef enum cm_remark {
    CM_REMARK_NONE,
    CM_REMARK_NOT_MODELLED,
    CM_REMARK_NOT_COUNTED,
    CM_REMARK_LACKS_EVENT,
    CM_REMARK_NOT_COMPOSABLE,
    CM_REMARK_IN_RANGE,
    CM_REMARK_CUT_SHORT,
    CM_REMARKS,
} cm_remark;

/* In two words for a table, and as a sentence without full stop; both NULL where there is nothing to say. */
typedef struct cm_remark_words {
    const char *mark, *reason;
} cm_remark_words;

/* What a metric's value may be off by, and why that is not known or what it leaves out; "": nothing to say. */
typedef struct cm_value_error {
    double error; /* in the metric's unit, either way; NaN: not known */
    const char *because;
} cm_value_error;

typedef struct cm_scope {
    cm_scope_kind kind;
    size_t number;    /* of threads and intervals, from 1 on; 0 */
    const char *name; /* of a thread or a region; "" */
    double calls;     /* of a region, NaN: unknown */
    double *seconds;  /* of a region, of its calls and threads together, one a repetition; NaN: unknown */
    double *counts;   /* one a repetition and event; NaN: not counted */
    double *facts;    /* under the emulated PMU one a fact, of all repetitions together; NaN: not known. Else NULL */
    cm_value_error *errors; /* one a metric */
} cm_scope;

typedef struct cm_counted_event {
    const char *name;     /* as definitions have it */
    const char *asked_as; /* what the source calls it */
    int code, component;  /* the source's; of the emulated PMU, the model's event and 0 */
    size_t set;           /* the run of each repetition in which it was counted, from 1 on; 0: in none */
    bool asked;           /* by name, and not by a definition */
    bool not_modelled;    /* the emulated PMU does not know what it counts */
} cm_counted_event;

struct cm_counts {
    cm_arena arena;
    const char *pmu;
    const char *reason;
    const char *note;    /* what was not counted; "" */
    const char *command; /* with its arguments; "" */
    long process;
    unsigned vector_bits; /* of scalable vectors, under the emulated PMU; 0: there are none */
    size_t line_bytes;    /* of the caches of the emulated PMU; 0: it is real */
    bool multiplexed;
    bool interrupted;
    size_t sets; /* runs of each repetition */
    size_t repetitions;
    double interval;
    size_t run_count;
    double *seconds; /* one a run */
    size_t event_count;
    cm_counted_event *events;
    size_t metric_count;
    const cm_defined_metric **metrics;
    const cm_definitions *definitions; /* theirs; NULL: there are none */
    size_t scope_count;
    cm_scope *scopes;
    int exit;
    int signal; /* that ended the first run which one ended, other than by the user's wish; 0: none did */
    const char *exit_reason;
};

/* Texts and arrays of the counts; NULL where memory is short. */
const char *cm_counts_text(cm_counts *counts, const char *text);

/* The scope, made where there is none yet; NULL where memory is short. */
cm_scope *cm_counts_scope(cm_counts *counts, cm_scope_kind kind, size_t number, const char *name);
/* One count of a scope, added to what it has in this repetition. */
void cm_scope_add(const cm_counts *counts, cm_scope *scope, size_t repetition, size_t event, double count);
/* The same of a region's time. */
void cm_scope_add_seconds(cm_scope *scope, size_t repetition, double seconds);
cm_status cm_counts_add_run(cm_counts *counts, double seconds, cm_error *error);

/* What one value is over the repetitions. */
typedef struct cm_summary {
    double median, lowest, highest; /* NaN: there is none */
    size_t count;
} cm_summary;

/* What is to be said of an event's or a metric's summary. */
cm_remark cm_event_remark(const cm_counts *counts, size_t event, const cm_summary *summary);
cm_remark cm_metric_remark(const cm_counts *counts, size_t metric, const cm_summary *summary);
cm_remark_words cm_remark_words_of(cm_remark remark);
cm_summary cm_scope_event(const cm_counts *counts, const cm_scope *scope, size_t event);
cm_summary cm_scope_seconds(const cm_counts *counts, const cm_scope *scope);
cm_summary cm_scope_metric(const cm_counts *counts, const cm_scope *scope, size_t metric);
/* Half the way from the lowest to the highest, relative to the median; NaN where one value says nothing. */
double cm_summary_spread(const cm_summary *summary);
/* In this repetition all that the program did of each fact, added to what the scope has. */
cm_status cm_scope_add_facts(cm_counts *counts, cm_scope *scope, const uint64_t *facts, bool (*is_known)(size_t fact),
                             cm_error *error);
/* What the definition itself may be off by, relative: the largest of backward error, misfit, and worst program. */
double cm_metric_error(const cm_defined_metric *metric);

#endif
