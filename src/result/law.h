/* The law asked of any sum of a benchmark's events, as the search for definitions asks it. */
#ifndef CM_RESULT_LAW_H
#define CM_RESULT_LAW_H

#include <catmint/definitions.h>

typedef struct cm_defined_law cm_defined_law;

enum { CM_HELD_TEXT = 512 };

/* Of a benchmark of the definitions, which must outlive it; *law stays NULL where they do not have what events count on
 * kernels. `missing`: instruction sets (bits as of cm_kernel) whose kernels it does not look at. */
cm_status cm_defined_law_create(const cm_definitions *definitions, size_t benchmark, unsigned missing,
                                cm_defined_law **law, cm_error *error);
void cm_defined_law_free(cm_defined_law *law);

/* A sum of events as the law finds it. The arrays belong to the law. */
typedef struct cm_held {
    bool judged;             /* the law knows the metric, and what the events count */
    bool right;              /* at least where all of `ranges` hold */
    bool by_symbols;         /* it is refused because of what it counts of symbols */
    char text[CM_HELD_TEXT]; /* why it is refused */
    size_t range_count;
    const cm_defined_range *ranges;
    size_t untold_count; /* what kernels do not tell from the metric, in words */
    const char *const *untold;
} cm_held;

/* Of coefficients times events, divided by the factor, as the metric; both are the benchmark's. */
cm_status cm_defined_law_judge(cm_defined_law *law, const cm_defined_metric *metric,
                               const cm_defined_event *const *events, const double *coefficients, size_t count,
                               double factor, cm_held *held, cm_error *error);
/* Where there are neither controls nor a law: judged, and refused, where several coefficients, divided by the factor,
 * are no simple numbers. */
cm_status cm_hold_uncontrolled(const double *coefficients, size_t count, double factor, cm_held *held, cm_error *error);

#endif
