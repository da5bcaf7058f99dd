/* What a group's LONG says of its formulas, held against METRICS. */
#ifndef CM_FORMATS_LIKWID_DOCUMENTED_H
#define CM_FORMATS_LIKWID_DOCUMENTED_H

#include "formulas/formulas.h"

/* A line of LONG: `metric = formula`, over events instead of counters. */
typedef struct cm_documented {
    const char *metric, *formula;
    size_t line, column; /* of the formula */
} cm_documented;

/* Takes a line of LONG apart; false where it is no formula. The texts are kept in `formulas`; NULL where memory is
 * short. */
bool cm_documented_parse(cm_formulas *formulas, const char *text, size_t line, cm_documented *documented);

/* Remarks each that says otherwise than the formula of its metric. `resolve` leads from an event's name to its
 * quantity; what it does not know, or no formula can be made of, is free text. */
cm_status cm_documented_check(cm_formulas *formulas, const cm_documented *documented, size_t count,
                              cm_expression_resolve resolve, void *data, cm_error *error);

#endif
