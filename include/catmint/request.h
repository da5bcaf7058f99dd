/* The request to analyse one benchmark, and the other counts of its sweep. */
#ifndef CATMINT_REQUEST_H
#define CATMINT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/analysis.h>
#include <catmint/tables.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The source of a threshold. */
typedef enum cm_threshold_source {
    CM_THRESHOLD_DEFAULT, /* the benchmark's */
    CM_THRESHOLD_GIVEN,   /* the caller's */
    CM_THRESHOLD_AUTO,    /* chosen from the data */
    CM_THRESHOLD_REFUSED, /* to be chosen from the data, which allowed no choice: the benchmark's */
} cm_threshold_source;

/* The part of a kernel in the definitions of a benchmark. */
typedef enum cm_kernel_part {
    CM_PART_FITTED,
    CM_PART_CONTROL,
    CM_PART_FREE,       /* measures facts that vendors disagree about */
    CM_PART_DIFFERENCE, /* no kernel: the difference of two others, the first less the second */
} cm_kernel_part;
#define CM_PART_COUNT ((int)CM_PART_DIFFERENCE + 1)

/* The events that the JSON lists. */
typedef enum cm_events_detail {
    CM_EVENTS_ALL,
    CM_EVENTS_KEPT,     /* selected and dependent ones */
    CM_EVENTS_SELECTED, /* selected ones */
} cm_events_detail;

/* Finds the component of an event of a table. */
typedef struct cm_event_components {
    /* PAPI's name of the component; NULL if it is unknown. */
    const char *(*find)(const char *event, void *data);
    void *data;
} cm_event_components;

/* How definitions are found and judged. */
typedef enum cm_analysis_method {
    CM_METHOD_CATMINT, /* the law: every definition is judged on kernels to which it was not fitted */
    CM_METHOD_PAPER,   /* the paper's rules */
} cm_analysis_method;

/* The measurements of another benchmark of the same sweep, whose kernels control definitions. */
typedef struct cm_control_table {
    const char *benchmark;
    const char *path;
    size_t stream_from; /* as in cm_analyze_options, but 1 MiB at most */
} cm_control_table;

/* The events that were tried as one event set, and the outcome. */
typedef struct cm_tried_sets cm_tried_sets;

/* The options of an analysis of one benchmark. */
typedef struct cm_benchmark_request {
    cm_analysis_method method;
    const cm_control_table *controls; /* not used by the paper's method */
    size_t control_count;
    cm_thresholds thresholds;
    cm_threshold_source tau_source; /* CM_THRESHOLD_AUTO: choose it; `thresholds` has the value to use if no choice is
                                     * possible */
    cm_threshold_source alpha_source;
    /* Names of events to leave out, NAME or component:::NAME. CM_BAD_INPUT if one was not measured or means two events.
     */
    const char *const *avoid;
    size_t avoid_count;
    const char *const *only; /* patterns (fnmatch) of events to use, with or without component; none: all */
    size_t only_count;
    const cm_event_components *components; /* of the table's events; NULL: unknown, every component in a name fits */
    cm_events_detail events_detail;
    bool with_offset_events;  /* events with a constant offset may be selected */
    size_t max_events;        /* also look for definitions with at most so many events if a definition has more; 0: no
                               * limit */
    const char *architecture; /* architecture of the counted kernels, "aarch64", as in manifests; NULL: this one */
    bool deterministic;       /* nothing disturbed the counts: no stray counts are allowed */
    bool leave_unknown;       /* unknown kernels of the table are left out if it has others; false: they are an error */
    const cm_basis *own_controls; /* kernels that are not fitted, beside those that catmint knows; NULL: none */
    void (*note)(const char *text, void *data); /* called with a line for everything that is left out; may be NULL */
    void *note_data;
    cm_tried_sets *tried;         /* known event sets; must outlive the result. NULL: none is known */
    const volatile int *stop;     /* as in cm_analysis_set_stop */
    struct cm_fact_table **facts; /* catmint's own: what kernels do, read once for several; set it to NULL */
} cm_benchmark_request;

#ifdef __cplusplus
}
#endif
#endif
