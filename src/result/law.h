/* The law applied to any sum of a benchmark's events, as the search for definitions applies it. */
#ifndef CM_RESULT_LAW_H
#define CM_RESULT_LAW_H

#include <catmint/definitions.h>

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
    size_t untold_count; /* in words, the facts that kernels do not separate from the metric */
    const char *const *untold;
} cm_held;

/* Judges the sum of coefficients times events, over the factor, as the metric; both of one benchmark. */
cm_status cm_defined_law_judge(cm_defined_law *law, const cm_defined_metric *metric,
                               const cm_defined_event *const *events, const double *coefficients, size_t count,
                               double factor, cm_held *held, cm_error *error);
/* For results with neither controls nor a law: the sum is judged, and refused if several coefficients, divided by the
 * factor, are not simple numbers. */
cm_status cm_hold_uncontrolled(const double *coefficients, size_t count, double factor, cm_held *held, cm_error *error);

#endif
