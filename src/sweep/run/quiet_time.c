#include "sweep/run/run.h"

/* Turns of an idle loop. */
static const double FIRST_TURNS = 64.0, MOST_TURNS = 1e9;
/* Tolerances below and above; a run that takes longer was interrupted. */
static const double QUIET_SHORT = 1e-3, QUIET_LONG = 1e-2;
enum { ATTEMPTS = 5 };

/* Runs pieces that become shorter, to end at the right time. */
cm_status cm_quiet_time(cm_counting *counting, cm_kernel_call *call, double ticks, double *took, cm_error *error)
{
    double turns = FIRST_TURNS, done = 0.0, start = cm_counting_ticks(counting);
    cm_status status = CM_OK;
    for (*took = 0.0; status == CM_OK && *took < (1.0 - QUIET_SHORT) * ticks;) {
        call->iterations = (uint64_t)turns;
        status = cm_counting_run(counting, cm_kernel_call_run, call, error);
        done += turns;
        *took = cm_counting_ticks(counting) - start;
        turns = fmin(fmax(0.5 * (ticks - *took) * done / fmax(*took, 1.0), 1.0), MOST_TURNS);
    }
    return status;
}

bool cm_quiet_was_enough(double ticks, double took, size_t attempt)
{
    return took <= (1.0 + QUIET_LONG) * ticks || attempt == ATTEMPTS;
}
