/* Nothing, for as long as something took: what the rest of a socket makes events count is seen then. */
#ifndef CM_SWEEP_RUN_QUIET_TIME_H
#define CM_SWEEP_RUN_QUIET_TIME_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/counting.h>

#include "sweep/run/kernel_call.h"

/* Runs the body of `call`, which is that of a quiet kernel, until so many ticks of cm_counting_ticks have passed;
 * *took: how many it were. */
cm_status cm_quiet_time(cm_counting *counting, cm_kernel_call *call, double ticks, double *took, cm_error *error);

/* Whether that was as long as it should be, or this attempt (from 1) is the last: what was interrupted is done again.
 */
bool cm_quiet_was_enough(double ticks, double took, size_t attempt);

#endif
