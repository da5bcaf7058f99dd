/* Writes a sweep's description: events.csv and manifest.json. record/read.h reads them back. */
#ifndef CM_SWEEP_RECORD_WRITE_H
#define CM_SWEEP_RECORD_WRITE_H

#include <jansson.h>

#include "sweep/plan/state.h"

/* Columns of events.csv. */
enum { CM_EVENT_COLUMNS = 6 };
extern const char *const cm_event_columns[CM_EVENT_COLUMNS];

cm_status cm_sweep_write_events(const cm_sweep_state *state, const char *path, cm_error *error);
/* The manifest, without its list of files; NULL without memory. */
json_t *cm_sweep_describe(const cm_sweep_state *state);
/* Size of the checksum that distinguishes versions of a model: "fnv1a64:" and 16 digits. */
enum { CM_MODEL_CHECKSUM_SIZE = 32 };
void cm_sweep_model_checksum(const cm_pmu_model *model, char text[CM_MODEL_CHECKSUM_SIZE]);
/* The same of a sweep of the facts of its machine. */
void cm_sweep_machine_checksum(const cm_pmu_model *model, char text[CM_MODEL_CHECKSUM_SIZE]);

/* In kept facts: the member of the manifest that lists all facts which were counted, zero or not. */
#define CM_FACTS_KEY "facts"
/* Why an event of a model is not counted. */
#define CM_NOT_MODELLED "not modelled"

#endif
