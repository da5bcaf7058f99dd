/* Compares the formulas in a group's LONG with those in METRICS. */
#ifndef CM_FORMATS_LIKWID_DOCUMENTED_H
#define CM_FORMATS_LIKWID_DOCUMENTED_H

#include "formulas/formulas.h"

/* A line of LONG: `metric = formula`, over events instead of counters. */
typedef struct cm_documented {
    const char *metric, *formula;
    size_t line, column; /* of the formula */
} cm_documented;

/* Splits a line of LONG; false if it is no formula. The texts are stored in `formulas`; NULL without memory. */
bool cm_documented_parse(cm_formulas *formulas, const char *text, size_t line, cm_documented *documented);

/* Records a remark for each line that differs from the formula of its metric. `resolve` finds the quantity of an
 * event's name; a line with unknown names, or one that is no formula, counts as free text. */
cm_status cm_documented_check(cm_formulas *formulas, const cm_documented *documented, size_t count,
                              cm_expression_resolve resolve, void *data, cm_error *error);

#endif
