/* What the law says, in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "discovery/law.h"

bool cm_law_allows(const cm_law_verdict *verdict)
{
    return verdict->finding == CM_LAW_HOLDS || verdict->finding == CM_LAW_IN_RANGE;
}

char *cm_evidence_law_words(const cm_evidence_law *law, size_t alternative)
{
    const cm_law_alternative *what = cm_evidence_law_alternative(law, alternative);
    const char *fact = cm_fact_name(what->fact), *other = cm_fact_name(what->other);
    char *words = NULL;
    int length = 0;
    switch (what->sort) {
    case CM_LAW_TURN: return strdup("branches_cond_taken"); /* a loop turns by one */
    case CM_LAW_FACT:
    case CM_LAW_DERIVED: return strdup(fact);
    case CM_LAW_DIFFERENCE:
        length = what->ratio == 1.0 ? asprintf(&words, "%s - %s", fact, other)
                                    : asprintf(&words, "%s - %.6g*%s", fact, what->ratio, other);
        break;
    case CM_LAW_PAIR: length = asprintf(&words, "min(%s, %s)", fact, other); break;
    }
    return length < 0 ? NULL : words;
}

/* The derived fact that is the metric, as far as this machine has its parts; -1: none. */
static ptrdiff_t derived_of(const cm_evidence_law *law, const double *weights)
{
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        const double *parts = cm_evidence_law_evidence(law)->facts->facts[fact].coefficients;
        bool same = cm_evidence_law_evidence(law)->facts->facts[fact].kind == CM_FACT_DERIVED;
        for (size_t i = 0; i < cm_fact_count() && same; i++)
            same = parts[i] == weights[i];
        if (same)
            return (ptrdiff_t)fact;
    }
    return -1;
}

char *cm_evidence_law_meaning(const cm_evidence_law *law, size_t metric)
{
    const double *weights = cm_evidence_law_evidence(law)->metrics + metric * cm_fact_count();
    ptrdiff_t derived = derived_of(law, weights);
    char *text = NULL;
    if (derived >= 0)
        return strdup(cm_fact_name((size_t)derived));
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        char *longer = NULL;
        if (weights[fact] == 0.0)
            continue;
        int length = weights[fact] == 1.0 ? asprintf(&longer, "%s%s%s", text != NULL ? text : "",
                                                     text != NULL ? " + " : "", cm_fact_name(fact))
                                          : asprintf(&longer, "%s%s%.17g*%s", text != NULL ? text : "",
                                                     text != NULL ? " + " : "", weights[fact], cm_fact_name(fact));
        free(text);
        text = length < 0 ? NULL : longer;
        if (text == NULL)
            return NULL;
    }
    return text;
}
