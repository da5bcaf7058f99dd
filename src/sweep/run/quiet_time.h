/* Idles for a given time, to count the load of the rest of a socket. */
#ifndef CM_SWEEP_RUN_QUIET_TIME_H
#define CM_SWEEP_RUN_QUIET_TIME_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/counting.h>

#include "sweep/run/kernel_call.h"

/* Runs the body of `call`, that of a quiet kernel, until so many ticks of cm_counting_ticks have passed; *took: the
 * actual ticks. */
cm_status cm_quiet_time(cm_counting *counting, cm_kernel_call *call, double ticks, double *took, cm_error *error);

/* Whether the time was as long as intended, or this attempt (from 1) is the last: an interrupted one is repeated. */
bool cm_quiet_was_enough(double ticks, double took, size_t attempt);

#endif
