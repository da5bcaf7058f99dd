/* What the symbols of a basis mean in facts of the software PMU: bases/facts.csv. */
#ifndef CM_VERIFY_QUANTITIES_H
#define CM_VERIFY_QUANTITIES_H

#include <catmint/tables.h>

#include "formulas/expression.h"

typedef struct cm_quantity {
    char *name;
    cm_expression *expected; /* over the basis' symbols; NULL: only shown */
    cm_expression *executed; /* over facts */
    double quantum;          /* 0: none */
} cm_quantity;

typedef struct cm_quantities {
    size_t count;
    cm_quantity *items;
} cm_quantities;

/* Those of one benchmark. All rows of the file are read, those of other benchmarks for their form only. CM_BAD_INPUT
 * also where a symbol of the basis is no quantity's expectation. Clear also after a failure. */
cm_status cm_quantities_load(const char *path, const char *benchmark, const cm_basis *basis, cm_quantities *quantities,
                             cm_error *error);
void cm_quantities_clear(cm_quantities *quantities);

#endif
