/* The law's verdict on definitions, from what was counted on all kernels of the sweep. */
#ifndef CM_DISCOVERY_LAW_H
#define CM_DISCOVERY_LAW_H

#include "discovery/evidence.h"
#include "law/law.h"

typedef struct cm_evidence_law cm_evidence_law;

/* For the metrics of the evidence, whose counts are gathered. */
cm_status cm_evidence_law_create(const cm_evidence *evidence, cm_evidence_law **law, cm_error *error);
void cm_evidence_law_free(cm_evidence_law *law);

/* Of a metric's definition. *judged is false, and nothing is found, where its meaning is not known or no kernel does
 * it. */
cm_status cm_evidence_law_judge(const cm_evidence_law *law, size_t metric, const cm_solution *solution, bool *judged,
                                cm_law_verdict *verdict, cm_error *error);

/* Whether the law has nothing against a definition, at least in a range. */
bool cm_law_allows(const cm_law_verdict *verdict);

/* What an alternative of its verdicts is called, or NULL; the caller frees it. */
char *cm_evidence_law_words(const cm_evidence_law *law, size_t alternative);
/* What a metric means, as a fact or a sum of facts; likewise. */
char *cm_evidence_law_meaning(const cm_evidence_law *law, size_t metric);
const char *cm_evidence_law_kernel(const cm_evidence_law *law, size_t kernel);
/* Of hits, a neighbour in the caches moved so many one level down, at most. */
double cm_evidence_law_interference(const cm_evidence_law *law);

#endif
