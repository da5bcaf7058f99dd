/* What the journal keeps of a sweep, and gives back to the one that resumes it. */
#ifndef CM_SWEEP_RECORD_RESUME_H
#define CM_SWEEP_RECORD_RESUME_H

#include "sweep/plan/state.h"

/* Takes over from the journal of an unfinished sweep what was chosen then by what the machine offered, its free memory:
 * it offers something else each time. To be called before chains are placed. */
cm_status cm_sweep_take_over_limits(cm_sweep_state *state, cm_error *error);
/* Opens the journal in the options' directory, and takes up what it holds of an unfinished sweep. */
cm_status cm_sweep_open_journal(cm_sweep_state *state, cm_error *error);

/* Remembers, for the journal too, that a set could not be counted though its parts may be. */
cm_status cm_sweep_remember(cm_sweep_state *state, size_t count, const size_t *events, cm_error *error);
/* Records that an event failed; it was noted in the session before. */
cm_status cm_sweep_record_failure(cm_sweep_state *state, size_t event, cm_error *error);

/* Writes what the journal holds of a benchmark into its table, in the session's order of events. */
cm_status cm_sweep_write_table(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
