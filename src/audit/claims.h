/* The claim of a formula, the metric or the ratio of two that it is said to measure: "DP Ops.", "1000 L1 Misses /
 * Instructions", "FP Ops. | FP Ops. with HP", "L2 Data Misses || L2 Misses of Data and Code". */
#ifndef CM_AUDIT_CLAIMS_H
#define CM_AUDIT_CLAIMS_H

#include <catmint/definitions.h>

#include "audit/meanings.h"

/* A metric by its name. */
typedef struct cm_claimed_metric {
    const char *name;                /* NULL: none */
    const cm_defined_metric *metric; /* of the results; NULL: they have none of that name */
    const cm_meaning *meaning;       /* NULL: none is known */
} cm_claimed_metric;

typedef struct cm_claimed {
    cm_claimed_metric numerator, denominator;
    double factor; /* that the formula is to have; NaN: the name does not tell */
    bool mapped;   /* a map says so */
} cm_claimed;

enum { CM_MOST_CLAIMS = 8 };

typedef struct cm_claims {
    size_t count; /* 0: nothing is known of the formula's name */
    size_t usual; /* the others, behind "||", are meant only if no event makes any of these */
    cm_claimed items[CM_MOST_CLAIMS];
    const char *none;      /* why a map says that the name is no metric; NULL: it does not */
    const char *unknown;   /* named by a map, but nowhere to be found; NULL: no such */
    const char *ambiguity; /* the name fits several metrics, which are listed; NULL: it fits one */
} cm_claims;

#endif
