/* Branch prediction, as processors do it.
 *
 * Conditional branches: "none" says not taken, always; "bimodal" a two-bit counter a branch; "gshare" two-bit counters
 * found by branch and recent outcomes; "tage" tagged tables for ever longer histories over a bimodal one. Direct jumps
 * and calls are always right. Indirect jumps and calls go where they went last time, returns where the matching call
 * came from, of the last 16. Tables are indexed by the order in which branches were met, not by their addresses. */
#ifndef CM_SOFTWARE_PMU_MACHINE_PREDICTOR_H
#define CM_SOFTWARE_PMU_MACHINE_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include <catmint/error.h>

#include "software_pmu/machine/tage.h"

typedef struct cm_predictor cm_predictor;

/* CM_BAD_ARGUMENT where there is none of that name. */
cm_status cm_predictor_create(const char *name, cm_predictor **predictor, cm_error *error);
void cm_predictor_free(cm_predictor *predictor);

/* Whether a conditional branch will be taken; learns nothing. */
bool cm_predictor_predict(cm_predictor *predictor, uint64_t address);
/* Tells what it did; to be called once a retired conditional branch, after predicting it. */
void cm_predictor_learn(cm_predictor *predictor, uint64_t address, bool taken);

/* The outcomes that predictions look back on. On a wrong path they are those that were predicted, until it ends. */
typedef struct cm_predictor_history {
    uint64_t outcomes, tage[CM_TAGE_HISTORY_WORDS];
} cm_predictor_history;

cm_predictor_history cm_predictor_save(const cm_predictor *predictor);
void cm_predictor_restore(cm_predictor *predictor, const cm_predictor_history *history);
/* Adds an outcome to the history; learns nothing else. */
void cm_predictor_assume(cm_predictor *predictor, bool taken);

/* Whether an indirect jump or call to `target` was predicted right. */
bool cm_predictor_indirect(cm_predictor *predictor, uint64_t address, uint64_t target);

void cm_predictor_call(cm_predictor *predictor, uint64_t return_address);
/* Whether a return to `target` was predicted right. */
bool cm_predictor_return(cm_predictor *predictor, uint64_t target);

#endif
