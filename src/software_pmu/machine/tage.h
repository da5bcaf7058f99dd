/* A small TAGE predictor. Source: Seznec, Michaud, "A case for (partially) TAgged GEometric history length branch
 * prediction", Journal of Instruction-Level Parallelism 8 (2006). */
#ifndef CM_SOFTWARE_PMU_MACHINE_TAGE_H
#define CM_SOFTWARE_PMU_MACHINE_TAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { CM_TAGE_TABLES = 4, CM_TAGE_ENTRIES = 2048, CM_TAGE_BASE_ENTRIES = 4096, CM_TAGE_HISTORY_WORDS = 2 };

typedef struct cm_tage_entry {
    uint16_t tag;   /* 0: free */
    int8_t counter; /* -4 to 3, taken from 0 on */
    uint8_t useful; /* 0 to 3 */
} cm_tage_entry;

typedef struct cm_tage {
    uint8_t base[CM_TAGE_BASE_ENTRIES]; /* 0 to 3, taken from 2 on */
    cm_tage_entry tables[CM_TAGE_TABLES][CM_TAGE_ENTRIES];
    uint64_t history[CM_TAGE_HISTORY_WORDS]; /* newest outcome in bit 0 of word 0 */
    uint64_t branches;
    int trust_alternative; /* from 0 on, where the provider is new */
} cm_tage;

void cm_tage_init(cm_tage *tage);
bool cm_tage_predict(const cm_tage *tage, uint64_t address);
/* Learns from an outcome; it is added to the history separately. */
void cm_tage_learn(cm_tage *tage, uint64_t address, bool taken);
void cm_tage_assume(cm_tage *tage, bool taken);

#endif
