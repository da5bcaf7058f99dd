/* The second edition of the method: how kernels were run, and what of their counts is known beforehand. An analysis
 * that has conditions judges its events by them (METHOD, steps 1 to 4); one without follows the paper. Inside of the
 * library only. */
#ifndef CM_ANALYSIS_CONDITIONS_H
#define CM_ANALYSIS_CONDITIONS_H

#include <stdbool.h>

#include <catmint/analysis.h>

/* Arrays are copied. */
typedef struct cm_conditions {
    const double *iterations; /* N: of a run; NULL: unknown, what is counted once a run is not then allowed for */
    const double *chances;    /* N x S, row-major: standard deviation of a symbol in one iteration; NULL: none */
    const bool *nuisances;    /* S: symbols that no metric has; NULL: none */
} cm_conditions;

/* Before the first event. */
cm_status cm_analysis_set_conditions(cm_analysis *analysis, const cm_conditions *given, cm_error *error);

/* The counts of one event, per iteration, as cm_analysis_add_event takes them, but that they may be negative if the
 * count of an empty run was taken from them. `slack`: counts by which a run may be off. */
cm_status cm_analysis_add_counts(cm_analysis *analysis, const char *event, const double *vectors, size_t repetitions,
                                 double slack, cm_error *error);

/* A slack as kernels tell it that count nothing: two counts and four standard deviations of their runs. */
double cm_slack_of(double deviation);
/* Whether a run's counts are so few that they are no iteration's. */
bool cm_is_silent(double counts);

#endif
