/* The inside of a view: definitions that were read, and the document's other members. */
#ifndef CM_REPORT_VIEW_VIEW_H
#define CM_REPORT_VIEW_VIEW_H

#include <catmint/view.h>

#include "result/result.h"

enum { CM_VIEW_STATUSES = CM_RESULT_STATUSES };

/* The formats in which a metric can be copied. */
enum { CM_VIEW_EXPORTS = 4 };
#define CM_VIEW_UNNAMED_PMU "PMU" /* the PMU's name in PAPI's tables if it is unknown */
extern const char *const cm_view_exports[CM_VIEW_EXPORTS];

/* A definition in other programs' formats. */
typedef struct cm_view_metric {
    const cm_defined_metric *defined;
    const char *exports[CM_VIEW_EXPORTS];  /* in the format's syntax; NULL: not available */
    const char *refusals[CM_VIEW_EXPORTS]; /* why not; NULL: not refused */
} cm_view_metric;

typedef struct cm_view_benchmark {
    const char *title; /* "branch", of a hybrid processor "branch on cpu_core" */
    const cm_read_benchmark *read;
    const cm_defined_benchmark *listed; /* that benchmark's */
    const cm_defined_event *events;     /* listed->event_count of them */
    size_t metric_count;
    cm_view_metric *metrics;
    size_t noise_count; /* events whose noise is known */
    size_t *by_noise;   /* indices of these, the quietest first */
    size_t kept_count;  /* selected and dependent events */
    size_t *kept;       /* their indices: selected ones in the order of selection, then the others */
} cm_view_benchmark;

typedef struct cm_view_pair {
    const char *name, *text;
} cm_view_pair;

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

struct cm_results_view {
    cm_arena arena; /* of the members below, except definitions and audits */
    const char *name;
    cm_definitions *definitions; /* events that were not counted, by reason */
    size_t machine_count;
    cm_view_pair *machine;
    size_t benchmark_count;
    cm_view_benchmark *benchmarks;
    size_t audit_count;
    cm_view_audit *audits;
};

/* ---- exports.c ---- */

/* Fills exports and refusals of all metrics. `cpus` as in cm_export_options. */
cm_status cm_view_fill_exports(cm_results_view *view, const char *const *cpus, size_t cpu_count, cm_error *error);

#endif
