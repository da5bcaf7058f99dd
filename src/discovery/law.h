/* The law's verdict on definitions, from what was counted on all kernels of the sweep. */
#ifndef CM_DISCOVERY_LAW_H
#define CM_DISCOVERY_LAW_H

#include "discovery/evidence.h"
#include "law/law.h"

typedef struct cm_evidence_law cm_evidence_law;

/* For the metrics of the evidence, whose counts are gathered. */
cm_status cm_evidence_law_create(const cm_evidence *evidence, cm_evidence_law **law, cm_error *error);
void cm_evidence_law_free(cm_evidence_law *law);

/* The problem's last word: the law, and programs that have become controls. */
cm_status cm_evidence_law_say(void *law, const cm_target *target, const cm_term *terms, size_t count,
                              cm_verdict *verdict, cm_error *error);

/* Of a metric's definition; which the law keeps. NULL where the metric's meaning is not known
 * or no kernel does it. */
cm_status cm_evidence_law_judge(cm_evidence_law *law, size_t metric, const cm_term *terms, size_t count,
                                const cm_law_verdict **verdict, cm_error *error);

/* Whether the law has nothing against a definition, at least in a range. */
bool cm_law_allows(const cm_law_verdict *verdict);

const cm_law_alternative *cm_evidence_law_alternative(const cm_evidence_law *law, size_t alternative);
/* What an alternative of its verdicts is called, or NULL; the caller frees it. */
char *cm_evidence_law_words(const cm_evidence_law *law, size_t alternative);
/* What a metric means, as a fact or a sum of facts; likewise. */
char *cm_evidence_law_meaning(const cm_evidence_law *law, size_t metric);
const char *cm_evidence_law_kernel(const cm_evidence_law *law, size_t kernel);
const cm_evidence *cm_evidence_law_evidence(const cm_evidence_law *law);
/* Of hits, a neighbour in the caches moved so many one level down, at most. */
double cm_evidence_law_interference(const cm_evidence_law *law);

#endif
