/* Keeps tables that an earlier sweep wrote into the directory, for benchmarks that this sweep does not count, unless
 * they are to be removed (cm_sweep_options.replace). */
#ifndef CM_SWEEP_RECORD_KEEP_H
#define CM_SWEEP_RECORD_KEEP_H

#include <jansson.h>
#include <stdio.h>

#include "core/folder.h"
#include "sweep/plan/state.h"

/* Member of a kept benchmark in the manifest: version, start and options of the sweep that counted it. */
#define CM_EARLIER_KEY "earlier"

/* Whether tables of the manifest are kept: such a table need not have all events. */
bool cm_sweep_keeps_any(const json_t *manifest);
/* Copies the CM_EARLIER_KEY of benchmarks that only `other` marks as kept. NULL, with `manifest` freed, without
 * memory. */
json_t *cm_sweep_join_kept(json_t *manifest, const json_t *other);

/* Before counting: fills state->kept and reports the tables that stay. CM_BAD_ARGUMENT if one was counted in another
 * way, so that it cannot be beside this sweep's. */
cm_status cm_sweep_find_kept(cm_sweep_state *state, cm_error *error);
/* Writes the rows of the earlier events.csv whose events this sweep has not selected. */
cm_status cm_sweep_keep_events(const cm_sweep_state *state, FILE *stream, cm_error *error);
/* Keeps the tables in the directory and in the manifest. */
cm_status cm_sweep_keep_tables(const cm_sweep_state *state, cm_folder *folder, json_t *manifest, cm_error *error);

#endif
