/* A model's events, counted from the software PMU's facts. What PAPI keeps is the process's, and so is this file's
 * state. */
#ifndef CM_COUNTING_MODEL_COUNTS_H
#define CM_COUNTING_MODEL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>
#include <catmint/software_pmu.h>

/* Both must live until cm_model_counts_end. */
cm_status cm_model_counts_begin(const cm_pmu_model *model, const cm_software_pmu *pmu, cm_error *error);
void cm_model_counts_end(void);

/* From here on the events count from nothing: each is its expression over the facts since this call, so that an
 * expression that is no plain sum, or has fractions, means the same in every run. */
void cm_model_counts_restart(void);
/* The facts since then, and in *run how often there was a restart; NULL where no model is at work. */
const uint64_t *cm_model_counts_facts(uint64_t *run);
/* The clock of the model's machine: instructions since it began; 0 where no model is at work. */
uint64_t cm_model_counts_ticks(void);
/* 0 where no model is at work. */
long long cm_model_counts_read(size_t event);

#endif
