/* The inside of a view: definitions read back, and what stands beside them in the document. */
#ifndef CM_REPORT_VIEW_VIEW_H
#define CM_REPORT_VIEW_VIEW_H

#include <catmint/definitions.h>
#include <catmint/view.h>

#include "core/arena.h"
#include "core/json_reader.h"

enum { CM_VIEW_STATUSES = CM_EVENT_AVOIDED + 1 };

/* The formats that a metric is copied in. */
enum { CM_VIEW_EXPORTS = 4 };
#define CM_VIEW_UNNAMED_PMU "PMU" /* in tables of PAPI, where nobody says its name */
extern const char *const cm_view_exports[CM_VIEW_EXPORTS];

typedef struct cm_view_texts {
    size_t count;
    const char *const *items;
} cm_view_texts;

/* One program that judged a definition. */
typedef struct cm_view_outcome {
    const char *program;
    double expected, range, measured;
} cm_view_outcome;

/* What became of a definition in programs that nobody fitted. */
typedef struct cm_view_trial {
    double count, failed;   /* 0: it was held against none */
    double median, worst;   /* deviation, relative; NaN: unknown */
    const char *refuted_by; /* NULL: by none */
    size_t outcome_count;
    cm_view_outcome *outcomes;
} cm_view_trial;

typedef struct cm_view_metric {
    const cm_defined_metric *defined;
    const double *expected, *value; /* on each kernel: of the metric, and of its definition; NULL: unknown */
    double worst;                   /* largest difference of the two, relative; NaN: unknown */
    cm_view_trial programs, workloads;
    double control_count, control_worst; /* NaN: there are no controls */
    double resolution;                   /* NaN: unknown */
    const char *refused;                 /* why there is no definition that holds; NULL: not said */
    cm_view_texts confounded, also_counts;
    const char *exports[CM_VIEW_EXPORTS];  /* as the format writes it; NULL: it cannot be had */
    const char *refusals[CM_VIEW_EXPORTS]; /* why not; NULL: nothing was refused */
} cm_view_metric;

typedef struct cm_view_benchmark {
    const char *title; /* "branch", of a hybrid processor "branch on cpu_core" */
    const cm_defined_benchmark *listed;
    const cm_defined_event *events; /* listed->event_count of them */
    size_t metric_count;
    cm_view_metric *metrics;
    double counts[CM_VIEW_STATUSES]; /* of events by status; NaN: unknown */
    cm_view_texts dropped_symbols;
    size_t noise_count; /* events whose noise is known */
    size_t *by_noise;   /* indices of these, the quietest first */
    size_t kept_count;  /* selected and dependent events */
    size_t *kept;       /* indices of these: selected ones in the order of selection, then the others */
} cm_view_benchmark;

typedef struct cm_view_pair {
    const char *name, *text;
} cm_view_pair;

/* What stopped or disturbed counting, as catmint doctor finds it. */
typedef struct cm_view_finding {
    const char *severity, *text, *advice;
} cm_view_finding;

/* What a sweep that was ended early lacks of a benchmark. */
typedef struct cm_view_lack {
    const char *benchmark, *core; /* "": there is but one type */
    double counted, of;           /* events */
} cm_view_lack;

/* A metric of a hybrid processor; `same`: by the same events on all types of cores. */
typedef struct cm_view_core_row {
    const char *benchmark, *metric;
    bool same;
} cm_view_core_row;

/* An event whose name is of several types of cores, and does not count the same on them. */
typedef struct cm_view_different_event {
    const char *benchmark, *event;
} cm_view_different_event;

typedef struct cm_view_formula {
    const char *file, *metric, *formula, *verdict;
    const char *judged_as; /* NULL: as none */
    const char *measures, *remark;
    double line;
} cm_view_formula;

typedef struct cm_view_audit {
    const char *path;
    size_t verdict_count;
    cm_view_pair *verdicts; /* with how many formulas have each */
    size_t formula_count;
    cm_view_formula *formulas;
} cm_view_audit;

struct cm_view {
    cm_arena arena; /* of all that follows, but definitions and audits */
    const char *name;
    cm_definitions *definitions;
    const char *pmu_reason;
    size_t machine_count;
    cm_view_pair *machine;
    size_t unavailable_count;
    cm_view_pair *unavailable; /* event and reason, by reason */
    size_t finding_count;
    cm_view_finding *findings; /* of the machine */
    size_t core_row_count;
    cm_view_core_row *core_rows;
    size_t different_count;
    cm_view_different_event *different;
    size_t lack_count;
    cm_view_lack *lacks;
    size_t benchmark_count;
    cm_view_benchmark *benchmarks;
    size_t audit_count;
    cm_view_audit *audits;
};

/* ---- read.c ---- */

/* All but definitions, which must be there. */
cm_status cm_view_read(cm_view *view, const json_t *document, cm_json_reader *reader);
/* A list of texts; an empty one where there is no such member. */
cm_status cm_view_read_texts(cm_json_reader *reader, const json_t *object, const char *key, cm_view_texts *texts);

/* ---- metric.c ---- */

cm_status cm_view_read_metric(cm_json_reader *reader, const json_t *item, size_t kernel_count, cm_view_metric *metric);

/* ---- order.c ---- */

/* Fills by_noise and kept. */
cm_status cm_view_order_events(cm_view_benchmark *benchmark, const cm_view_texts *selected, cm_arena *arena,
                               cm_error *error);

/* ---- exports.c ---- */

/* Fills exports and refusals of all metrics. `cpus` as in cm_export_options. */
cm_status cm_view_fill_exports(cm_view *view, const char *const *cpus, size_t cpu_count, cm_error *error);

#endif
