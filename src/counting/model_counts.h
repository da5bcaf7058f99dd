/* Counts a model's events from the software PMU's facts. The state of this file belongs to the process, as PAPI's
 * does. */
#ifndef CM_COUNTING_MODEL_COUNTS_H
#define CM_COUNTING_MODEL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>
#include <catmint/software_pmu.h>

/* Both must live until cm_model_counts_end. */
cm_status cm_model_counts_begin(const cm_pmu_model *model, const cm_software_pmu *pmu, cm_error *error);
void cm_model_counts_end(void);

/* Restarts all counts at zero. Each is its expression over the facts since this call, so that an expression that is no
 * plain sum, or has fractions, has the same value in every run. */
void cm_model_counts_restart(void);
/* Counts facts as if they had been executed now. */
void cm_model_counts_add(const uint64_t *facts);
/* The facts since the restart; *run is the number of restarts. NULL if no model is active. */
const uint64_t *cm_model_counts_facts(uint64_t *run);
/* The clock of the model's machine: instructions since it began; 0 if no model is active. */
uint64_t cm_model_counts_ticks(void);
/* The count of an event; 0 if no model is active. */
long long cm_model_counts_read(size_t event);

#endif
