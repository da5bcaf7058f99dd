/* Sums of events held to the controls of a benchmark, as definitions are. */
#ifndef CM_DEFINITIONS_CONTROLS_H
#define CM_DEFINITIONS_CONTROLS_H

#include <catmint/definitions.h>

/* The control on which a sum of events is off most. */
typedef struct cm_control_fault {
    const char *kernel;     /* NULL: it is within the limits of all */
    double value, expected; /* there, divided by the factor */
} cm_control_fault;

/* Holds the sum of coefficients times events, which are the benchmark's, divided by the factor, to what the metric
 * reads on the controls. Controls on which an event's counts are not known are left out. CM_NO_MEMORY. */
cm_status cm_controls_judge(const cm_defined_benchmark *benchmark, const cm_defined_metric *metric,
                            const cm_defined_event *const *events, const double *coefficients, size_t count,
                            double factor, cm_control_fault *fault, cm_error *error);

#endif
