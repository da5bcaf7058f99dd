/* Saves a sweep in the journal, and restores it for the sweep that resumes it. */
#ifndef CM_SWEEP_RECORD_RESUME_H
#define CM_SWEEP_RECORD_RESUME_H

#include "sweep/plan/state.h"

/* Restores limits that the unfinished sweep chose by the free memory of the machine, which changes all the time. Call
 * before chains are placed. */
cm_status cm_sweep_take_over_limits(cm_sweep_state *state, cm_error *error);
/* Opens the journal in the options' directory, and restores an unfinished sweep. */
cm_status cm_sweep_open_journal(cm_sweep_state *state, cm_error *error);

/* Remembers, also in the journal, that a set could not be counted though its parts may be. */
cm_status cm_sweep_remember(cm_sweep_state *state, size_t count, const size_t *events, cm_error *error);
/* Records that an event failed, which the session has noted before. */
cm_status cm_sweep_record_failure(cm_sweep_state *state, size_t event, cm_error *error);

/* Writes a benchmark's table from the journal, in the session's order of events. */
cm_status cm_sweep_write_table(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error);

#endif
