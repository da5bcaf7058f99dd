/* Branch prediction as in processors.
 *
 * Conditional branches: "none" always predicts not taken; "bimodal" has a two-bit counter a branch; "gshare" two-bit
 * counters found by branch and recent outcomes; "tage" tagged tables for ever longer histories over a bimodal one.
 * Direct jumps and calls are always right. Indirect jumps and calls are predicted to go to their last target, returns
 * to the address after the matching call, of the last 16. Tables are indexed by the order in which branches were met,
 * not by their addresses. */
#ifndef CM_SOFTWARE_PMU_MACHINE_PREDICTOR_H
#define CM_SOFTWARE_PMU_MACHINE_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include <catmint/error.h>

#include "software_pmu/machine/tage.h"

typedef struct cm_predictor cm_predictor;

/* CM_BAD_ARGUMENT if there is none of that name. */
cm_status cm_predictor_create(const char *name, cm_predictor **predictor, cm_error *error);
void cm_predictor_free(cm_predictor *predictor);

/* Whether a conditional branch will be taken; learns nothing. */
bool cm_predictor_predict(cm_predictor *predictor, uint64_t address);
/* Learns the outcome; call it once a retired conditional branch, after predicting it. */
void cm_predictor_learn(cm_predictor *predictor, uint64_t address, bool taken);

/* The outcomes that predictions depend on. On a wrong path the predicted outcomes count, until the path ends. */
typedef struct cm_predictor_history {
    uint64_t outcomes, tage[CM_TAGE_HISTORY_WORDS];
} cm_predictor_history;

cm_predictor_history cm_predictor_save(const cm_predictor *predictor);
void cm_predictor_restore(cm_predictor *predictor, const cm_predictor_history *history);
/* Adds an outcome to the history; learns nothing else. */
void cm_predictor_assume(cm_predictor *predictor, bool taken);

/* Whether an indirect jump or call to `target` was predicted correctly. */
bool cm_predictor_indirect(cm_predictor *predictor, uint64_t address, uint64_t target);

void cm_predictor_call(cm_predictor *predictor, uint64_t return_address);
/* Whether a return to `target` was predicted correctly. */
bool cm_predictor_return(cm_predictor *predictor, uint64_t target);

#endif
