/* Tables in the directory of a sweep that an earlier one wrote, of benchmarks that this one does not count: they stay,
 * unless they are to be removed (cm_sweep_options.replace). */
#ifndef CM_SWEEP_RECORD_KEEP_H
#define CM_SWEEP_RECORD_KEEP_H

#include <jansson.h>
#include <stdio.h>

#include "core/folder.h"
#include "sweep/plan/state.h"

/* Member of a benchmark of the manifest that was kept: the version, start and options of the sweep that counted it. */
#define CM_EARLIER_KEY "earlier"

/* Whether tables of the manifest are kept: not each of them need have all events then. */
bool cm_sweep_keeps_any(const json_t *manifest);
/* Gives benchmarks of `manifest` that are kept in `other` alone what that says of their sweep. NULL, with `manifest`
 * gone, where memory is short. */
json_t *cm_sweep_join_kept(json_t *manifest, const json_t *other);

/* Before anything is counted: fills state->kept and says which stay. CM_BAD_ARGUMENT where one cannot stand beside this
 * sweep's, for it was counted otherwise. */
cm_status cm_sweep_find_kept(cm_sweep_state *state, cm_error *error);
/* Writes the rows of the earlier events.csv whose events this sweep has not selected. */
cm_status cm_sweep_keep_events(const cm_sweep_state *state, FILE *stream, cm_error *error);
/* Keeps them in the folder and in the manifest. */
cm_status cm_sweep_keep_tables(const cm_sweep_state *state, cm_folder *folder, json_t *manifest, cm_error *error);

#endif
