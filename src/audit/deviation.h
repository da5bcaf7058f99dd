/* Findings about wrong forms: the thing that each measures instead. */
#ifndef CM_AUDIT_DEVIATION_H
#define CM_AUDIT_DEVIATION_H

#include "audit/findings.h"

/* A metric that the form might be instead. */
typedef struct cm_known_metric {
    const char *metric;
    const double *signature; /* one a symbol, not all zero */
    const cm_defined_metric *defined;
} cm_known_metric;

typedef struct cm_deviation {
    const cm_symbol_parts *parts;
    const double *representation; /* of the form, one a symbol */
    const double *signature;      /* of the metric, not all zero */
    const double *tolerance;      /* by how much an element may be off */
    size_t known_count;
    const cm_known_metric *known; /* all metrics of the benchmark, the form's own may be among them */
} cm_deviation;

/* Adds the metric that the form measures; nothing if every element is within its tolerance. CM_NO_MEMORY. */
cm_status cm_deviation_explain(const cm_deviation *deviation, cm_finding_list *findings, cm_error *error);

#endif
