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

/* The entries of a branch in each table under the current history, and the tables that predict it. */
typedef struct cm_tage_lookup {
    uint64_t branch;
    uint64_t history[CM_TAGE_HISTORY_WORDS];
    unsigned index[CM_TAGE_TABLES];
    uint16_t tag[CM_TAGE_TABLES];
    int provider, alternative; /* tables with the longest and the next history; -1: the base */
    bool provided, alternated; /* their predictions */
    bool is_new;               /* the provider has little experience yet */
    bool prediction;
} cm_tage_lookup;

typedef struct cm_tage {
    uint8_t base[CM_TAGE_BASE_ENTRIES]; /* 0 to 3, taken from 2 on */
    cm_tage_entry tables[CM_TAGE_TABLES][CM_TAGE_ENTRIES];
    uint64_t history[CM_TAGE_HISTORY_WORDS]; /* newest outcome in bit 0 of word 0 */
    uint64_t branches;
    int trust_alternative; /* 0 or more: trusted if the provider is new */
    bool is_looked_up;     /* `last` is valid: nothing was learnt since */
    cm_tage_lookup last;
} cm_tage;

void cm_tage_init(cm_tage *tage);
bool cm_tage_predict(cm_tage *tage, uint64_t branch);
/* Learns from an outcome; it is added to the history separately. */
void cm_tage_learn(cm_tage *tage, uint64_t branch, bool taken);
void cm_tage_assume(cm_tage *tage, bool taken);

#endif
