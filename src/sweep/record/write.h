/* What a sweep says about itself: events.csv and manifest.json. record/read.h reads them back. */
#ifndef CM_SWEEP_RECORD_WRITE_H
#define CM_SWEEP_RECORD_WRITE_H

#include <jansson.h>

#include "sweep/plan/state.h"

cm_status cm_sweep_write_events(const cm_sweep_state *state, const char *path, cm_error *error);
/* The manifest, without its list of files; NULL without memory. */
json_t *cm_sweep_describe(const cm_sweep_state *state);

#endif
