/* The differences between two views, one row each. */
#ifndef CM_REPORT_COMPARE_COMPARE_H
#define CM_REPORT_COMPARE_COMPARE_H

#include "report/report.h"
#include "report/view/view.h"

typedef struct cm_difference {
    const char *benchmark;      /* NULL: of the whole document */
    const char *subject;        /* "definition", "event" */
    const char *name;           /* NULL: the subject has one value only */
    const char *before, *after; /* NULL: absent */
} cm_difference;

/* Texts live as long as both views and this. */
typedef struct cm_differences {
    cm_arena arena;
    size_t count, capacity;
    cm_difference *list;
} cm_differences;

/* Two views and their differences, to be written. */
typedef struct cm_comparison {
    const cm_results_view *before, *after;
    const cm_differences *differences;
} cm_comparison;

cm_status cm_differences_create(const cm_results_view *before, const cm_results_view *after,
                                cm_differences **differences, cm_error *error);
void cm_differences_free(cm_differences *differences);

/* ---- counts.c ---- */

typedef struct cm_compared_event {
    const cm_defined_benchmark *benchmark;
    const cm_defined_event *event;
} cm_compared_event;

/* The symbols, or the kernels, of which an event counts another number. */
typedef struct cm_changed_counts {
    size_t count;
    const char **names;
    double *before, *after;
    bool on_kernels, are_after; /* the latter: which of the two is put */
} cm_changed_counts;

/* Finds the counts that changed: none if repetitions of the event differ, so that its counts vary from run to run, or
 * if the benchmark had other symbols or kernels. Clear it in any case. */
cm_status cm_changed_counts_find(const cm_compared_event *before, const cm_compared_event *after, bool on_kernels,
                                 cm_changed_counts *changed, cm_error *error);
void cm_changed_counts_clear(cm_changed_counts *changed);
/* "1 of CALL, 0 of JRH"; "4 on two_targets.4". `content` is a cm_changed_counts. */
void cm_changed_counts_write(const void *content, FILE *stream);

#endif
